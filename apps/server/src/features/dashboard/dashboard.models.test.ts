import { expect, test } from 'vitest'
import { countByDay, percentOf, weekStartMs } from './dashboard.models.ts'

test('a week starts at midnight UTC six days before today', () => {
  const start = Date.parse('2030-01-01T00:00:00Z')
  expect(weekStartMs(Date.parse('2030-01-07T00:00:00Z'))).toBe(start)
  expect(weekStartMs(Date.parse('2030-01-07T23:59:59.999Z'))).toBe(start)
})

test('instants fall on their UTC day; those before and after the week on none', () => {
  const start = Date.parse('2030-01-01T00:00:00Z')
  const at = (text: string) => Date.parse(`${text}Z`)
  expect(
    countByDay(
      [
        at('2029-12-31T23:59:59.999'),
        at('2030-01-01T00:00:00'),
        at('2030-01-01T23:59:59.999'),
        at('2030-01-07T23:59:59.999'),
        at('2030-01-08T00:00:00'),
      ],
      start,
    ),
  ).toEqual([2, 0, 0, 0, 0, 0, 1])
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
