// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDraft } from './draft.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('a draft is saved one second after the last change and read again', () => {
  const draft = createDraft({ key: () => 'd', isValid: isText })
  draft.save(() => 'first')
  vi.advanceTimersByTime(900)
  draft.save(() => 'second')
  vi.advanceTimersByTime(900)
  expect(draft.read()).toBeNull()
  vi.advanceTimersByTime(100)
  expect(draft.read()).toBe('second')
})

test('leaving the page saves immediately, and clearing discards a pending save', () => {
  const draft = createDraft({ key: () => 'd', isValid: isText })
  draft.save(() => 'text')
  draft.flush()
  expect(draft.read()).toBe('text')
  draft.save(() => 'more')
  draft.clear()
  vi.advanceTimersByTime(2000)
  expect(draft.read()).toBeNull()
})

test('an emptied text leaves no draft, and invalid stored values are ignored', () => {
  localStorage.setItem('d', '{"old":1}')
  const draft = createDraft({ key: () => 'd', isValid: isText })
  expect(draft.read()).toBeNull()
  draft.save(() => null)
  draft.flush()
  expect(localStorage.getItem('d')).toBeNull()
})

test('a full storage is reported', () => {
  const onSaved = vi.fn<(hasRoom: boolean) => void>()
  const draft = createDraft({ key: () => 'd', isValid: isText, onSaved })
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  draft.save(() => 'text')
  draft.flush()
  expect(onSaved).toHaveBeenCalledWith(false)
})
