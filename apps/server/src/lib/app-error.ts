import type { ErrorDetail, ErrorSpec } from '@dropleaf/contract'

/** Figures that a message names, such as sizes or a name. */
export type ErrorParams = Readonly<Record<string, string | number>>

export interface AppErrorOptions {
  readonly params?: ErrorParams
  readonly details?: readonly ErrorDetail[]
  /** Seconds until another try makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** A failure that is part of the contract. The handler turns it into the envelope; its text is chosen there, by language. */
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

/** What went wrong first, where giving back what was held has failed after it. */
export const firstOf = (error: unknown): unknown =>
  error instanceof SuppressedError ? firstOf(error.suppressed) : error
