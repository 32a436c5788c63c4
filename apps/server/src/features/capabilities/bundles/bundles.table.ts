import type { Generated, Selectable } from 'kysely'
import type { OpeningColumns } from '../../foundation/share-opening/share-opening.table.ts'

export interface BundlesTable extends OpeningColumns {
  id: string
  slug: string
  /** Number of the current revision; 0 while the bundle is a draft. */
  revision: Generated<number>
  /** Title, number of items and total size of the uploaded objects of the current revision, for lists. */
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
  /** Time when the revisions and objects were deleted. The row remains for a while, as with texts and files. */
  purged_at_ms: number | null
  created_by: string | null
  created_at_ms: number
  updated_at_ms: number
  /** Text to search in, normalized by `searchText`. */
  search_text: Generated<string>
  /**
   * Number of times that the links of earlier openings were ended, because the share was armed again or began to ask.
   */
  generation: Generated<number>
}

export type BundleRow = Selectable<BundlesTable>

export interface BundleRevisionsTable {
  bundle_id: string
  revision: number
  /** JSON of a {@link StoredManifest}. A server that cannot read a manifest stores it here all the same. */
  manifest: string
  manifest_bytes: number
  /** Numbers of the objects that the manifest names, as a JSON array. Kept apart from the manifest, see above. */
  objects: string
  title: string | null
  item_count: number
  size_bytes: number
  created_at_ms: number
  /** Time when the next revision was published; `null` for the current one. */
  replaced_at_ms: number | null
}

export type BundleRevisionRow = Selectable<BundleRevisionsTable>
