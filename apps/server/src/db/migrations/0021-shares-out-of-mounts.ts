import { SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const COUNTED_COLUMNS = sql`storage_config_id, size_bytes, committed_at_ms, purged_at_ms, owns_object`

/**
 * Returns SQL that adds a row's size to its storage's total, or subtracts it. Changes nothing for a row that does not
 * match `isCounted`.
 */
function counting(row: 'new' | 'old', isCounted: (column: (name: string) => unknown) => unknown) {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  const sign = row === 'new' ? sql`+` : sql`-`
  return sql`
    insert into share_sums (storage_config_id, shared_bytes, pending_bytes)
    select ${of('storage_config_id')},
      ${sign} iif(${of('committed_at_ms')} is null, 0, ${of('size_bytes')}),
      ${sign} iif(${of('committed_at_ms')} is null, ${of('size_bytes')}, 0)
    where ${isCounted(of)}
    on conflict (storage_config_id) do update set
      shared_bytes = shared_bytes + excluded.shared_bytes,
      pending_bytes = pending_bytes + excluded.pending_bytes;`
}

type Counted = Parameters<typeof counting>[1]

const triggersOf = (isCounted: Counted) => ({
  share_sums_insert: sql`after insert on files begin ${counting('new', isCounted)} end`,
  share_sums_delete: sql`after delete on files begin ${counting('old', isCounted)} end`,
  share_sums_update: sql`after update of ${COUNTED_COLUMNS} on files
    begin ${counting('old', isCounted)} ${counting('new', isCounted)} end`,
})

const ownObjects: Counted = (of) => sql`${of('purged_at_ms')} is null and ${of('owns_object')} = 1`
const allRows: Counted = (of) => sql`${of('purged_at_ms')} is null`

/**
 * Removes objects of shares from the index, because mounts no longer show them. Their total size is computed from the
 * shares' rows. Shares that refer to a file in a mount are not part of that total, because the index counts the file.
 */
export const migration0021: Migration = {
  async up(db) {
    // Detaches each index from its storage. Detached indexes are deleted in batches, and the storages are crawled
    // again.
    await sql`update object_indexes set config_id = 'with-shares:' || config_id`.execute(db)
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    for (const [name, text] of Object.entries(triggersOf(ownObjects))) {
      await sql`drop trigger ${sql.id(name)}`.execute(db)
      await sql`create trigger ${sql.id(name)} ${text}`.execute(db)
    }
    await sql`delete from share_sums`.execute(db)
    await sql`insert into share_sums
      select storage_config_id,
        sum(iif(committed_at_ms is null, 0, size_bytes)), sum(iif(committed_at_ms is null, size_bytes, 0))
      from files where purged_at_ms is null and owns_object = 1 group by storage_config_id`.execute(db)
  },
  async down(db) {
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    for (const [name, text] of Object.entries(triggersOf(allRows))) {
      await sql`drop trigger ${sql.id(name)}`.execute(db)
      await sql`create trigger ${sql.id(name)} ${text}`.execute(db)
    }
  },
}
