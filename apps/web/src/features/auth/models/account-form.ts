import { ADMIN_PASSWORD_MIN_LENGTH } from '@dropleaf/contract'

/** What is typed to change the administrator's account. Blank: stays as it is. */
export interface AccountChange extends Record<string, unknown> {
  readonly currentPassword: string
  readonly newUsername: string
  readonly newPassword: string
  readonly again: string
}

export const NO_CHANGE: AccountChange = { currentPassword: '', newUsername: '', newPassword: '', again: '' }

export interface AccountProblems {
  readonly currentPassword: 'needCurrent' | null
  readonly newPassword: 'tooShort' | null
  readonly again: 'different' | null
}

/** What the rules for the account say against the input; the server says the rest. */
export function findAccountProblems(input: AccountChange): AccountProblems {
  const { currentPassword, newPassword, again } = input
  return {
    currentPassword: currentPassword === '' ? 'needCurrent' : null,
    newPassword: newPassword !== '' && newPassword.length < ADMIN_PASSWORD_MIN_LENGTH ? 'tooShort' : null,
    again: again === newPassword ? null : 'different',
  }
}

/** Something is to become different. */
export const hasChange = ({ newUsername, newPassword }: AccountChange): boolean =>
  newUsername.trim() !== '' || newPassword !== ''
