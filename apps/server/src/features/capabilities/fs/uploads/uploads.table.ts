import type { Selectable } from 'kysely'

/** An upload session, in parts or by one signed PUT. */
export interface FsUploadsTable {
  /** ID of the upload in the API. Not the storage's upload ID. */
  id: string
  storage_config_id: string
  mount_id: string
  /** Key of the file. Before the commit, no object with the uploaded bytes is visible under this key. */
  storage_key: string
  /** The virtual path of the key. */
  path: string
  created_by: string
  kind: 'signed' | 'multipart'
  /** The storage's upload ID; `null` if the bytes are stored under a staging key. */
  storage_upload_id: string | null
  content_type: string
  /** Announced size; `null` if unknown. */
  size_bytes: number | null
  part_size_bytes: number | null
  part_count: number | null
  /**
   * `completing`: the server has requested the storage to complete the upload, and has not recorded the outcome yet.
   * Rows of ended uploads are retained for repeated calls.
   */
  state: 'open' | 'completing' | 'committed' | 'aborted'
  /** Etag of the object at the key when the completion started. */
  replaced_etag: string | null
  /** Size of the joined object. Set when the completion starts, and again by the commit. */
  stored_size_bytes: number | null
  etag: string | null
  created_at_ms: number
  /** Time at which an open upload expires, or at which the row of an ended upload is deleted. */
  expires_at_ms: number
}

export type FsUploadRow = Selectable<FsUploadsTable>
