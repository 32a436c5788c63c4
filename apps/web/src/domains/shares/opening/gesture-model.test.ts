import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Gesture, HOLD_MS } from './gesture-model.ts'

const WAIT_MS = 800
const TRUSTED = { isTrusted: true }
const FORGED = { isTrusted: false }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Options {
  readonly isActive?: () => boolean
  readonly answerMs?: number
  /** Error with which the server refuses an intent. */
  readonly refusal?: Error
}

/** Creates a gesture with a server that responds after `answerMs`. */
function start({ isActive = () => true, answerMs = 50, refusal }: Options = {}) {
  let asked = 0
  const opened: { intent: string; atMs: number }[] = []
  const failures: unknown[] = []
  const startMs = Date.now()
  let failure: Error | null = null
  const gesture = new Gesture({
    askIntent: async () => {
      asked += 1
      const token = `intent ${asked}`
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      if (refusal) throw refusal
      return { token, readyAtMs: Date.now() + WAIT_MS }
    },
    isActive,
    waitMs: WAIT_MS,
  })
  gesture.handle({
    open: async (intent) => {
      opened.push({ intent, atMs: Date.now() - startMs })
      if (failure) throw failure
    },
    onFailure: (error) => failures.push(error),
  })
  const failWith = (error: Error | null) => {
    failure = error
  }
  return { gesture, opened, failures, asked: () => asked, failWith, stage: () => gesture.view().stage }
}

describe('a pointer', () => {
  test('that holds the button opens the share once the intent counts', async () => {
    const { gesture, opened, stage } = start()
    gesture.press(TRUSTED)
    expect(stage()).toBe('holding')
    await vi.advanceTimersByTimeAsync(HOLD_MS)
    expect(stage()).toBe('opening')
    expect(opened).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    expect(opened).toEqual([{ intent: 'intent 1', atMs: 850 }])
  })

  test('that is lifted early or leaves opens nothing, and is told to hold', async () => {
    const { gesture, opened, asked } = start()
    for (const end of [() => gesture.lift(TRUSTED), () => gesture.leave()]) {
      gesture.press(TRUSTED)
      await vi.advanceTimersByTimeAsync(HOLD_MS - 1)
      end()
      expect(gesture.view()).toEqual({ stage: 'idle', isTooShort: true })
      await vi.advanceTimersByTimeAsync(5000)
    }
    expect(opened).toEqual([])
    // The second press uses the intent of the first press.
    expect(asked()).toBe(1)
  })

  test('that only clicks opens nothing', async () => {
    const { gesture, opened, asked } = start()
    gesture.click({ ...TRUSTED, isVirtual: false })
    await vi.advanceTimersByTimeAsync(5000)
    expect(gesture.view()).toEqual({ stage: 'idle', isTooShort: true })
    expect([opened, asked()]).toEqual([[], 0])
  })

  test('that a browser counts only when it is lifted opens the share then', async () => {
    let isActive = false
    const { gesture, opened, stage } = start({ isActive: () => isActive })
    gesture.press(TRUSTED)
    await vi.advanceTimersByTimeAsync(5000)
    expect(stage()).toBe('held')
    expect(opened).toEqual([])
    isActive = true
    gesture.lift(TRUSTED)
    await vi.advanceTimersByTimeAsync(0)
    expect(opened).toHaveLength(1)
  })
})

describe('a key', () => {
  test('opens the share with a second activation, after a moment', async () => {
    const { gesture, opened, stage } = start()
    gesture.click({ ...TRUSTED, isVirtual: true })
    gesture.confirm(TRUSTED)
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1)
    expect(stage()).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(stage()).toBe('confirming')
    gesture.confirm(TRUSTED)
    await vi.advanceTimersByTimeAsync(2000)
    expect(opened).toEqual([{ intent: 'intent 1', atMs: 850 }])
  })

  test('does not confirm without activation', async () => {
    const { gesture, opened } = start({ isActive: () => false })
    gesture.click({ ...TRUSTED, isVirtual: true })
    await vi.advanceTimersByTimeAsync(5000)
    gesture.confirm(TRUSTED)
    await vi.advanceTimersByTimeAsync(5000)
    expect(opened).toEqual([])
  })
})

test('events of a script do nothing', async () => {
  const { gesture, opened, asked } = start()
  gesture.press(FORGED)
  gesture.click({ ...FORGED, isVirtual: true })
  await vi.advanceTimersByTimeAsync(5000)
  expect(gesture.view()).toEqual({ stage: 'idle', isTooShort: false })
  gesture.click({ ...TRUSTED, isVirtual: true })
  await vi.advanceTimersByTimeAsync(WAIT_MS)
  gesture.confirm(FORGED)
  await vi.advanceTimersByTimeAsync(5000)
  expect([opened, asked()]).toEqual([[], 1])
})

test('after a failure, the next gesture has a new intent', async () => {
  const { gesture, opened, failures, failWith } = start()
  const failure = new Error('wrong')
  failWith(failure)
  gesture.press(TRUSTED)
  await vi.advanceTimersByTimeAsync(5000)
  expect(failures).toEqual([failure])
  gesture.lift(TRUSTED)
  gesture.click({ ...TRUSTED, isVirtual: false })
  expect(gesture.view()).toEqual({ stage: 'idle', isTooShort: false })
  failWith(null)
  gesture.press(TRUSTED)
  await vi.advanceTimersByTimeAsync(5000)
  expect(opened.map(({ intent }) => intent)).toEqual(['intent 1', 'intent 2'])
})

test('an intent that is too old is replaced', async () => {
  const { gesture, opened } = start()
  gesture.press(TRUSTED)
  gesture.leave()
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  gesture.press(TRUSTED)
  await vi.advanceTimersByTimeAsync(5000)
  expect(opened.map(({ intent }) => intent)).toEqual(['intent 2'])
})

describe('a refused intent is reported at once', () => {
  const refusal = new Error('automated')

  test('while a pointer holds; lifting it then is no short press', async () => {
    const { gesture, opened, failures } = start({ refusal })
    gesture.press(TRUSTED)
    await vi.advanceTimersByTimeAsync(50)
    expect(failures).toEqual([refusal])
    gesture.lift(TRUSTED)
    gesture.click({ ...TRUSTED, isVirtual: false })
    expect(gesture.view()).toEqual({ stage: 'idle', isTooShort: false })
    await vi.advanceTimersByTimeAsync(5000)
    expect([opened, failures]).toEqual([[], [refusal]])
  })

  test('while a key waits to confirm', async () => {
    const { gesture, failures, stage } = start({ refusal })
    gesture.click({ ...TRUSTED, isVirtual: true })
    await vi.advanceTimersByTimeAsync(5000)
    expect([stage(), failures]).toEqual(['idle', [refusal]])
  })

  test('once, also if the hold is complete before the answer', async () => {
    const { gesture, failures } = start({ refusal, answerMs: 2000 })
    gesture.press(TRUSTED)
    await vi.advanceTimersByTimeAsync(5000)
    expect(failures).toEqual([refusal])
  })
})
