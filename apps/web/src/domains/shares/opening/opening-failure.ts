import type { OpeningState } from '@dropleaf/contract'
import { hasCode } from '../../../lib/api-error.ts'

const PIN_PATTERN = /^\d{4,8}$/
const PASSWORD_ERRORS = ['password_wrong', 'password_missing'].flatMap((end) => [
  `paste.${end}`,
  `file.${end}`,
  `bundle.${end}`,
])
const PIN_ERRORS = ['share.pin_wrong', 'share.pin_missing']
const ENDS = ['not_found', 'expired', 'used_up'].flatMap((end) => [
  `paste.${end}`,
  `file.${end}`,
  `bundle.${end}`,
])

type Needs = Pick<OpeningState, 'requires_password' | 'requires_pin'>

/**
 * For `password` and `pin`, the field shows the error. `needs` means that the owner has added a password or PIN after
 * the page was loaded. The page must then request the state of the share again to show the field.
 */
type OpeningFailure = 'ended' | 'password' | 'pin' | 'needs' | 'other'

/** Classifies a failed opening for a page that shows the fields of `state`. */
export function failureOf(error: unknown, state: Needs): OpeningFailure {
  if (hasCode(error, ...ENDS)) return 'ended'
  if (hasCode(error, ...PASSWORD_ERRORS)) return state.requires_password ? 'password' : 'needs'
  if (hasCode(error, ...PIN_ERRORS)) return state.requires_pin ? 'pin' : 'needs'
  return 'other'
}

/**
 * Returns the first field that is not filled in, or `null`. An incomplete PIN counts as not filled in, because the
 * server would count it as a wrong guess.
 */
export function missingKey(
  { password, pin }: { readonly password: string; readonly pin: string },
  state: Needs,
): 'password' | 'pin' | 'unfinishedPin' | null {
  if (state.requires_password && password === '') return 'password'
  if (!state.requires_pin || PIN_PATTERN.test(pin)) return null
  return pin === '' ? 'pin' : 'unfinishedPin'
}
