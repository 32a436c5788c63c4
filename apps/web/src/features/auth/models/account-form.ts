import { ADMIN_PASSWORD_MIN_LENGTH } from '@dropleaf/contract'

/** Input for changing the administrator's account. A blank `newUsername` or `newPassword` changes nothing. */
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

/** Validates the account form; the server checks the rest. */
export function findAccountProblems(input: AccountChange): AccountProblems {
  const { currentPassword, newPassword, again } = input
  return {
    currentPassword: currentPassword === '' ? 'needCurrent' : null,
    newPassword: newPassword !== '' && newPassword.length < ADMIN_PASSWORD_MIN_LENGTH ? 'tooShort' : null,
    again: again === newPassword ? null : 'different',
  }
}

/** Whether anything is changed. */
export const hasChange = ({ newUsername, newPassword }: AccountChange): boolean =>
  newUsername.trim() !== '' || newPassword !== ''
