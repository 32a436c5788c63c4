import type { Generated, Selectable } from 'kysely'

/** State of the crawl of a storage. `waiting`: will start or resume in the next run. */
export type CrawlState = 'waiting' | 'crawling' | 'done' | 'failed'

/** The index of one storage config. */
export interface ObjectIndexesTable {
  id: Generated<number>
  config_id: string
  /** Counts changes. Data of a walk is older than changes recorded after it started, whatever the clocks show. */
  sequence: number
  /** Walks that started before this `sequence` read another location of the storage. */
  trusted_from: Generated<number>
  state: CrawlState
  /** `sequence` when the crawl started. */
  crawl_sequence: number | null
  /** Last key that the crawl processed. */
  crawl_after: string | null
  /** The storage's cursor for the next page. */
  crawl_cursor: string | null
  crawled_objects: number
  started_at_ms: number | null
  finished_at_ms: number | null
  /** Time of the last complete crawl; the index is complete after the first. */
  completed_at_ms: number | null
  error: string | null
}

/** A folder, with a marker or only implied by its content. The root has the empty key and no parent. */
export interface ObjectFoldersTable {
  id: Generated<number>
  index_id: number
  /** Ends in `/`, except the root's. */
  key: string
  parent_id: number | null
  sort_key: string
  /** Number and bytes of files below it, at any depth. */
  tree_objects: number
  tree_bytes: number
  tree_modified_at_ms: number | null
  is_marked: number
  /** Time of the marker, or of the folder on a disk. */
  modified_at_ms: number | null
  changed_sequence: number
  /** Time of its last complete listing. Since then the index contains all its entries. */
  listed_at_ms: number | null
}

/** A file. */
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

/** Folded names for the search. On PostgreSQL with a column `grams`, on SQLite with a separate table `object_grams`. */
export interface ObjectNamesTable {
  object_id: number
  index_id: number
  folded: string
}

export type ObjectIndexRow = Selectable<ObjectIndexesTable>
export type ObjectFolderRow = Selectable<ObjectFoldersTable>
