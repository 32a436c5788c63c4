import { expect, test } from 'vitest'
import { messageFor } from './index.ts'

/** Older clients find the numbers in the message about a full storage by these words. */
test.each([
  ['zh', /文件大小\(.+\)超过剩余空间\(.+\)，总容量限制为.+。$/],
  ['en', /file size\(.+\).*remaining space\(.+\).*capacity limit is .+\.$/],
] as const)('a full storage is told in %s by the words that older clients look for', (language, words) => {
  expect(
    messageFor('file.storage_full', language, { size: '1 KB', remaining: '2 B', capacity: '3 B' }),
  ).toMatch(words)
})
