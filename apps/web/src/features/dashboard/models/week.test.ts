import { expect, test } from 'vitest'
import { busiestOf, daysOf, formatDay, scaleTop } from './week.ts'

const WEEK = {
  lastWeekDays: ['2030-01-01', '2030-01-02', '2030-01-03'],
  lastWeekPastes: [1, 2, 0],
  lastWeekFiles: [1, 0, 0],
}

test('days have their numbers and their sum; the last of the busiest days is named', () => {
  const days = daysOf(WEEK)
  expect(days[0]).toEqual({ date: '2030-01-01', texts: 1, files: 1, total: 2 })
  expect(busiestOf(days)?.date).toBe('2030-01-02')
  expect(busiestOf(daysOf({ ...WEEK, lastWeekPastes: [], lastWeekFiles: [] }))).toBeNull()
})

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [10, 10],
  [11, 20],
  [20, 20],
  [99, 100],
  [100, 100],
  [101, 200],
  [19_999, 20_000],
])('a scale for %d ends at %d', (max, top) => {
  expect(scaleTop(max)).toBe(top)
})

test('a day is the same in every time zone', () => {
  expect(formatDay('2030-01-31', 'en-US', { day: 'numeric', month: 'short' })).toBe('Jan 31')
})
