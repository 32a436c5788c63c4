import { expect, test } from 'vitest'
import { readTextFile } from './read-text-file.ts'

const file = (name: string, ...parts: BlobPart[]) => new File(parts, name)
const wide = (text: string) =>
  new Uint8Array(new Uint16Array([...text].map((sign) => sign.codePointAt(0) ?? 0)).buffer)

test.each([
  ['a text', file('a.md', '# x')],
  ['one of two bytes a character', file('a.txt', wide('Some words of a text'))],
  ['one without a name that says so', file('LICENSE', 'words')],
])('%s is read', async (_name, text) => {
  expect(await readTextFile(text)).toMatchObject({ kind: 'text' })
})

test.each([
  ['no text by its name', file('a.bin', new Uint8Array([0, 1, 2, 255]))],
  [
    'a program that is called a text',
    file('a.txt', new Uint8Array([77, 90, 144, 0, 3, 0, 0, 0, 4, 0, 0, 255, 255, 0, 184])),
  ],
  [
    'a picture that is called Markdown',
    file('a.md', new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13])),
  ],
])('%s is refused', async (_name, binary) => {
  expect(await readTextFile(binary)).toEqual({ kind: 'not-text' })
})
