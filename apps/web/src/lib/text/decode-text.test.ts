import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
/** Deterministic noise, similar to a compressed or encrypted file. */
const noise = Uint8Array.from({ length: 2000 }, (_, index) => (index * 167 + (index >> 3) * 59 + 13) % 256)

test.each([
  ['a picture', hex('89504e470d0a1a0a0000000d49484452')],
  ['a program', hex('7f454c4602010100')],
  ['a text with a nought', utf8('a\u0000b')],
  ['controls without a nought', hex('0102030405060708')],
  ['noise', noise],
  ['noise without noughts', noise.filter((byte) => byte !== 0)],
  ['numbers of two bytes', hex('0100 0200 0300 0400 0500 0600')],
])('%s is no text', async (_, bytes) => {
  expect((await decodeText(bytes)).isText).toBe(false)
})

test.each([
  ['UTF-8', utf8('plain, 中文\r\n'), 'utf-8'],
  ['UTF-8 with a mark', hex('efbbbf61'), 'utf-8'],
  ['colours of a terminal', utf8('\u001b[32mok\u001b[0m\n'), 'utf-8'],
  ['a long text with a control in it', utf8(`${'line\n'.repeat(50)}\u0001`), 'utf-8'],
  ['UTF-16 with a mark', hex('fffe 4f60 597d'), 'utf-16le'],
  ['UTF-16 without one', Uint8Array.from(Buffer.from('no mark at all', 'utf16le')), 'utf-16le'],
  ['four Chinese characters of GBK', hex('c4e3 bac3 cac0 bde7'), 'gb18030'],
  ['letters of Western Europe', Uint8Array.from(Buffer.from('Für Bücher', 'latin1')), 'windows-1252'],
])('%s is a text, of which nothing is lost', async (_, bytes, encoding) => {
  expect(await decodeText(bytes)).toMatchObject({ isText: true, isExact: true, encoding })
})

test('a text with invalid characters is a text, but cannot be saved without loss', async () => {
  const bytes = Uint8Array.from([...utf8('一行中文，又一行中文，再来一行中文。'), 0xe4, 10, ...utf8('完')])
  expect(await decodeText(bytes)).toMatchObject({ isText: true, isExact: false, encoding: 'utf-8' })
})

test('a text that is cut within a character loses nothing', async () => {
  const bytes = utf8('你好').subarray(0, 5)
  expect(await decodeText(bytes, { isCut: true })).toMatchObject({ isExact: true, text: '你' })
  expect(await decodeText(bytes)).toMatchObject({ isExact: false })
})

test('a chosen encoding is obeyed', async () => {
  expect(await decodeText(hex('c4e3'), { chosenEncoding: 'windows-1252' })).toMatchObject({
    text: 'Äã',
    isExact: true,
  })
})
