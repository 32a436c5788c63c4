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
  admin_id: string
  created_at_ms: number
  expires_at_ms: number
}
