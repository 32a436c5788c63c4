import { expect, test } from 'vitest'
import { VISITOR } from '../domains/offline/copies/identity.ts'
import { mayCacheFor, setIdentity } from './current-identity.ts'

test('nothing is kept for who has left, until they are back', () => {
  setIdentity('me')
  expect(mayCacheFor('me')).toBe(true)
  // The user has logged in, but no page has reported this yet.
  expect(mayCacheFor('somebody else')).toBe(true)
  setIdentity(VISITOR)
  expect(mayCacheFor('me')).toBe(false)
  expect(mayCacheFor(VISITOR)).toBe(true)
  setIdentity('me')
  expect(mayCacheFor('me')).toBe(true)
})
