import type { Opening, SlugProblem } from '@dropleaf/contract'
import { findSlugProblem, MAX_VIEWS_LIMIT, PIN_PATTERN } from '@dropleaf/contract'

/** Lifetimes of a share in hours; 0 means unlimited. */
export const EXPIRY_HOURS = [1, 24, 168, 720, 0] as const
export type ExpiryHours = (typeof EXPIRY_HOURS)[number]

export const EXPIRY_WORDS = {
  1: 'common.expiry.hour1',
  24: 'common.expiry.day1',
  168: 'common.expiry.day7',
  720: 'common.expiry.day30',
  0: 'common.expiry.never',
} as const satisfies Record<ExpiryHours, string>

export type ExpiryChange = 'keep' | ExpiryHours
export type PasswordChange = 'keep' | 'set' | 'remove'

/**
 * How a new share opens. `auto` requires confirmation if there is a view limit. `burn` requires confirmation and allows
 * one view.
 */
export type OpeningChoice = Opening | 'auto' | 'burn'

/** Options of a share in the form. */
export interface ShareOptions {
  readonly remark: string
  readonly slug: string
  readonly password: string
  readonly expiryHours: ExpiryHours
  /** Text as typed by the user. */
  readonly maxViews: string
  readonly opening: OpeningChoice
  /** Blank means none. */
  readonly pin: string
}

export const NO_OPTIONS: ShareOptions = {
  remark: '',
  slug: '',
  password: '',
  expiryHours: 0,
  maxViews: '0',
  opening: 'auto',
  pin: '',
}

/** Parses the view limit. Blank is 0 (unlimited). Returns `null` if the text is invalid. */
export function parseMaxViews(text: string): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return 0
  if (!/^\d{1,10}$/.test(trimmed)) return null
  const value = Number(trimmed)
  return value <= MAX_VIEWS_LIMIT ? value : null
}

/** Returns the error of a typed slug, or `null`. Blank is valid, because the server then generates a slug. */
export const slugProblem = (text: string): SlugProblem | null =>
  text.trim() === '' ? null : findSlugProblem(text.trim())

/** Whether a typed PIN is valid. Blank means no PIN. */
export const isPinValid = (pin: string): boolean => pin === '' || PIN_PATTERN.test(pin)

export const areOptionsValid = ({ slug, maxViews, pin }: ShareOptions): boolean =>
  slugProblem(slug) === null && parseMaxViews(maxViews) !== null && isPinValid(pin)

/** Returns how a share with these options opens. A PIN always requires confirmation. */
export function openingOf({
  opening,
  maxViews,
  pin,
}: Pick<ShareOptions, 'opening' | 'maxViews' | 'pin'>): Opening {
  if (pin !== '' || opening === 'burn') return 'ask'
  if (opening !== 'auto') return opening
  return parseMaxViews(maxViews) ? 'ask' : 'direct'
}

/** The alphabet excludes characters that look alike. */
const PASSWORD_ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_LENGTH = 14

/** Generates a random password with about 81 bits of entropy. */
export function generatePassword(): string {
  const fair = 256 - (256 % PASSWORD_ALPHABET.length)
  let password = ''
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(PASSWORD_LENGTH))) {
      if (byte < fair && password.length < PASSWORD_LENGTH) {
        password += PASSWORD_ALPHABET[byte % PASSWORD_ALPHABET.length] ?? ''
      }
    }
  }
  return password
}
