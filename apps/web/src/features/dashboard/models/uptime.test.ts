import { expect, test } from 'vitest'
import { formatUptime } from './uptime.ts'

test.each([
  [0, '0 seconds'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [3599, '59 minutes 59 seconds'],
  [3 * 86_400 + 4 * 3600 + 59 * 60, '3 days 4 hours'],
  [86_400 + 59, '1 day'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatUptime(seconds, 'en-US')).toBe(words)
})
