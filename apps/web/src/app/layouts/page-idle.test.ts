// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteDrawing } from '../../domains/markdown/render/load.ts'
import { pageIsIdle } from './page-idle.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // The browser is always idle in these tests, as between the rendering of two pieces of a text.
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => setTimeout(callback, 0))
  vi.spyOn(document, 'readyState', 'get').mockReturnValue('complete')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a page without a long text counts as idle as soon as the browser is idle', async () => {
  const rested = vi.fn<() => void>()
  void pageIsIdle().then(rested)
  await vi.advanceTimersByTimeAsync(10)
  expect(rested).toHaveBeenCalledOnce()
})

test('a long text is rendered completely before the page counts as idle', async () => {
  const rested = vi.fn<() => void>()
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  noteDrawing(first.promise)
  void pageIsIdle().then(rested)
  await vi.advanceTimersByTimeAsync(1000)
  noteDrawing(second.promise)
  first.resolve()
  await vi.advanceTimersByTimeAsync(1000)
  expect(rested).not.toHaveBeenCalled()
  second.reject(new Error('It could not be drawn.'))
  await vi.advanceTimersByTimeAsync(10)
  expect(rested).toHaveBeenCalledOnce()
})

test('waiting for a slow text has a time limit', async () => {
  const rested = vi.fn<() => void>()
  noteDrawing(new Promise(() => undefined))
  void pageIsIdle().then(rested)
  await vi.advanceTimersByTimeAsync(2900)
  expect(rested).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(rested).toHaveBeenCalledOnce()
})
