import type { Generated, Selectable } from 'kysely'

/** State of the crawl of a storage. `waiting` means that the crawl starts or resumes in the next run. */
export type CrawlState = 'waiting' | 'crawling' | 'done' | 'failed'

export interface ObjectIndexesTable {
  id: Generated<number>
  config_id: string
  /**
   * Incremented by each change through the server, and whenever earlier reads of the storage must be ignored. The
   * number orders changes and reads without relying on clocks.
   */
  sequence: number
  /**
   * Data read from the storage before this `sequence` is ignored. It can describe an old location of the storage, or be
   * older than changes that were written late.
   */
  trusted_from: Generated<number>
  state: CrawlState
  /** Value of `sequence` when the crawl started. */
  crawl_sequence: number | null
  /** Last key that the crawl has processed. */
  crawl_after: string | null
  /** The storage's cursor for the next page. */
  crawl_cursor: string | null
  crawled_objects: number
  started_at_ms: number | null
  finished_at_ms: number | null
  /** Time of the last complete crawl; `null` before the first complete crawl, and after the index was distrusted. */
  completed_at_ms: number | null
  error: string | null
}

/** A folder, whether it has a marker or is only implied by its content. The root has an empty key and no parent. */
export interface ObjectFoldersTable {
  id: Generated<number>
  index_id: number
  /** Key of the folder; ends in `/`, except for the root. */
  key: string
  parent_id: number | null
  sort_key: string
  /** Number and total size of the files below the folder, at any depth. */
  tree_objects: number
  tree_bytes: number
  tree_modified_at_ms: number | null
  is_marked: number
  /** Modification time of the marker, or of the folder on a disk. */
  modified_at_ms: number | null
  changed_sequence: number
  /**
   * Time of the folder's last complete listing. Since then, the index contains all entries of the folder. `null` if
   * listings must read the storage.
   */
  listed_at_ms: number | null
}

export interface ObjectsTable {
  id: Generated<number>
  index_id: number
  folder_id: number
  key: string
  sort_key: string
  size_bytes: number
  modified_at_ms: number
  etag: string
  changed_sequence: number
}

export interface ObjectTombstonesTable {
  index_id: number
  key: string
  sequence: number
  removed_at_ms: number
}

/**
 * Folded names for searching. Their grams are in the column `grams` on PostgreSQL, and in the table `object_grams` on
 * SQLite.
 */
export interface ObjectNamesTable {
  object_id: number
  index_id: number
  folded: string
}

export type ObjectIndexRow = Selectable<ObjectIndexesTable>
export type ObjectFolderRow = Selectable<ObjectFoldersTable>
