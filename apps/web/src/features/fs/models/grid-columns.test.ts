import { expect, test } from 'vitest'
import { columnsFor, laneWidthPx } from './grid-columns.ts'

test('columns fill the width', () => {
  expect(columnsFor({ widthPx: 1152, minWidthPx: 176, gapPx: 12, min: 2 })).toBe(6)
  expect(columnsFor({ widthPx: 328, minWidthPx: 176, gapPx: 12, min: 2 })).toBe(2)
  expect(laneWidthPx({ widthPx: 328, columns: 2, gapPx: 12 })).toBe(158)
  expect(laneWidthPx({ widthPx: 0, columns: 2, gapPx: 12 })).toBe(0)
})
