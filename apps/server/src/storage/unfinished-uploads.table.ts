/** A multipart upload that only the process that performs it knows, recorded in case that process dies. */
export interface UnfinishedUploadsTable {
  id: string
  storage_config_id: string
  /** Key of the object that the parts will form. */
  storage_key: string
  /** Lease, extended while the process is at work; afterwards the parts are abandoned. */
  expires_at_ms: number
}
