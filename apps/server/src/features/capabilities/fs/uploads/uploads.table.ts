import type { Selectable } from 'kysely'

/** An upload session, in parts or by one signed PUT. It outlives the process. */
export interface FsUploadsTable {
  /** The id that clients use, too. */
  id: string
  storage_config_id: string
  mount_id: string
  /** Key of the object; nothing is visible there before the commit. */
  storage_key: string
  /** The virtual path of the key. */
  path: string
  created_by: string
  kind: 'signed' | 'multipart'
  /** The storage's upload id; `null` if the bytes go to a staging key. */
  storage_upload_id: string | null
  content_type: string
  /** Announced size; `null` if unknown. */
  size_bytes: number | null
  part_size_bytes: number | null
  part_count: number | null
  /**
   * `completing`: the storage was asked to complete it; the object shows whether it did. Ended uploads are retained for
   * repeated calls.
   */
  state: 'open' | 'completing' | 'committed' | 'aborted'
  /** Etag of the object at the key when completing started. */
  replaced_etag: string | null
  /** Size of the committed object. */
  stored_size_bytes: number | null
  etag: string | null
  created_at_ms: number
  /** When it counts as abandoned, or once it has ended, is deleted. */
  expires_at_ms: number
}

export type FsUploadRow = Selectable<FsUploadsTable>
