import { expect, test } from 'vitest'
import { partsOfLongName } from './name-parts.ts'

test.each([
  ['IMG_20260101_123456_holiday_2_final.txt', 'IMG_20260101_123456_holiday_2', '_final.txt'],
  ['a folder with a rather long name', 'a folder with a rather lon', 'g name'],
  ['二〇二六年第一季度市场部与销售部报告第三稿.docx', '二〇二六年第一季度市场部与销售', '部报告第三稿.docx'],
  ['a name with a dot. and more that is no kind', 'a name with a dot. and more that is n', 'o kind'],
])('%s keeps its end', (name, start, end) => {
  expect(partsOfLongName(name)).toEqual([start, end])
})

test('what belongs to one letter is not parted', () => {
  const name = `${'a'.repeat(20)}👩‍👧2345.txt`
  expect(partsOfLongName(name)).toEqual(['a'.repeat(20), '👩‍👧2345.txt'])
})

test.each(['short.txt', `${'תמונה'.repeat(6)}.txt`, `invoice-of-last-january-\u202Efdp.exe`])(
  '%j stays in one piece',
  (name) => {
    expect(partsOfLongName(name)).toBeNull()
  },
)
