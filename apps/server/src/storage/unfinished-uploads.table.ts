/**
 * A multipart upload of one process. It is recorded so that another process can clean it up if the first process dies.
 */
export interface UnfinishedUploadsTable {
  id: string
  storage_config_id: string
  /** Key of the object that the parts will form. */
  storage_key: string
  /**
   * End of the lease, which the process extends while it works. After the end of the lease, the parts are abandoned.
   */
  expires_at_ms: number
}
