import type { ErrorDetail, ErrorSpec } from '@dropleaf/contract'

/** Values that a message contains, such as sizes or a name. */
export type ErrorParams = Readonly<Record<string, string | number>>

export interface AppErrorOptions {
  readonly params?: ErrorParams
  readonly details?: readonly ErrorDetail[]
  /** Number of seconds until a retry is useful; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/**
 * A failure that is part of the contract. The error handler builds the envelope and chooses the message by language.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly spec: ErrorSpec
  readonly params: ErrorParams
  readonly details: readonly ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(spec: ErrorSpec, options: AppErrorOptions = {}) {
    super(spec.code, options.cause === undefined ? undefined : { cause: options.cause })
    this.spec = spec
    this.params = options.params ?? {}
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Returns the original error, even if the cleanup after it failed too. */
export const firstOf = (error: unknown): unknown =>
  error instanceof SuppressedError ? firstOf(error.suppressed) : error
