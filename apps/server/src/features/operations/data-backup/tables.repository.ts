import { sql } from 'kysely'
import type { Db } from '../../../schema.ts'

/** Number of rows read at a time. The number is low, because a single row can contain a text of 10 MB. */
const FETCHED_ROWS = 10

/** Tables that are not saved, because the next crawl rebuilds them from the storages. */
const INDEX_TABLES = new Set([
  'object_indexes',
  'object_folders',
  'objects',
  'object_tombstones',
  'object_names',
])

/**
 * Tables that are saved without their rows. With these rows, a device can reopen a share for some minutes, but only on
 * the original server.
 */
export const TABLES_WITHOUT_ROWS: readonly string[] = ['opening_devices']

/** Reads and writes PostgreSQL tables. Rows are lines of JSON that are never parsed here. */
export const tablesRepository = (db: Db) => ({
  async names(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables
      where schemaname = current_schema() and tablename not like 'kysely%' order by tablename`.execute(db)
    return rows.map(({ name }) => name).filter((name) => !INDEX_TABLES.has(name))
  },
  async references(): Promise<Array<{ child: string; parent: string }>> {
    const { rows } = await sql<{ child: string; parent: string }>`
      select child.relname as child, parent.relname as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db)
    return rows
  },
  /** Yields each row of a table that must be saved, as a line. Call in a transaction. */
  async *lines(table: string): AsyncGenerator<string> {
    if (TABLES_WITHOUT_ROWS.includes(table)) return
    const cursor = sql.id('backup_rows')
    await sql`declare ${cursor} no scroll cursor for
      select row_to_json(given)::text as line from ${sql.table(table)} as given`.execute(db)
    for (;;) {
      const { rows } = await sql<{
        line: string
      }>`fetch ${sql.lit(FETCHED_ROWS)} from ${cursor}`.execute(db)
      if (rows.length === 0) break
      for (const { line } of rows) yield line
    }
    await sql`close ${cursor}`.execute(db)
  },
  empty: (table: string) => sql`delete from ${sql.table(table)}`.execute(db),
  insert: (table: string, lines: readonly string[]) =>
    sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${`[${lines.join(',')}]`}::json)`.execute(
      db,
    ),

  /** Returns the names of the applied migrations, on both engines. */
  async migrations(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return rows.map(({ name }) => name)
  },
  async isUsed(): Promise<boolean> {
    const { rows } = await sql<{ used: boolean }>`
      select exists (select 1 from pg_tables where schemaname = current_schema() and tablename = 'kysely_migration')
      as used`.execute(db)
    return rows[0]?.used === true
  },
})
