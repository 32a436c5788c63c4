import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../lib/api-error.ts'
import { failureOf, missingKey } from './opening-failure.ts'

const errorOf = (code: string) => new ApiError({ kind: 'http', status: 401, code, message: '' })
const OPEN = { requires_password: false, requires_pin: false }
const LOCKED = { requires_password: true, requires_pin: true }

describe('a refused key', () => {
  test('is shown by its field', () => {
    for (const kind of ['paste', 'file', 'bundle'])
      for (const code of [`${kind}.password_missing`, `${kind}.password_wrong`])
        expect(failureOf(errorOf(code), LOCKED)).toBe('password')
    expect(failureOf(errorOf('share.pin_wrong'), LOCKED)).toBe('pin')
  })

  test('that the page has no field for makes it ask what the share needs', () => {
    for (const kind of ['paste', 'file', 'bundle'])
      expect(failureOf(errorOf(`${kind}.password_missing`), OPEN)).toBe('needs')
    expect(failureOf(errorOf('share.pin_missing'), OPEN)).toBe('needs')
    expect(failureOf(errorOf('share.pin_missing'), { ...OPEN, requires_password: true })).toBe('needs')
    expect(failureOf(errorOf('paste.password_missing'), { ...OPEN, requires_pin: true })).toBe('needs')
  })
})

test('a share that has ended and other failures concern no key', () => {
  expect(failureOf(errorOf('file.used_up'), OPEN)).toBe('ended')
  expect(failureOf(errorOf('share.automated'), OPEN)).toBe('other')
  expect(failureOf(new Error('broken'), LOCKED)).toBe('other')
})

test('an unfinished PIN is not sent', () => {
  const typed = (pin: string, password = 'secret') => missingKey({ password, pin }, LOCKED)
  expect(typed('')).toBe('pin')
  expect(typed('123')).toBe('unfinishedPin')
  expect(typed('1234')).toBeNull()
  expect(typed('12345678')).toBeNull()
  expect(typed('123', '')).toBe('password')
  expect(missingKey({ password: '', pin: '1' }, OPEN)).toBeNull()
})
