/** The multipart upload of a pending share, and what its sharer wants of it. */
export interface UrlUploadsTable {
  file_id: string
  storage_config_id: string
  storage_key: string
  storage_upload_id: string
  /** JSON of the wishes, sealed: a password is among them. */
  wishes_sealed: string
  created_at_ms: number
}
