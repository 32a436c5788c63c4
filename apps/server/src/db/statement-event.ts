/** A statement that has ended: its text, in which no value stands. */
export interface StatementEvent {
  readonly sql: string
  readonly durationMs: number
  readonly error?: unknown
}
