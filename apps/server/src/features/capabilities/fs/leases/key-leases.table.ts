/** A lease on an object key, valid until `expires_at_ms` unless its holder renews it. */
export interface KeyLeasesTable {
  storage_config_id: string
  /** Key of a file, or key of a folder without its slash. A file and a folder cannot have the same name. */
  storage_key: string
  /** ID of one run of an operation. */
  holder: string
  /** ID of the operation. Another run of the same operation takes over its leases. */
  owner: string
  expires_at_ms: number
}
