export interface TicketsTable {
  token_hash: string
  kind: string
  /** JSON */
  payload: string
  expires_at_ms: number
}
