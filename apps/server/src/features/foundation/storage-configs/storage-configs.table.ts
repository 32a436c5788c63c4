import type { Selectable } from 'kysely'

export interface StorageConfigsTable {
  id: string
  name: string
  provider_type: string
  /** URL of the endpoint; empty for a local disk. */
  endpoint_url: string
  /** Name of the bucket, or of a local disk's folder below the data folder. */
  bucket_name: string
  region: string
  access_key_id_sealed: string | null
  secret_access_key_sealed: string | null
  path_style: number
  default_folder: string
  /** Whether API keys can use the storage. */
  is_public: number
  is_default: number
  /** Capacity of the storage; `null` means unlimited. */
  total_storage_bytes: number | null
  custom_host: string | null
  signature_expires_in: number
  last_used_at_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

export type StorageConfigRow = Selectable<StorageConfigsTable>
