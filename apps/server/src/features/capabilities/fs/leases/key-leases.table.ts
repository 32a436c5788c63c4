/** A lease on an object key, valid until `expires_at_ms`, renewed while its holder is alive. */
export interface KeyLeasesTable {
  storage_config_id: string
  /** A file's key, or a folder's without its slash: the two cannot have the same name. */
  storage_key: string
  /** One run of a piece of work. */
  holder: string
  /** The piece of work; another run of it takes the lease over. */
  owner: string
  expires_at_ms: number
}
