import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearNotices, getNotices, holdNotices, notify } from './notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  holdNotices(false)
  clearNotices('none of them')
  vi.useRealTimers()
})

const texts = () => getNotices().map(({ text }) => text)

test('a notice disappears automatically after a while', () => {
  notify('success', 'Saved')
  vi.advanceTimersByTime(2999)
  expect(texts()).toEqual(['Saved'])
  vi.advanceTimersByTime(1)
  expect(texts()).toEqual([])
})

test('no notice disappears while notices have the focus or pointer, or immediately afterwards', () => {
  notify('success', 'Deleted')
  holdNotices(true)
  vi.advanceTimersByTime(60_000)
  expect(texts()).toEqual(['Deleted'])
  holdNotices(false)
  vi.advanceTimersByTime(1999)
  expect(texts()).toEqual(['Deleted'])
  holdNotices(true)
  vi.advanceTimersByTime(60_000)
  expect(texts()).toEqual(['Deleted'])
  holdNotices(false)
  vi.advanceTimersByTime(2000)
  expect(texts()).toEqual([])
})
