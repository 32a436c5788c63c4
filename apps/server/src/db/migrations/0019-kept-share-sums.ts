import { SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Returns SQL that adds a row's size to its storage's total, or subtracts it. The size counts as zero once the object
 * is deleted.
 */
function counting(row: 'new' | 'old') {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  const sign = row === 'new' ? sql`+` : sql`-`
  return sql`
    insert into share_sums (storage_config_id, shared_bytes, pending_bytes)
    select ${of('storage_config_id')},
      ${sign} iif(${of('committed_at_ms')} is null, 0, ${of('size_bytes')}),
      ${sign} iif(${of('committed_at_ms')} is null, ${of('size_bytes')}, 0)
    where ${of('purged_at_ms')} is null
    on conflict (storage_config_id) do update set
      shared_bytes = shared_bytes + excluded.shared_bytes,
      pending_bytes = pending_bytes + excluded.pending_bytes;`
}

const TRIGGERS = {
  share_sums_insert: sql`after insert on files begin ${counting('new')} end`,
  share_sums_delete: sql`after delete on files begin ${counting('old')} end`,
  share_sums_update: sql`after update of storage_config_id, size_bytes, committed_at_ms, purged_at_ms on files
    begin ${counting('old')} ${counting('new')} end`,
}

/**
 * On SQLite, adds triggers that maintain the total size of a storage's shares. Without triggers, every upload with a
 * limit had to sum up the sizes, which took time proportional to the number of shares. PostgreSQL gets no triggers,
 * because all concurrent writers would wait for the same row.
 */
export const migration0019: Migration = {
  async up(db) {
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    await sql`create table share_sums (storage_config_id text primary key, shared_bytes integer not null,
      pending_bytes integer not null) without rowid`.execute(db)
    await sql`insert into share_sums
      select storage_config_id,
        sum(iif(committed_at_ms is null, 0, size_bytes)), sum(iif(committed_at_ms is null, size_bytes, 0))
      from files where purged_at_ms is null group by storage_config_id`.execute(db)
    for (const [name, text] of Object.entries(TRIGGERS))
      await sql`create trigger ${sql.id(name)} ${text}`.execute(db)
    await db.schema.dropIndex('files_sizes').execute()
  },
  async down(db) {
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    await db.schema
      .createIndex('files_sizes')
      .on('files')
      .columns(['storage_config_id', 'purged_at_ms', 'committed_at_ms', 'size_bytes'])
      .execute()
    for (const name of Object.keys(TRIGGERS)) await sql`drop trigger ${sql.id(name)}`.execute(db)
    await db.schema.dropTable('share_sums').execute()
  },
}
