/** A request with an `Idempotency-Key`. */
export interface IdempotentRequestsTable {
  /** Hash of the key and its sender. */
  key_hash: string
  /** Hash of the request. Reusing the key for another request is a client error. */
  fingerprint: string
  started_at_ms: number
  /** Status of the response; `null` while the request runs. */
  status: number | null
  /** JSON of the response. */
  answer: string | null
}
