import type { Selectable } from 'kysely'

export interface MountsTable {
  id: string
  name: string
  storage_type: string
  storage_config_id: string | null
  /** A normalized virtual path, never `/`. */
  mount_path: string
  remark: string | null
  is_active: number
  created_by: string
  sort_order: number
  cache_ttl: number
  last_used_at_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

export type MountRow = Selectable<MountsTable>
