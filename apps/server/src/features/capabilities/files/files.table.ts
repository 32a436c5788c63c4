import type { Generated, Selectable } from 'kysely'
import type { OpeningColumns } from '../../foundation/share-opening/share-opening.table.ts'

export interface FilesTable extends OpeningColumns {
  id: string
  slug: string
  filename: string
  storage_config_id: string
  storage_key: string
  mimetype: string
  size_bytes: number
  etag: string | null
  /** SHA-256 of the bytes in hex, or `null` if the server has not hashed them, for example after an upload in parts. */
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
  /** Time of the commit; `null` while the upload is pending. */
  committed_at_ms: number | null
  /**
   * `signed`: the client sends the bytes to signed URLs or in parts, and then commits. `streamed`: a single request
   * uploads the file and creates the share. Shares of files in mounts are also `streamed`.
   */
  upload_kind: 'signed' | 'streamed'
  /**
   * When a pending upload begins to count as abandoned. For a complete object of a bundle: when the sweep may delete
   * the object, because no stored revision uses it; `null` if a stored revision uses the object.
   */
  upload_expires_at_ms: number | null
  /** Link suffix of the creator's existing file, which is replaced when this upload is committed. */
  takes_slug: string | null
  /** End of the lease of the request that is receiving the bytes; `null` if no request is receiving them. */
  receiving_until_ms: number | null
  last_view_at_ms: number | null
  /** 0 if the share refers to a file in a mount. Such a file is not deleted with the share. */
  owns_object: Generated<number>
  /** Text to search in, normalized by `searchText`. */
  search_text: Generated<string>
  /**
   * Bundle that contains the object, and the object's number in it. Such a row is not a share: lists, links and changes
   * of files exclude it. `null` for shares.
   */
  bundle_id: string | null
  object_number: number | null
  /**
   * Size of the parts of an object of a sealed bundle, except the last part; `null` for everything that is not sealed.
   */
  part_size_bytes: number | null
  /** Counts how often earlier links became invalid: when the share was reset, or changed to require confirmation. */
  generation: Generated<number>
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
  /** Number of further bytes that the client can read without another view. */
  remaining_bytes: number
  expires_at_ms: number
}
