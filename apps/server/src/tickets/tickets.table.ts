export interface TicketsTable {
  token_hash: string
  kind: string
  /** JSON of the ticket's payload. */
  payload: string
  expires_at_ms: number
}
