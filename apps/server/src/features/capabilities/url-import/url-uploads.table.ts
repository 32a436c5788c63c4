/** The multipart upload of a pending share or of a bundle's object, and the settings of the share. */
export interface UrlUploadsTable {
  file_id: string
  storage_config_id: string
  storage_key: string
  storage_upload_id: string
  /** JSON of the share settings, encrypted because it can contain a password and a PIN. */
  wishes_sealed: string
  created_at_ms: number
}
