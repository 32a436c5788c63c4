/** The server's clock. Tests set the time. */
export interface Clock {
  /** Returns the current time in epoch milliseconds, UTC. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

/** Formats epoch milliseconds as ISO 8601 with `Z`, the form in the API. */
export const toInstant = (ms: number): string => new Date(ms).toISOString()

export const toInstantOrNull = (ms: number | null): string | null => (ms === null ? null : toInstant(ms))
