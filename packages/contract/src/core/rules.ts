import { ADMIN_PASSWORD_MIN_LENGTH, FILENAME_MAX_BYTES, SLUG_MAX_LENGTH } from './limits.ts'

/** Messages of custom validation rules. The server translates them. */
export const rules = {
  noNul: 'must not contain NUL characters',
  oneLine: 'must be a single line without control characters',
  instant: 'must be an ISO 8601 date and time',
  keyExpiry: 'must be an ISO 8601 date and time or "never"',
  customKey: 'a custom key can contain only letters, digits, "-" and "_"',
  contentEmpty: 'content must not be empty',
  contentTooLarge: 'content is larger than 10 MB',
  filenameTooLong: `filename must have at most ${FILENAME_MAX_BYTES} bytes`,
  passwordTooShort: `must have at least ${ADMIN_PASSWORD_MIN_LENGTH} characters`,
  shareExpiry: 'must be a number of hours, or a time like 12h, 7d or 4w, and at most a hundred years',
  mountStorageType: 'must be "S3"',
  slugCharacters: 'slug can contain only letters, digits, "-" and "_"',
  slugTooLong: `slug must have at most ${SLUG_MAX_LENGTH} characters`,
  slugReserved: 'slug is a reserved word',
  pin: 'must be 4 to 8 digits',
  queryText: 'must be text',
  queryTooShort: 'must have at least 2 characters',
  queryTooLong: 'must have at most 200 characters',
  sealSalt: 'must be 16 bytes in base64url',
  sealKey: 'must be 32 bytes in base64url',
  base64: 'must be base64',
  idempotencyKey: 'must have 16 to 128 letters, digits, "-" and "_"',
  taskStates: 'must be a list of states, separated by commas',
} as const

export type RuleWords = (typeof rules)[keyof typeof rules]
