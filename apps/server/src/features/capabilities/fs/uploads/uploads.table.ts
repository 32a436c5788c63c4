import type { Selectable } from 'kysely'

/** An upload that the client carries out itself, part by part or in one signed PUT. It outlives the process. */
export interface FsUploadsTable {
  /** Also what clients know it by. */
  id: string
  storage_config_id: string
  mount_id: string
  /** Where the object will lie; nothing is seen there before the commit. */
  storage_key: string
  /** The same as a virtual path. */
  path: string
  created_by: string
  kind: 'signed' | 'multipart'
  /** The storage's own name of it; `null` where the bytes go to a staging key. */
  storage_upload_id: string | null
  content_type: string
  /** As announced; `null` when it was not. */
  size_bytes: number | null
  part_size_bytes: number | null
  part_count: number | null
  /**
   * `completing`: the storage was asked to complete it; the object shows whether it did. Ended uploads are retained for
   * repeated calls.
   */
  state: 'open' | 'completing' | 'committed' | 'aborted'
  /** Tag of the object that lay there when completing began. */
  replaced_etag: string | null
  /** What the commit made. */
  stored_size_bytes: number | null
  etag: string | null
  created_at_ms: number
  /** When it counts as abandoned; once it ended, when it is forgotten. */
  expires_at_ms: number
}

export type FsUploadRow = Selectable<FsUploadsTable>
