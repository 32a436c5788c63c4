// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WATCH_MS, watchRevision } from './watch-revision.ts'

let visibility: DocumentVisibilityState = 'visible'
const show = (next: DocumentVisibilityState) => {
  visibility = next
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function watch(answers: readonly (number | 'ended' | null)[], current = 3) {
  const left = [...answers]
  const ask = vi.fn<() => Promise<number | 'ended' | null>>(async () => left.shift() ?? null)
  const onNewer = vi.fn<(revision: number) => void>()
  return { ask, onNewer, stop: watchRevision({ revision: 3, current, ask, onNewer }) }
}

test('the revision is requested once a minute, and each newer one is reported once', async () => {
  const { ask, onNewer, stop } = watch([3, 4, 4, null, 5])
  await vi.advanceTimersByTimeAsync(WATCH_MS - 1)
  expect(ask).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ask).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(4 * WATCH_MS)
  expect(onNewer.mock.calls).toEqual([[4], [5]])
  stop()
  await vi.advanceTimersByTimeAsync(5 * WATCH_MS)
  expect(ask).toHaveBeenCalledTimes(5)
})

test('a hidden page sends no requests, and sends one immediately when it is visible again after a minute', async () => {
  const { ask, onNewer, stop } = watch([4])
  show('hidden')
  await vi.advanceTimersByTimeAsync(10 * WATCH_MS)
  expect(ask).not.toHaveBeenCalled()
  show('visible')
  await vi.advanceTimersByTimeAsync(0)
  expect(onNewer).toHaveBeenCalledExactlyOnceWith(4)
  show('hidden')
  show('visible')
  await vi.advanceTimersByTimeAsync(WATCH_MS - 1)
  expect(ask).toHaveBeenCalledTimes(1)
  stop()
})

test('a failed request is repeated after a minute', async () => {
  const onNewer = vi.fn<(revision: number) => void>()
  const ask = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue(9)
  const stop = watchRevision({ revision: 3, current: 3, ask, onNewer })
  await vi.advanceTimersByTimeAsync(2 * WATCH_MS)
  expect(onNewer).toHaveBeenCalledExactlyOnceWith(9)
  stop()
})

test('no request is sent after the bundle has ended', async () => {
  const { ask, onNewer } = watch(['ended', 9])
  await vi.advanceTimersByTimeAsync(10 * WATCH_MS)
  show('visible')
  await vi.advanceTimersByTimeAsync(WATCH_MS)
  expect(ask).toHaveBeenCalledTimes(1)
  expect(onNewer).not.toHaveBeenCalled()
})

test('a revision that is already newer at the start is reported immediately, and only once', async () => {
  const { onNewer, stop } = watch([4, 5], 4)
  expect(onNewer.mock.calls).toEqual([[4]])
  await vi.advanceTimersByTimeAsync(2 * WATCH_MS)
  expect(onNewer.mock.calls).toEqual([[4], [5]])
  stop()
})
