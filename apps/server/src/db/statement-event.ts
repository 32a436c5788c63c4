/** A finished statement. Its text contains no values. */
export interface StatementEvent {
  readonly sql: string
  readonly durationMs: number
  readonly error?: unknown
}
