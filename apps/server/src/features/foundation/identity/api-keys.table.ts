import type { Selectable } from 'kysely'

export interface ApiKeysTable {
  id: string
  name: string
  /** Keyed hash, to look up a presented key. */
  key_fingerprint: string
  /** The sealed API key; administrators can see it in full. */
  key_sealed: string
  text_permission: number
  file_permission: number
  mount_permission: number
  mount_read_only: number
  /** A virtual path in normal form; `/` means everything. */
  basic_path: string
  created_at_ms: number
  updated_at_ms: number
  /** `null` means never. */
  expires_at_ms: number | null
  last_used_at_ms: number | null
}

export type ApiKeyRow = Selectable<ApiKeysTable>
