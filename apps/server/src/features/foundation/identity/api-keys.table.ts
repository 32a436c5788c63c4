import type { Selectable } from 'kysely'

export interface ApiKeysTable {
  id: string
  name: string
  /** Keyed hash for looking up a presented API key. */
  key_fingerprint: string
  /** The encrypted API key, which administrators can view in full. */
  key_sealed: string
  text_permission: number
  file_permission: number
  mount_permission: number
  mount_read_only: number
  /** A normalized virtual path; `/` means everything. */
  basic_path: string
  created_at_ms: number
  updated_at_ms: number
  /** Expiry; `null` if the key never expires. */
  expires_at_ms: number | null
  last_used_at_ms: number | null
}

export type ApiKeyRow = Selectable<ApiKeysTable>
