import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

type Db = Kysely<unknown>

const isPostgres = (db: Db) => db.getExecutor().adapter instanceof PostgresAdapter

/** Returns the column type for texts that both engines compare by their UTF-8 bytes. */
const bytewise = (db: Db) => (isPostgres(db) ? sql`text collate "C"` : sql`text`)

const serial = (db: Db) =>
  isPostgres(db)
    ? sql`bigint generated always as identity primary key`
    : sql`integer primary key autoincrement`

/**
 * Creates the table of indexes. Each storage config has an index, with the position of its crawl and a counter of its
 * changes.
 */
async function createIndexes(db: Db): Promise<void> {
  await sql`create table object_indexes (
    id ${serial(db)},
    config_id text not null unique,
    sequence bigint not null,
    state text not null,
    crawl_sequence bigint,
    crawl_after ${bytewise(db)},
    crawl_cursor text,
    crawled_objects bigint not null,
    started_at_ms bigint,
    finished_at_ms bigint,
    completed_at_ms bigint,
    error text
  )`.execute(db)
}

async function createFolders(db: Db): Promise<void> {
  await sql`create table object_folders (
    id ${serial(db)},
    index_id bigint not null,
    key ${bytewise(db)} not null,
    parent_id bigint,
    sort_key ${bytewise(db)} not null,
    tree_objects bigint not null,
    tree_bytes bigint not null,
    tree_modified_at_ms bigint,
    is_marked integer not null,
    modified_at_ms bigint,
    changed_sequence bigint not null,
    listed_at_ms bigint
  )`.execute(db)
  await sql`create unique index object_folders_key on object_folders (index_id, key)`.execute(db)
  await sql`create index object_folders_parent on object_folders (parent_id, sort_key)`.execute(db)
}

async function createObjects(db: Db): Promise<void> {
  await sql`create table objects (
    id ${serial(db)},
    index_id bigint not null,
    folder_id bigint not null,
    key ${bytewise(db)} not null,
    sort_key ${bytewise(db)} not null,
    size_bytes bigint not null,
    modified_at_ms bigint not null,
    etag text not null,
    changed_sequence bigint not null
  )`.execute(db)
  await sql`create unique index objects_key on objects (index_id, key)`.execute(db)
  await sql`create index objects_name on objects (folder_id, sort_key)`.execute(db)
  await sql`create index objects_size on objects (folder_id, size_bytes, sort_key)`.execute(db)
  await sql`create index objects_modified on objects (folder_id, modified_at_ms, sort_key)`.execute(db)
  // Deleted objects, stored as long as a listing that began before the deletion can still contain them.
  await sql`create table object_tombstones (
    index_id bigint not null,
    key ${bytewise(db)} not null,
    sequence bigint not null,
    removed_at_ms bigint not null,
    primary key (index_id, key)
  )`.execute(db)
  await sql`create index object_tombstones_age on object_tombstones (removed_at_ms)`.execute(db)
}

/**
 * Creates a separate table for case-folded names. Names never change, so rewriting an object does not write to the
 * table.
 */
async function createNames(db: Db): Promise<void> {
  const grams = isPostgres(db) ? sql`, grams integer[] not null` : sql``
  const primary = isPostgres(db) ? sql`bigint primary key` : sql`integer primary key`
  await sql`create table object_names (
    object_id ${primary},
    index_id bigint not null,
    folded ${bytewise(db)} not null${grams}
  )`.execute(db)
  await sql`create index object_names_folded on object_names (index_id, folded)`.execute(db)
  if (isPostgres(db)) await sql`create index object_names_grams on object_names using gin (grams)`.execute(db)
  else
    await sql`create virtual table object_grams
      using fts5(grams, content='', detail=none, columnsize=0, tokenize='ascii')`.execute(db)
}

const TABLES = ['object_names', 'object_tombstones', 'objects', 'object_folders', 'object_indexes']

export const migration0004: Migration = {
  async up(db) {
    await createIndexes(db)
    await createFolders(db)
    await createObjects(db)
    await createNames(db)
  },
  async down(db) {
    if (!isPostgres(db)) await sql`drop table object_grams`.execute(db)
    for (const table of TABLES) await sql`drop table ${sql.table(table)}`.execute(db)
  },
}
