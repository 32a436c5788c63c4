/** An upload in parts that only the process knows that carries it out; for when that one dies. */
export interface UnfinishedUploadsTable {
  id: string
  storage_config_id: string
  /** What the parts are to become. */
  storage_key: string
  /** Extended while the process works on it; after that the parts belong to nobody. */
  expires_at_ms: number
}
