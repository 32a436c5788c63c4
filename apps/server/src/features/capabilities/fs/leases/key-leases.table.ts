/** A lease on an object key, valid until `expires_at_ms`, renewed while its holder is alive. */
export interface KeyLeasesTable {
  storage_config_id: string
  /** A file's key, or a folder's without its slash: the two cannot share a name. */
  storage_key: string
  /** One run of the work. */
  holder: string
  /** What the work is; another run of the same takes over. */
  owner: string
  expires_at_ms: number
}
