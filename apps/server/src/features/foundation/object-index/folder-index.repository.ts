import type { ListOrder, ListSort } from '@dropleaf/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../schema.ts'

/** A file or folder directly in a folder. */
export interface IndexedEntry {
  readonly key: string
  readonly sort_key: string
  readonly size_bytes: number
  readonly modified_at_ms: number | null
  /** Etag of the file; empty for a folder. */
  readonly etag: string
}

/** A position after an entry: the entry's sort value and sort key. */
export interface EntryPosition {
  readonly value: number
  readonly sortKey: string
}

export interface EntryQuery {
  readonly folderId: number
  readonly isFolders: boolean
  readonly sort: ListSort
  readonly order: ListOrder
  readonly after: EntryPosition | null
  readonly limit: number
}

const FOLDER_MODIFIED = sql`case when coalesce(tree_modified_at_ms, 0) > coalesce(modified_at_ms, 0)
  then tree_modified_at_ms else modified_at_ms end`

/** Returns the SQL column by which entries are sorted. A folder whose modification time is unknown sorts as 0. */
const columnOf = (sort: Exclude<ListSort, 'name'>, isFolders: boolean): RawBuilder<unknown> => {
  if (sort === 'size') return isFolders ? sql`tree_bytes` : sql`size_bytes`
  return isFolders ? sql`coalesce(${FOLDER_MODIFIED}, 0)` : sql`modified_at_ms`
}

/** Number of keys per statement. Databases limit the number of parameters. */
const BATCH = 500

export const folderIndexRepository = (db: Db) => ({
  /** Finds files directly in a folder by their keys. */
  async findFiles(folderId: number, keys: readonly string[]) {
    const found = []
    for (let from = 0; from < keys.length; from += BATCH)
      found.push(
        ...(await db
          .selectFrom('objects')
          .select(['key', 'size_bytes', 'modified_at_ms'])
          .where('folder_id', '=', folderId)
          .where('key', 'in', keys.slice(from, from + BATCH))
          .execute()),
      )
    return found
  },

  /**
   * Returns one page in the given order. Files have a database index for each order. Folders have one only for the
   * order by name. For other orders, the database sorts them without an index.
   */
  async listEntries({ folderId, isFolders, sort, order, after, limit }: EntryQuery): Promise<IndexedEntry[]> {
    const direction = sql.raw(order)
    const beyond = sql.raw(order === 'asc' ? '>' : '<')
    const column = sort === 'name' ? null : columnOf(sort, isFolders)
    const position = column ? sql`(${column}, sort_key)` : sql`sort_key`
    const start = after && (column ? sql`(${after.value}, ${after.sortKey})` : sql`${after.sortKey}`)
    const selected = isFolders
      ? sql`key, sort_key, tree_bytes as size_bytes, ${FOLDER_MODIFIED} as modified_at_ms, '' as etag
          from object_folders where parent_id = ${folderId}`
      : sql`key, sort_key, size_bytes, modified_at_ms, etag from objects where folder_id = ${folderId}`
    const statement = sql<IndexedEntry>`select ${selected}
      ${start ? sql`and ${position} ${beyond} ${start}` : sql``}
      order by ${column ? sql`${column} ${direction}, ` : sql``}sort_key ${direction} limit ${limit}`
    return (await statement.execute(db)).rows
  },
})
