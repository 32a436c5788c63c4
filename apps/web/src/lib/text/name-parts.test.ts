import { expect, test } from 'vitest'
import { partsOfLongName, piecesOfName } from './name-parts.ts'

test.each([
  ['IMG_20260101_123456_holiday_2_final.txt', 'IMG_20260101_123456_holiday_2', '_final.txt'],
  ['a folder with a rather long name', 'a folder with a rather lon', 'g name'],
  ['二〇二六年第一季度市场部与销售部报告第三稿.docx', '二〇二六年第一季度市场部与销售部报告', '第三稿.docx'],
  ['项目总结与明年的计划.docx', '项目总结与明年', '的计划.docx'],
  ['a name with a dot. and more that is no kind', 'a name with a dot. and more that is n', 'o kind'],
  ['report דוח שנתי על הטיול לאגם.txt', 'report דוח שנתי על הטיול לאגם', '.txt'],
  ['דוח שנתי על הטיול לאגם 2026.txt', 'דוח שנתי על הטיול לאגם', ' 2026.txt'],
  ['تقرير الرحلة السنوية إلى البحيرة ٢٠٢٦.txt', 'تقرير الرحلة السنوية إلى البحيرة', ' ٢٠٢٦.txt'],
  ['دليل الرحلات السنوية إلى البحيرات.pdf', 'دليل الرحلات السنوية إلى البحيرات', '.pdf'],
  ['דוח שנתי של הקבוצה 3rd part.tar.gz', 'דוח שנתי של הקבוצה ', '3rd part.tar.gz'],
])('%s keeps its end', (name, start, end) => {
  expect(partsOfLongName(name)).toEqual([start, end])
})

test('combined characters are not separated', () => {
  const name = `${'a'.repeat(20)}👩‍👧2345.txt`
  expect(partsOfLongName(name)).toEqual(['a'.repeat(20), '👩‍👧2345.txt'])
})

test('a left-to-right run in a right-to-left name is shown completely or not at all', () => {
  const pieces = piecesOfName('דוח 2026-01 Annual Report v2 של הקבוצה 12.txt')
  expect(pieces.filter(({ isWhole }) => isWhole).map(({ text }) => text)).toEqual([
    '2026-01',
    'Annual Report v2',
    '12',
    'txt',
  ])
  expect(pieces.map(({ text }) => text).join('')).toBe('דוח 2026-01 Annual Report v2 של הקבוצה 12.txt')
  expect(piecesOfName('report 2026.txt')).toHaveLength(1)
})

test.each([
  'short.txt',
  'תמונה'.repeat(6),
  `${'a'.repeat(20)} ${'תמונה'.repeat(6)}.7z`,
  `invoice-of-last-january-\u202Efdp.exe`,
])('%j stays in one piece', (name) => {
  expect(partsOfLongName(name)).toBeNull()
})
