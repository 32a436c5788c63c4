import { expect, test } from 'vitest'
import { decodeGuessed, detectEncoding } from './detect-encoding.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const wide = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'))

// 「這是一份用來測試的繁體中文文件，裡面有許多常用的字。」 and the like, as those encodings write them.
const BIG5 = hex(
  'b36f ac4f a440 a5f7 a5ce a8d3 b4fa b8d5 aaba c163 c5e9 a4a4 a4e5 a4e5 a5f3 a141 b8cc adb1 a6b3 b35c a668 b160 a5ce aaba a672 a143',
)
const GBK = hex(
  'd5e2 cac7 d2bb b7dd d3c3 c0b4 b2e2 cad4 b5c4 bcf2 cce5 d6d0 cec4 cec4 bcfe a3ac c0ef c3e6 d3d0 d0ed b6e0 b3a3 d3c3 b5c4 d7d6 a1a3',
)
const SHIFT_JIS = hex(
  '82b1 82ea 82cd 93fa 967b 8cea 82cc 8365 8358 8367 82c5 82b7 8142 8ada 8e9a 82e0 82d0 82e7 82aa 82c8 82e0 82a0 82e8 82dc 82b7 8142',
)

test('Chinese of both scripts and Japanese are told apart', async () => {
  expect(await detectEncoding(BIG5)).toBe('big5')
  expect(await detectEncoding(GBK)).toBe('gb18030')
  expect(await detectEncoding(SHIFT_JIS)).toBe('shift_jis')
  expect((await decodeGuessed(BIG5, false)).text).toContain('繁體中文')
  expect((await decodeGuessed(GBK, false)).text).toContain('简体中文')
  expect((await decodeGuessed(SHIFT_JIS, false)).text).toContain('日本語')
})

test('UTF-8 and UTF-16, with and without marks', async () => {
  expect(await detectEncoding(new TextEncoder().encode('plain, 中文'))).toBe('utf-8')
  expect(await detectEncoding(new TextEncoder().encode('中文').subarray(0, 5))).toBe('utf-8')
  expect(await detectEncoding(wide('\uFEFFa mark'))).toBe('utf-16le')
  expect(await detectEncoding(wide('no mark at all'))).toBe('utf-16le')
  expect(await detectEncoding(wide('no mark at all').toReversed())).toBe('utf-16be')
  expect(await detectEncoding(new Uint8Array(0))).toBe('utf-8')
})

test('letters of Western Europe', async () => {
  const bytes = Uint8Array.from(Buffer.from('Où est le café déjà? Für Bücher und Übungen.', 'latin1'))
  expect((await decodeGuessed(bytes, false)).text).toContain('café')
})
