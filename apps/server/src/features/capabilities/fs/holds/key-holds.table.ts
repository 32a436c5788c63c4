/** A name in a storage that someone has to himself until `expires_at_ms`, which he puts off while he lives. */
export interface KeyHoldsTable {
  storage_config_id: string
  /** A file's key, or a folder's without its slash: the two cannot share a name. */
  storage_key: string
  /** One run of the work. */
  holder: string
  /** What the work is; another run of the same takes over. */
  owner: string
  expires_at_ms: number
}
