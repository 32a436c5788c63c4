import { expect, test } from 'vitest'
import { VISITOR } from '../domains/offline/copies/identity.ts'
import { mayKeepFor, setIdentity } from './current-identity.ts'

test('nothing is kept for who has left, until they are back', () => {
  setIdentity('me')
  expect(mayKeepFor('me')).toBe(true)
  // A login that no page has reported yet.
  expect(mayKeepFor('somebody else')).toBe(true)
  setIdentity(VISITOR)
  expect(mayKeepFor('me')).toBe(false)
  expect(mayKeepFor(VISITOR)).toBe(true)
  setIdentity('me')
  expect(mayKeepFor('me')).toBe(true)
})
