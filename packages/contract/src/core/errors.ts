/** A kind of error: a stable code that clients translate, and its HTTP status. */
export interface ErrorSpec {
  readonly code: string
  readonly status: number
}

type Specs<Feature extends string, Statuses extends Record<string, number>> = {
  readonly [Reason in keyof Statuses & string]: {
    readonly code: `${Feature}.${Reason}`
    readonly status: number
  }
}

/**
 * Declares the errors of one feature.
 * @param feature prefix of every code.
 * @param statuses maps each reason to its HTTP status.
 * @returns maps each reason to an {@link ErrorSpec} with the code `feature.reason`.
 */
export function defineErrors<const Feature extends string, const Statuses extends Record<string, number>>(
  feature: Feature,
  statuses: Statuses,
): Specs<Feature, Statuses> {
  const entries = Object.entries(statuses).map(([reason, status]) => [
    reason,
    { code: `${feature}.${reason}`, status },
  ])
  return Object.fromEntries(entries)
}

/** Errors that any route can return. A route lists one of them only if its own handler returns it. */
export const requestErrors = defineErrors('request', {
  /** The body, query or path does not match the schema; `details` lists the mismatches, at most 20. */
  invalid: 400,
  /**
   * The request could not be read: malformed JSON, an incomplete body, a wrong length, or an unsupported media type.
   */
  refused: 400,
  /** The `Host` header is not a valid host name, or occurs more than once. */
  bad_host: 400,
  too_large: 413,
  /** The body arrived too slowly. */
  too_slow: 408,
  not_found: 404,
  /**
   * The resource is not the version in `If-Match` or `If-Unmodified-Since`. An upload also gets this error if
   * `If-None-Match` excludes the existing resource, or if the route cannot check conditions.
   */
  condition_failed: 412,
  /** Another request with this `Idempotency-Key` is still running. */
  idempotency_in_progress: 409,
  /** The `Idempotency-Key` was already used for a different request. */
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
})

/** An invalid field of a request. `path` is dotted, like `body.maxViews`. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** Reply of a failed call, except on routes that reply with text and on the network drive. */
export interface ErrorEnvelope {
  readonly code: number
  readonly message: string
  readonly success: false
  readonly data: null
  readonly error: {
    readonly code: string
    readonly requestId: string
    readonly details?: readonly ErrorDetail[]
  }
}
