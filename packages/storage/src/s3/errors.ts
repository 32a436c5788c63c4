import { StorageError, type StorageErrorCode } from '../errors.ts'

/**
 * Error codes of S3 and compatible providers. Source: AWS S3 "Error responses", API/ErrorResponses.html, read
 * 2026-11-20.
 */
const CODES: Record<string, StorageErrorCode> = {
  NoSuchKey: 'storage.not_found',
  NotFound: 'storage.not_found',
  NoSuchUpload: 'storage.not_found',
  PreconditionFailed: 'storage.exists',
  ConditionalRequestConflict: 'storage.exists',
  AccessDenied: 'storage.denied',
  AllAccessDisabled: 'storage.denied',
  AccountProblem: 'storage.denied',
  AuthorizationHeaderMalformed: 'storage.denied',
  ExpiredToken: 'storage.denied',
  Forbidden: 'storage.denied',
  InvalidAccessKeyId: 'storage.denied',
  InvalidToken: 'storage.denied',
  RequestTimeTooSkewed: 'storage.denied',
  SignatureDoesNotMatch: 'storage.denied',
  Unauthorized: 'storage.denied',
  UserSuspended: 'storage.denied',
  EntityTooLarge: 'storage.too_large',
  IncompleteBody: 'storage.incomplete',
  InvalidPart: 'storage.invalid_part',
  InvalidPartOrder: 'storage.invalid_part',
  EntityTooSmall: 'storage.invalid_part',
  InvalidRange: 'storage.range',
  InvalidObjectName: 'storage.invalid_key',
  InvalidURI: 'storage.invalid_key',
  KeyTooLong: 'storage.invalid_key',
  KeyTooLongError: 'storage.invalid_key',
  XMinioInvalidObjectName: 'storage.invalid_key',
  QuotaExceeded: 'storage.full',
  StorageFull: 'storage.full',
  XMinioStorageFull: 'storage.full',
  NoSuchBucket: 'storage.bucket_missing',
}

/** Errors, keyed by status code, for responses without a body (HEAD) or with an unknown code. */
const STATUSES: Record<number, StorageErrorCode> = {
  401: 'storage.denied',
  403: 'storage.denied',
  404: 'storage.not_found',
  412: 'storage.exists',
  413: 'storage.too_large',
  414: 'storage.invalid_key',
  416: 'storage.range',
  507: 'storage.full',
}

/** Backblaze sends AccessDenied with this message when the cap of an account is reached. */
const FULL_MESSAGE = /storage cap|quota/i

/** Returns the status of the response behind an error; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const metadata = error.$metadata
  const hasStatus = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
  return hasStatus && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
}

/** Returns the S3 code, or the code of the failed system call. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? error.code : 'Code' in error ? error.Code : undefined
  return statusOf(error) === undefined && typeof code === 'string' ? code : error.name
}

/**
 * Converts a failure of the storage or of the connection to a `StorageError`. A `StorageError` is returned unchanged.
 * Unknown errors (timeouts, DNS, TLS, 5xx, SlowDown) become `storage.unavailable`.
 */
export function translate(error: unknown, what: string): StorageError {
  if (error instanceof StorageError) return error
  const name = nameOf(error)
  const code = codeOf(error, name)
  const status = statusOf(error)
  const told = error instanceof Error && error.message !== name ? `: ${error.message.slice(0, 200)}` : ''
  const answer = status === undefined ? name : `${name} (${status})`
  return new StorageError(code, `The storage failed to ${what}: ${answer}${told}`, { cause: error })
}

/** Like `translate`, for a request with a separate result for each key. */
export function translateCode(name: string, what: string): StorageError {
  return new StorageError(CODES[name] ?? 'storage.unavailable', `The storage failed to ${what}: ${name}.`)
}

function codeOf(error: unknown, name: string): StorageErrorCode {
  const byName = Object.hasOwn(CODES, name) ? CODES[name] : undefined
  const code = byName ?? STATUSES[statusOf(error) ?? 0] ?? 'storage.unavailable'
  const isFull = code === 'storage.denied' && error instanceof Error && FULL_MESSAGE.test(error.message)
  return isFull ? 'storage.full' : code
}
