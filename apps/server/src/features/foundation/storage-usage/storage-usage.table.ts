/** Space reserved for a write in progress, until `expires_at_ms` or its end. */
export interface StorageReservationsTable {
  id: string
  storage_config_id: string
  size_bytes: number
  expires_at_ms: number
}
