import { expect, test } from 'vitest'
import { columnCount, columnName, columnWidths } from './columns.ts'

test('columns are named as spreadsheets do', () => {
  expect([0, 25, 26, 27, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA'])
})

test('a short name of a column has room in bold letters, also above narrow numbers', () => {
  const rows = [['Planned'], ['1']]
  expect(columnWidths(rows, 1)).toEqual([87])
})

test('columns are as wide as what they hold, within bounds', () => {
  const rows = [
    ['a', '中文字符中文字符'],
    ['b', 'x', 'y'.repeat(500)],
  ]
  expect(columnCount(rows)).toBe(3)
  expect(columnWidths(rows, 3)).toEqual([64, 168, 320])
})
