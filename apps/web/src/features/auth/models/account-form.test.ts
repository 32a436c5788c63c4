import { expect, test } from 'vitest'
import { findAccountProblems, hasChange, NO_CHANGE } from './account-form.ts'

test.each([
  [{}, ['needCurrent']],
  [{ currentPassword: 'old', newUsername: 'chief' }, []],
  [{ currentPassword: 'old', newPassword: 'seven77', again: 'seven77' }, ['tooShort']],
  [{ currentPassword: 'old', newPassword: 'long enough', again: '' }, ['different']],
  [{ newUsername: 'chief', again: 'only the second' }, ['needCurrent', 'different']],
  [{ currentPassword: 'old', newPassword: 'long enough', again: 'long enough' }, []],
])('%o: %o', (input, problems) => {
  const found = Object.values(findAccountProblems({ ...NO_CHANGE, ...input }))
  expect(found.filter((problem) => problem !== null)).toEqual(problems)
})

test('blank fields and a repeated current password change nothing', () => {
  expect(hasChange({ ...NO_CHANGE, currentPassword: 'old', newUsername: '  ', again: 'x' })).toBe(false)
  expect(hasChange({ ...NO_CHANGE, newUsername: 'chief' })).toBe(true)
  expect(hasChange({ ...NO_CHANGE, newPassword: 'x' })).toBe(true)
})
