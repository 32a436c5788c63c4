import type { Generated, Selectable } from 'kysely'
import type { OpeningColumns } from '../../foundation/share-opening/share-opening.table.ts'

export interface FilesTable extends OpeningColumns {
  id: string
  slug: string
  /** The original name. */
  filename: string
  storage_config_id: string
  storage_key: string
  mimetype: string
  size_bytes: number
  etag: string | null
  /** SHA-256 of the bytes, hex, if they passed through the server. */
  sha256: string | null
  remark: string | null
  password_hash: string | null
  password_sealed: string | null
  expires_at_ms: number | null
  max_views: number | null
  views: number
  use_proxy: number
  purged_at_ms: number | null
  created_by: string | null
  created_at_ms: number
  updated_at_ms: number
  /** `null` while the upload is pending. */
  committed_at_ms: number | null
  /** `signed`: the client PUTs to a signed URL and commits. `streamed`: one request uploads and creates the share. */
  upload_kind: 'signed' | 'streamed'
  /** When a pending upload counts as abandoned. */
  upload_expires_at_ms: number | null
  /** The link suffix of the creator's other file, which this upload replaces at its commit. */
  takes_slug: string | null
  /** While a signed URL receives bytes: a lease; otherwise `null`. */
  receiving_until_ms: number | null
  last_view_at_ms: number | null
  /** 0 for a share of a file in a mount: deleting the share does not delete the file. */
  owns_object: Generated<number>
  /** Search text, folded by `searchText`. */
  search_text: Generated<string>
}

export type FileRow = Selectable<FilesTable>

export interface ObjectRemovalsTable {
  id: string
  storage_config_id: string
  storage_key: string
  attempts: number
  due_at_ms: number
}

export interface ViewGrantsTable {
  file_id: string
  client_hash: string
  /** Bytes of later ranges that the view still covers. */
  remaining_bytes: number
  expires_at_ms: number
}
