/** Space reserved for a running write, until the write ends or `expires_at_ms` passes. */
export interface StorageReservationsTable {
  id: string
  storage_config_id: string
  size_bytes: number
  expires_at_ms: number
}
