import type { Generated, Selectable } from 'kysely'

/** State of the crawl of a storage. `waiting`: will start or resume in the next run. */
export type CrawlState = 'waiting' | 'crawling' | 'done' | 'failed'

/** The index of one storage config. */
export interface ObjectIndexesTable {
  id: Generated<number>
  config_id: string
  /** Counts the changes noted: what a walk tells is older than what was noted after it began, whatever the clocks say. */
  sequence: number
  /** Walks that began before this `sequence` went through another place: the storage led elsewhere then. */
  trusted_from: Generated<number>
  state: CrawlState
  /** `sequence` when the crawl began. */
  crawl_sequence: number | null
  /** Last key that the crawl went past. */
  crawl_after: string | null
  /** What asks the storage for what follows. */
  crawl_cursor: string | null
  crawled_objects: number
  started_at_ms: number | null
  finished_at_ms: number | null
  /** When a crawl last reached the end; from the first time on, the index is whole. */
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
  /** Files below it, however deep, and their bytes. */
  tree_objects: number
  tree_bytes: number
  tree_modified_at_ms: number | null
  is_marked: number
  /** Of the marker, or of the folder on a disk. */
  modified_at_ms: number | null
  changed_sequence: number
  /** When it was last listed to the end. Everything in it is in the index since. */
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

/** Names as the search compares them. On PostgreSQL with a column `grams`, on SQLite beside a table `object_grams`. */
export interface ObjectNamesTable {
  object_id: number
  index_id: number
  folded: string
}

export type ObjectIndexRow = Selectable<ObjectIndexesTable>
export type ObjectFolderRow = Selectable<ObjectFoldersTable>
