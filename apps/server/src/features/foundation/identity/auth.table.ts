export interface AdminsTable {
  id: string
  username: string
  password_hash: string
  created_at_ms: number
  updated_at_ms: number
}

export interface AdminSessionsTable {
  /** SHA-256 of the token, hex. The token itself is not stored. */
  token_hash: string
  /** Identifies the session in lists. */
  id: string
  admin_id: string
  created_at_ms: number
  expires_at_ms: number
  /** Updated occasionally. */
  last_used_at_ms: number | null
  /** Network of the last use, not the full address. */
  address: string | null
  user_agent: string | null
}
