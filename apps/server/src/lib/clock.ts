/** The server's clock; tests set it. */
export interface Clock {
  /** Epoch milliseconds, UTC. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

/** Epoch milliseconds as the wire's ISO 8601 with `Z`. */
export const toInstant = (ms: number): string => new Date(ms).toISOString()

export const toInstantOrNull = (ms: number | null): string | null => (ms === null ? null : toInstant(ms))
