import { expect, test } from 'vitest'
import { datesFrom, percentOf, weekOf, weekStartMs } from './dashboard.models.ts'

test('a week starts at midnight six days before today, in the given time zone', () => {
  const start = Date.parse('2030-01-01T00:00:00Z')
  expect(weekStartMs(Date.parse('2030-01-07T00:00:00Z'), 0)).toBe(start)
  expect(weekStartMs(Date.parse('2030-01-07T23:59:59.999Z'), 0)).toBe(start)
  const hourMs = 3_600_000
  expect(weekStartMs(Date.parse('2030-01-07T16:00:00Z'), 8 * 60)).toBe(start + 16 * hourMs)
  expect(weekStartMs(Date.parse('2030-01-07T15:59:59Z'), 8 * 60)).toBe(start - 8 * hourMs)
  expect(weekStartMs(Date.parse('2030-01-08T04:59:59Z'), -5 * 60)).toBe(start + 5 * hourMs)
})

test('the dates are in the given time zone', () => {
  const dates = datesFrom(weekStartMs(Date.parse('2030-03-02T17:00:00Z'), 8 * 60), 8 * 60)
  expect(dates).toEqual([
    '2030-02-25',
    '2030-02-26',
    '2030-02-27',
    '2030-02-28',
    '2030-03-01',
    '2030-03-02',
    '2030-03-03',
  ])
})

test('each day has its number; times after the week have none', () => {
  const counts = [
    { day: 6, count: 3 },
    { day: 0, count: 1 },
    { day: 7, count: 9 },
  ]
  expect(weekOf(counts)).toEqual([1, 0, 0, 0, 0, 0, 3])
})

test.each([
  [0, null, 0],
  [5, 0, 0],
  [1, 3, 33],
  [999, 1000, 100],
  [2000, 1000, 100],
])('%d of %s bytes are %d percent', (used, total, percent) => {
  expect(percentOf(used, total)).toBe(percent)
})
