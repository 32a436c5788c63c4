import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTextDocument } from './text-document.ts'
import { followSettled } from './use-document-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const follow = (document: ReturnType<typeof createTextDocument>, known: string) => {
  const told: string[] = []
  const end = followSettled(document, { delayMs: 250, known, onText: (text) => told.push(text) })
  return { told, end }
}

test('a change between the first read and the subscription is not missed', () => {
  const document = createTextDocument('')
  const known = document.read()
  document.publish(() => 'a large paste')
  expect(follow(document, known).told).toEqual(['a large paste'])
})

test('of many changes the last one is reported after a pause', () => {
  const document = createTextDocument('old')
  const { told, end } = follow(document, 'old')
  expect(told).toEqual([])
  for (const text of ['a', 'ab', 'abc']) {
    document.publish(() => text)
    vi.advanceTimersByTime(200)
  }
  expect(told).toEqual([])
  vi.advanceTimersByTime(250)
  expect(told).toEqual(['abc'])
  document.publish(() => 'gone')
  end()
  vi.advanceTimersByTime(1000)
  expect(told).toEqual(['abc'])
})
