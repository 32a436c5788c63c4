import { expect, test } from 'vitest'
import { decodeGuessed, detectEncoding } from './detect-encoding.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const wide = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'))

// 「這是一份用來測試的繁體中文文件，裡面有許多常用的字。」 and similar texts, each in the encoding of its name.
const BIG5 = hex(
  'b36f ac4f a440 a5f7 a5ce a8d3 b4fa b8d5 aaba c163 c5e9 a4a4 a4e5 a4e5 a5f3 a141 b8cc adb1 a6b3 b35c a668 b160 a5ce aaba a672 a143',
)
const GBK = hex(
  'd5e2 cac7 d2bb b7dd d3c3 c0b4 b2e2 cad4 b5c4 bcf2 cce5 d6d0 cec4 cec4 bcfe a3ac c0ef c3e6 d3d0 d0ed b6e0 b3a3 d3c3 b5c4 d7d6 a1a3',
)
const SHIFT_JIS = hex(
  '82b1 82ea 82cd 93fa 967b 8cea 82cc 8365 8358 8367 82c5 82b7 8142 8ada 8e9a 82e0 82d0 82e7 82aa 82c8 82e0 82a0 82e8 82dc 82b7 8142',
)

test('Chinese of both scripts and Japanese are distinguished', async () => {
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

test.each([
  ['gb18030', 'c4e3 bac3 cac0 bde7', '你好世界'],
  ['gb18030', 'b2e2 cad4', '测试'],
  ['gb18030', 'f7d2 f7d1 caa2 d1e7', '饕餮盛宴'],
  ['big5', 'a741 a66e a540 acc9', '你好世界'],
  ['big5', 'b4fa b8d5 a4e5 a5f3', '測試文件'],
  ['shift_jis', '93fa 967b 8cea', '日本語'],
  ['shift_jis', '82b1 82f1 82c9 82bf 82cd', 'こんにちは'],
  ['euc-jp', 'a4b3 a4f3 a4cb a4c1 a4cf', 'こんにちは'],
  ['euc-kr', 'bec8 b3e7 c7cf bcbc bfe4', '안녕하세요'],
  ['koi8-r', 'd0d2 c9d7 c5d4', 'привет'],
  ['windows-1251', 'cff0 e8e2 e5f2 20ec e8f0', 'Привет мир'],
  ['windows-1253', 'c3e5 e9dc 20f3 eff5 20ca fcf3 ece5', 'Γειά σου Κόσμε'],
  ['windows-1252', '46fc 7220 42fc 6368 6572', 'Für Bücher'],
])('a few words are enough for %s: %s', async (encoding, bytes, text) => {
  expect(await decodeGuessed(hex(bytes), false)).toEqual({ encoding, text })
})

test('an invalid character does not change the detection of UTF-8', async () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('许多中文，许多中文，许多中文'), 0xe4, 10])
  expect((await decodeGuessed(bytes, false)).text).toContain('许多中文，许多中文')
})

test('the first Chinese character of a text can be far below', async () => {
  const plain = Buffer.from('2026-11-27 10:00:00 INFO worker finished a request\n'.repeat(1800))
  const { text, encoding } = await decodeGuessed(Uint8Array.from(Buffer.concat([plain, GBK])), false)
  expect([encoding, text.slice(plain.length)]).toEqual([
    'gb18030',
    '这是一份用来测试的简体中文文件，里面有许多常用的字。',
  ])
})
