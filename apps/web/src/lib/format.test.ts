import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../locales/languages.ts'
import {
  formatByteLimit,
  formatBytes,
  formatDateTime,
  formatNumber,
  formatPercent,
  formatRelative,
  formatSpan,
} from './format.ts'

test('sizes use base 1024 and at most two decimals', () => {
  expect(formatBytes(0, 'en-US')).toBe('0 B')
  expect(formatBytes(-5, 'en-US')).toBe('0 B')
  expect(formatBytes(0.5, 'en-US')).toBe('0.5 B')
  expect(formatBytes(1023, 'en-US')).toBe('1,023 B')
  expect(formatBytes(1536, 'en-US')).toBe('1.5 KB')
  expect(formatBytes(1024 ** 3 * 1.234, 'zh-CN')).toBe('1.23 GB')
  expect(formatBytes(1024 ** 5, 'en-US')).toBe('1,024 TB')
  expect(formatBytes(5 * 1024 ** 4 - 5 * 1024 ** 3, 'en-US')).toBe('5 TB')
  expect(formatByteLimit(5 * 1024 ** 4 - 5 * 1024 ** 3, 'en-US')).toBe('4.99 TB')
  expect(formatByteLimit(100 * 1024 ** 2, 'en-US')).toBe('100 MB')
  expect(formatByteLimit(1, 'en-US')).toBe('1 B')
})

test('whole numbers are grouped by the language, and small ones are written as they are', () => {
  expect([0, 999, 1000, 1234567, -5, 1.5].map((value) => formatNumber(value, 'en-US'))).toEqual([
    '0',
    '999',
    '1,000',
    '1,234,567',
    '-5',
    '1.5',
  ])
  for (const { code, plainBelow } of LANGUAGES) {
    const format = new Intl.NumberFormat(code)
    for (let value = 0; value < plainBelow; value += 1) expect(format.format(value)).toBe(String(value))
  }
})

test('shares of a whole are rounded to what is asked for', () => {
  expect([formatPercent(0.426, 'en-US'), formatPercent(0.0042, 'zh-CN', 1)]).toEqual(['43%', '0.4%'])
})

describe('distance from now', () => {
  const nowMs = Date.UTC(2030, 0, 1)
  const after = (ms: number, locale = 'en-US') => formatRelative(nowMs + ms, locale, { nowMs })
  test('is told in the largest whole unit', () => {
    expect(after(3_600_000 - 5000)).toBe('in 1 hour')
    expect(after(7 * 86_400_000)).toBe('in 1 week')
    expect(after(6 * 86_400_000)).toBe('in 6 days')
    expect(after(-2 * 86_400_000)).toBe('2 days ago')
    expect(after(-45_000)).toBe('just now')
    expect(after(20_000)).toBe('now')
    expect(after(400 * 86_400_000)).toBe('in 1 year')
  })
  test('follows the language', () => {
    expect(after(3 * 3_600_000, 'zh-CN')).toBe('3 小时后')
    expect(after(-60_000, 'zh-CN')).toBe('1 分钟前')
    expect(after(-5000, 'zh-CN')).toBe('刚刚')
  })
})

test('spans are words of the language', () => {
  expect(formatSpan(1, 'en-US')).toBe('1 second')
  expect(formatSpan(42, 'en-US')).toBe('42 seconds')
  expect(formatSpan(600, 'en-US')).toBe('10 minutes')
  expect(formatSpan(86_400, 'zh-CN')).toBe('24 小时')
})

test('dates are told to the minute with 24 hours', () => {
  expect(formatDateTime('2030-01-31T12:05:00', 'zh-CN')).toBe('2030/01/31 12:05')
  expect(formatDateTime('2030-01-31T00:05:00', 'en-US')).toBe('Jan 31, 2030, 00:05')
})
