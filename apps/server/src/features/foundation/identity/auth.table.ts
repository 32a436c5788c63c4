export interface AdminsTable {
  id: string
  username: string
  password_hash: string
  created_at_ms: number
  updated_at_ms: number
}

export interface AdminSessionsTable {
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  token_hash: string
  id: string
  admin_id: string
  created_at_ms: number
  expires_at_ms: number
  last_used_at_ms: number | null
  /** Network (not the full address) of the client that last used the session. */
  address: string | null
  user_agent: string | null
}
