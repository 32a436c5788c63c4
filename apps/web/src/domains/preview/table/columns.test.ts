import { expect, test } from 'vitest'
import { columnCount, columnName, columnWidths } from './columns.ts'

test('columns are named as spreadsheets do', () => {
  expect([0, 25, 26, 27, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA'])
})

test('a short column name in bold fits, also above narrow numbers', () => {
  const rows = [['Planned'], ['1']]
  expect(columnWidths(rows, 1)).toEqual([87])
})

test('columns are as wide as their content, within limits', () => {
  const rows = [
    ['a', '中文字符中文字符'],
    ['b', 'x', 'y'.repeat(500)],
  ]
  expect(columnCount(rows)).toBe(3)
  expect(columnWidths(rows, 3)).toEqual([64, 168, 320])
})
