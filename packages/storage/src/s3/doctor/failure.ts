import { statusOf } from '../errors.ts'
import type { DoctorCode } from './findings.ts'

/** Failure of one call, as reported by the storage or the network. */
export interface Failure {
  /** S3 code, system error code, or name of the error. */
  name: string
  message: string
  /** Null if there was no response. */
  status: number | null
  /** The correct region, if the storage names it. */
  region: string | null
}

const REGION_IN_MESSAGE = /expecting ['"]?([a-z0-9-]+)['"]?|should be ['"]([a-z0-9-]+)['"]/i

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * Returns the first error, because connecting to a name with several addresses fails with one error for each address.
 */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error
}

/** Converts an error of an SDK call or a plain request. */
export function failureOf(thrown: unknown): Failure {
  const error = firstOf(thrown)
  if (!(error instanceof Error)) return { name: 'unknown', message: '', status: null, region: null }
  const details = error as Error & Record<string, unknown>
  const response = details.$response as { headers?: Record<string, string>; statusCode?: number } | undefined
  const status = statusOf(error) ?? response?.statusCode ?? null
  const code = textOf(details.code) ?? textOf(details.Code)
  const isNamed = error.name !== 'Error' && error.name !== 'AggregateError'
  const name = status === null ? (code ?? error.name) : isNamed ? error.name : (code ?? error.name)
  const region =
    textOf(details.Region) ??
    textOf(response?.headers?.['x-amz-bucket-region']) ??
    REGION_IN_MESSAGE.exec(error.message)?.slice(1).find(Boolean) ??
    null
  return { name, message: error.message, status, region }
}

/** Reads the failure from a response, in XML or any other format. */
export function failureOfAnswer(answer: {
  status: number
  headers: Record<string, string>
  body: string
}): Failure {
  const tag = (name: string) => new RegExp(`<${name}>([^<]{1,500})</${name}>`).exec(answer.body)?.[1] ?? null
  return {
    name: tag('Code') ?? `HTTP ${answer.status}`,
    message: tag('Message') ?? '',
    status: answer.status,
    region: tag('Region') ?? answer.headers['x-amz-bucket-region'] ?? null,
  }
}

/**
 * S3 codes, codes of compatible providers, and network errors, all with a meaning that does not depend on the request.
 */
const CODES: Readonly<Record<string, DoctorCode>> = {
  InvalidAccessKeyId: 'access_key_unknown',
  InvalidSecurity: 'access_key_unknown',
  InvalidToken: 'access_key_unknown',
  Unauthorized: 'access_key_unknown',
  UserSuspended: 'access_key_unknown',
  SignatureDoesNotMatch: 'secret_wrong',
  NoSuchBucket: 'bucket_missing',
  InvalidBucketName: 'bucket_missing',
  AuthorizationHeaderMalformed: 'region_wrong',
  BucketRegionError: 'region_wrong',
  IllegalLocationConstraintException: 'region_wrong',
  InvalidRegionName: 'region_wrong',
  PermanentRedirect: 'region_wrong',
  TemporaryRedirect: 'region_wrong',
  RequestExpired: 'clock_skew',
  RequestTimeTooSkewed: 'clock_skew',
  SecondLevelDomainForbidden: 'style_wrong',
  AccessDenied: 'access_denied',
  AccountProblem: 'access_denied',
  AllAccessDisabled: 'access_denied',
  Forbidden: 'access_denied',
  InsufficientCapacity: 'storage_full',
  QuotaExceeded: 'storage_full',
  StorageFull: 'storage_full',
  XMinioStorageFull: 'storage_full',
  EAI_AGAIN: 'dns_failed',
  ENODATA: 'dns_failed',
  ENOTFOUND: 'dns_failed',
  EPROTO: 'tls_failed',
  AbortError: 'timeout',
  ETIMEDOUT: 'timeout',
  TimeoutError: 'timeout',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EPIPE: 'unreachable',
}

/** Matches error codes of OpenSSL and Node.js for certificates and handshakes. */
const TLS_ERROR =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/

/** Responses whose message is more specific than their code. */
const MESSAGES: readonly { words: RegExp; code: DoctorCode }[] = [
  { words: /storage cap|quota/i, code: 'storage_full' },
  { words: /virtual hosted style/i, code: 'style_wrong' },
  { words: /addressed using the specified endpoint/i, code: 'region_wrong' },
  {
    words: /access key (?:id )?(?:has length|is not valid|format)|malformed access key/i,
    code: 'access_key_unknown',
  },
]

/** Returns what a failure means by itself, or null if further tests are needed. */
export function diagnose(failure: Failure): DoctorCode | null {
  const { name, message, status } = failure
  const isUnclear = status !== null && !/^(?:NoSuch|Signature)/.test(name)
  const told = isUnclear ? MESSAGES.find(({ words }) => words.test(message)) : undefined
  if (name === 'SecondLevelDomainForbidden') return 'style_wrong'
  if (told) return told.code
  if (Object.hasOwn(CODES, name)) return CODES[name] ?? null
  if (TLS_ERROR.test(name)) return 'tls_failed'
  if (status === 301 || status === 307) return failure.region === null ? null : 'region_wrong'
  if (status === 401) return 'access_key_unknown'
  if (status === 403) return 'access_denied'
  if (status === 507) return 'storage_full'
  return status !== null && status >= 500 ? 'storage_failing' : null
}
