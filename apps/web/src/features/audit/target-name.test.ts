import { expect, test } from 'vitest'
import { nameOfTarget } from './target-name.ts'

const ID = '01a21674-d732-7579-bc72-ee002c42c314'

test.each([
  [`${ID} (Archive (old))`, 'Archive (old)'],
  [`Camera (${ID})`, 'Camera'],
  [`${ID}, ${ID}, ${ID}, +2 (one, two, three, +2)`, 'one, two, three, +2'],
  [ID, ID],
  ['/photos/a (1).jpg', '/photos/a (1).jpg'],
  ['notes.txt (abc)', 'notes.txt (abc)'],
])('%j is called %j', (target, name) => {
  expect(nameOfTarget(target)).toBe(name)
})
