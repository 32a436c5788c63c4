export interface AdminsTable {
  id: string
  username: string
  password_hash: string
  created_at_ms: number
  updated_at_ms: number
}

export interface AdminSessionsTable {
  /** SHA-256 of the token, hex. The token itself is stored nowhere. */
  token_hash: string
  /** Names the session in lists. */
  id: string
  admin_id: string
  created_at_ms: number
  expires_at_ms: number
  /** Written now and then. */
  last_used_at_ms: number | null
  /** Where it was last used from: the network, not the address. */
  address: string | null
  user_agent: string | null
}
