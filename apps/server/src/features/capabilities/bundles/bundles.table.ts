import type { Generated, Selectable } from 'kysely'
import type { OpeningColumns } from '../../foundation/share-opening/share-opening.table.ts'

export interface BundlesTable extends OpeningColumns {
  id: string
  slug: string
  /** Number of the current revision; 0 while the bundle is a draft. */
  revision: Generated<number>
  /**
   * Title, number of items and total size of the uploaded objects of the current revision, for lists. For a sealed
   * bundle, the title is `null`, and the number is that of its objects.
   */
  title: string | null
  item_count: Generated<number>
  size_bytes: Generated<number>
  remark: string | null
  password_hash: string | null
  password_sealed: string | null
  expires_at_ms: number | null
  max_views: number | null
  views: Generated<number>
  last_view_at_ms: number | null
  /**
   * Time when the revisions and objects were deleted. The row remains for some time, so that the link responds with
   * 410.
   */
  purged_at_ms: number | null
  created_by: string | null
  created_at_ms: number
  updated_at_ms: number
  /** Text to search in, normalized by `searchText`. */
  search_text: Generated<string>
  /** Counts how often earlier links became invalid: when the share was reset, or changed to require confirmation. */
  generation: Generated<number>
  /**
   * Version of the format of a sealed bundle; `null` if it is not sealed. Only sealed bundles use the next four
   * columns.
   */
  sealed: number | null
  /** Base64url of 16 bytes. Like the other columns of the seal, it never changes. */
  salt: string | null
  /** JSON of a `SealedKdf`; `null` without a password. */
  kdf: string | null
  /** Base64url of the SHA-256 of the proof that opens the bundle. */
  verifier: string | null
  /** Data that the owner's devices encrypt, and that only they can decrypt. */
  owner_box: string | null
}

export type BundleRow = Selectable<BundlesTable>

export interface BundleRevisionsTable {
  bundle_id: string
  revision: number
  /**
   * JSON of a `StoredManifest`, or base64 of a sealed manifest. Base64 never starts with `{`.
   */
  manifest: string
  manifest_bytes: number
  /**
   * Numbers of the objects in the manifest, as a JSON array. The column is separate from the manifest, so that a
   * server can read the numbers without parsing the manifest.
   */
  objects: string
  title: string | null
  item_count: number
  size_bytes: number
  created_at_ms: number
  /** Time when the next revision was published; `null` for the current revision. */
  replaced_at_ms: number | null
}

export type BundleRevisionRow = Selectable<BundleRevisionsTable>
