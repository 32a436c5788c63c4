/** A multipart upload that only one process knows about, recorded in case that process dies. */
export interface UnfinishedUploadsTable {
  id: string
  storage_config_id: string
  /** Key of the object that the parts will form. */
  storage_key: string
  /** End of the lease, which the process extends while it works. After that the parts are abandoned. */
  expires_at_ms: number
}
