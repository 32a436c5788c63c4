import { describe, expect, test } from 'vitest'
import { toEditable } from './text-file.api.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const utf8 = (text: string) => Uint8Array.from(Buffer.from(text))

describe('an edited file keeps its encoding and line endings', () => {
  test.each([
    ['plain', utf8('a\nb\n')],
    ['ends of Windows', utf8('a\r\nb\r\n中文')],
    ['ends of early Macs', utf8('a\rb\r')],
    ['a mark', utf8('\uFEFFa,b\r\n1,2\r\n')],
    ['two marks', utf8('\uFEFF\uFEFFa')],
    ['colours', utf8('\u001b[31mred\u001b[0m\n')],
    ['ends of all kinds', utf8('a\r\nb\nc\rd')],
    ['nothing', utf8('')],
  ])('%s', async (_, file) => {
    const { text, mark, encoding } = await toEditable(file, null)
    expect(utf8(mark + text)).toEqual(file)
    expect(encoding).toBe('utf-8')
  })
})

test('files that cannot be saved unchanged are detected before: other encodings', async () => {
  expect(await toEditable(bytes('c4e3 bac3 cac0 bde7'), null)).toMatchObject({
    text: '你好世界',
    encoding: 'gb18030',
  })
  expect(await toEditable(bytes('b4fa b8d5 a4e5 a5f3'), null)).toMatchObject({
    text: '測試文件',
    encoding: 'big5',
  })
  expect(await toEditable(bytes('a4e9 a5bb'), 'big5')).toMatchObject({ text: '日本' })
})

test.each([
  ['a picture', bytes('89504e470d0a1a0a0000000d49484452')],
  ['noughts among letters', utf8(`${'text '.repeat(30_000)}\0`)],
  ['a broken character', Uint8Array.from([...utf8('许多中文，许多中文，许多中文'), 0xe4, 10])],
])('%s cannot be edited', async (_, file) => {
  await expect(toEditable(file, null)).rejects.toMatchObject({ code: 'client.not_text' })
})
