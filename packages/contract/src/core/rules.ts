import { ADMIN_PASSWORD_MIN_LENGTH, FILENAME_MAX_BYTES, SLUG_MAX_LENGTH } from './limits.ts'

/** Messages of our own validation rules, which the server translates into each of its languages. */
export const rules = {
  noNul: 'must not contain NUL characters',
  oneLine: 'must be one line, without control characters',
  instant: 'must be an ISO 8601 date and time',
  keyExpiry: 'must be an ISO 8601 date and time or "never"',
  customKey: 'a custom key may hold only letters, digits, "-" and "_"',
  contentEmpty: 'content must not be empty',
  contentTooLarge: 'content is larger than 10 MB',
  filenameTooLong: `filename may have at most ${FILENAME_MAX_BYTES} bytes`,
  passwordTooShort: `must have at least ${ADMIN_PASSWORD_MIN_LENGTH} characters`,
  shareExpiry: 'must be a number of hours, or a time like 12h, 7d or 4w; a hundred years at most',
  mountStorageType: 'must be "S3"',
  slugCharacters: 'slug may hold only letters, digits, "-" and "_"',
  slugTooLong: `slug may have at most ${SLUG_MAX_LENGTH} characters`,
  slugReserved: 'slug is a reserved word',
  pin: 'must be 4 to 8 digits',
  queryText: 'must be text',
  queryTooShort: 'must have 2 characters or more',
  queryTooLong: 'must have 200 characters or fewer',
  idempotencyKey: 'must be 16 to 128 letters, digits, "-" and "_"',
  taskStates: 'must be states, separated by commas',
} as const

export type RuleWords = (typeof rules)[keyof typeof rules]
