import type { Generated, Selectable } from 'kysely'

export interface FilesTable {
  id: string
  slug: string
  /** The name as the sharer gave it. */
  filename: string
  storage_config_id: string
  storage_key: string
  mimetype: string
  size_bytes: number
  etag: string | null
  /** SHA-256 of the bytes, hex, where they passed through us. */
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
  /** `null` while the bytes are on their way. */
  committed_at_ms: number | null
  /** `signed`: the client PUTs to a signed URL and commits. `streamed`: the bytes come in the call that makes the share. */
  upload_kind: 'signed' | 'streamed'
  /** When a pending upload counts as abandoned. */
  upload_expires_at_ms: number | null
  /** The link suffix of the caller's own file that this upload replaces at its commit. */
  takes_slug: string | null
  /** Until when bytes may still be coming in to its signed address; `null` when none are. */
  receiving_until_ms: number | null
  last_view_at_ms: number | null
  /** 0 for a share of a file that lies in a mount: when the share goes, the file stays. */
  owns_object: Generated<number>
  /** What a search looks at, folded by `searchText`. */
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
  /** Bytes of later parts that the view still pays for. */
  remaining_bytes: number
  expires_at_ms: number
}
