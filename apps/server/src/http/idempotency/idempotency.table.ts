/** A request that named itself by an `Idempotency-Key`. */
export interface IdempotentRequestsTable {
  /** Of the key and of who sent it. */
  key_hash: string
  /** Of what was asked: the same key for something else is a mistake of its sender. */
  fingerprint: string
  started_at_ms: number
  /** `null` while the request is worked on. */
  status: number | null
  /** The JSON that was answered. */
  answer: string | null
}
