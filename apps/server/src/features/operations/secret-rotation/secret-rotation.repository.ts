import { sql } from 'kysely'
import { ASK_WHETHER_NONE_RUNS } from '../../../db/notices.ts'
import type { Db } from '../../../schema.ts'

const PAGE_ROWS = 200

/** A column with encrypted values, in a table with an id column. */
export interface SealedColumn {
  readonly table: 'storage_configs' | 'api_keys' | 'pastes' | 'files' | 'bundles' | 'url_uploads'
  readonly id: 'id' | 'file_id'
  readonly column: string
}

export interface SealedRow {
  readonly id: string
  readonly sealed: string
}

/** Reads and writes all values that depend on the secret. */
export const secretRotationRepository = (db: Db) => ({
  /** Whether no server uses this PostgreSQL database. If true, no server can start before the transaction ends. */
  async isAlone(): Promise<boolean> {
    const { rows } = await sql<{ alone: boolean }>`${sql.raw(ASK_WHETHER_NONE_RUNS)}`.execute(db)
    return rows[0]?.alone === true
  },

  /** Yields the encrypted values of a column in batches. Rows can be overwritten during iteration. */
  async *sealed({ table, id, column }: SealedColumn): AsyncGenerator<SealedRow> {
    for (let after = ''; ;) {
      const { rows } = await sql<SealedRow>`
        select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
        where ${sql.ref(column)} is not null and ${sql.ref(id)} > ${after}
        order by ${sql.ref(id)} limit ${PAGE_ROWS}`.execute(db)
      const last = rows.at(-1)
      if (!last) return
      yield* rows
      after = last.id
    }
  },
  async replace({ table, id, column }: SealedColumn, row: SealedRow): Promise<void> {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${row.sealed} where ${sql.ref(id)} = ${row.id}`.execute(
      db,
    )
  },

  setKeyFingerprint: (id: string, fingerprint: string) =>
    db.updateTable('api_keys').set({ key_fingerprint: fingerprint }).where('id', '=', id).execute(),

  /** Finds the tasks whose payload can contain an encrypted value. */
  imports: () =>
    db.selectFrom('tasks').select(['id', 'payload']).where('type', '=', 'url_import').orderBy('id').execute(),
  setPayload: (id: string, payload: string) =>
    db.updateTable('tasks').set({ payload }).where('id', '=', id).execute(),

  /** Reads a value that the server itself stores in the settings table. */
  async kept(key: string): Promise<string | undefined> {
    const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
    return row?.value
  },
  setKept: (key: string, value: string, nowMs: number) =>
    db.updateTable('settings').set({ value, updated_at_ms: nowMs }).where('key', '=', key).execute(),
  /**
   * Deletes rate-limit counters whose keys contain fingerprints of the old secret, because they can no longer be found.
   */
  forgetFingerprints: () =>
    db
      .deleteFrom('throttles')
      .where((e) => e.or([e('key', 'like', 'key-guess:once:%'), e('key', 'like', 'login:proved:%')]))
      .execute(),
})
