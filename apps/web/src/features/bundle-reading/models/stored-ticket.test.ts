// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { findTicket, forgetTicket, storeTicket } from './stored-ticket.ts'

afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

test('a ticket is kept for its bundle in this tab alone, and nothing else of the bundle', () => {
  const opened = { ticket: '2.99.abc', revision: 2, title: 'private' }
  storeTicket('trip', opened)
  expect(findTicket('trip')).toEqual({ ticket: '2.99.abc', revision: 2 })
  expect(findTicket('other')).toBeNull()
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('private')
  expect(localStorage).toHaveLength(0)
  forgetTicket('trip')
  expect(findTicket('trip')).toBeNull()
})

test('a malformed one counts as none', () => {
  for (const text of ['{', 'null', '{"ticket":1,"revision":2}', '[]']) {
    storeTicket('trip', { ticket: 't', revision: 1 })
    sessionStorage.setItem(Object.keys(sessionStorage)[0] ?? '', text)
    expect(findTicket('trip')).toBeNull()
  }
})

test('a blocked storage keeps it until the page is loaded again', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked)
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked)
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(blocked)
  storeTicket('trip', { ticket: 't', revision: 1 })
  expect(findTicket('trip')).toEqual({ ticket: 't', revision: 1 })
  forgetTicket('trip')
  expect(findTicket('trip')).toBeNull()
})
