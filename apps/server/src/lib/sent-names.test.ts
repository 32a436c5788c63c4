import { describe, expect, test } from 'vitest'
import { decodeSegment, nameInDisposition } from './sent-names.ts'

const GBK_REPORT = Buffer.from('d6d0cec4b1a8b1ed', 'hex').toString('latin1')
const rawUtf8 = (text: string) => Buffer.from(text).toString('latin1')

describe('the name in a Content-Disposition', () => {
  test.each([
    [`attachment; filename="${GBK_REPORT}.xlsx"`, '中文报表.xlsx'],
    [`attachment; filename="${rawUtf8('中文报表')}.xlsx"`, '中文报表.xlsx'],
    ['attachment; filename=%E4%B8%AD%E6%96%87.xlsx', '中文.xlsx'],
    ['attachment; filename="100%.txt"', '100%.txt'],
    ['attachment; filename="=?UTF-8?B?5Lit5paHLnhsc3g=?="', '中文.xlsx'],
    ['attachment; filename="=?GBK?Q?=D6=D0=CE=C4_1.txt?="', '中文 1.txt'],
    ['attachment; filename="=?utf-8?B?5Li=?= =?utf-8?B?reaWhw==?="', '中文'],
    ['attachment; filename="=?none-such?B?5Li?="', '=?none-such?B?5Li?='],
    [`attachment; filename*=UTF-8''%E4%B8%AD%E6%96%87.xlsx; filename="fallback.xlsx"`, '中文.xlsx'],
    [`attachment; filename="fallback.xlsx"; FileName*=utf-8'zh'%E4%B8%AD.xlsx`, '中.xlsx'],
    [`attachment; filename*=GBK''%D6%D0%CE%C4.xlsx`, '中文.xlsx'],
    [`attachment; filename*=none-such''%D6; filename=plain.txt`, 'plain.txt'],
    ['attachment; filename="opensmile-2.3.0.tar.gz";', 'opensmile-2.3.0.tar.gz'],
    ['attachment; filename=a b.txt;', 'a b.txt'],
    [String.raw`attachment; filename="a \"b\" c.txt"`, 'a "b" c.txt'],
    ['attachment; filename="caf\u00e9.txt"', 'café.txt'],
    ['filename=bare.txt', 'bare.txt'],
    ['form-data; name="x; filename=no.txt"; filename="yes.txt"', 'yes.txt'],
    ['inline', null],
  ])('%s', (header, name) => {
    expect(nameInDisposition(header, { isPercentEncoded: true })).toBe(name)
  })

  test('a name in a form keeps its percent signs', () => {
    expect(nameInDisposition('form-data; filename="a%20b.txt"', { isPercentEncoded: false })).toBe(
      'a%20b.txt',
    )
  })
})

test('the last segment of a URL is decoded as UTF-8, otherwise as GBK', () => {
  expect(decodeSegment('%E4%B8%AD%E6%96%87.txt')).toBe('中文.txt')
  expect(decodeSegment('%D6%D0%CE%C4.txt')).toBe('中文.txt')
  expect(decodeSegment('100%.txt')).toBe('100%.txt')
})
