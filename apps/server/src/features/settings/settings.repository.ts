import type { Db } from '../../schema.ts'

export const settingsRepository = (db: Db) => ({
  find: (keys: readonly string[]) => db.selectFrom('settings').selectAll().where('key', 'in', keys).execute(),
  upsert: (row: { key: string; value: string; updated_at_ms: number }) =>
    db
      .insertInto('settings')
      .values(row)
      .onConflict((c) => c.column('key').doUpdateSet({ value: row.value, updated_at_ms: row.updated_at_ms }))
      .execute(),
})
