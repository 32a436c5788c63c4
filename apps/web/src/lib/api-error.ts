import type { ErrorDetail } from '@dropleaf/contract'

/** `queued` means that the change is stored on this device, and will be sent when the server is reachable. */
export type ApiErrorKind = 'http' | 'network' | 'timeout' | 'cancelled' | 'queued'

/** Codes of errors that do not come from the server: there was no response, or only the client can detect the error. */
export type ClientErrorCode =
  | 'client.network'
  | 'client.timeout'
  | 'client.cancelled'
  | 'client.queued'
  | 'client.bad_reply'
  | 'client.unauthorized'
  | 'client.session_expired'
  | 'client.key_invalid'
  | 'client.access_denied'
  | 'client.token_missing'
  | 'client.invalid_target'
  | 'client.unknown_provider'
  | 'client.not_text'
  | 'client.unknown'

/** The sent request, which is needed to interpret its response. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

interface ApiErrorFields {
  kind: ApiErrorKind
  code: string
  message: string
  status?: number
  details?: readonly ErrorDetail[]
  retryAfterSeconds?: number | null
  cause?: unknown
}

/**
 * A failed call. `code` is the contract's error code or a {@link ClientErrorCode}; `status` is 0 without a response.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind
  readonly code: string
  readonly status: number
  readonly details: readonly ErrorDetail[]
  readonly retryAfterSeconds: number | null

  constructor(fields: ApiErrorFields) {
    super(fields.message, { cause: fields.cause })
    this.kind = fields.kind
    this.code = fields.code
    this.status = fields.status ?? 0
    this.details = fields.details ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
  }
}

/** Whether a request failed because the browser is offline. */
export const isOffline = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'network' && !navigator.onLine

/** Whether a change was queued instead of rejected. */
export const isQueued = (error: unknown): boolean => error instanceof ApiError && error.kind === 'queued'

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code)
