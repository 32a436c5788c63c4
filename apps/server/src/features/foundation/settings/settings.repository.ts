import { sql } from 'kysely'
import { type Blank, cached } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'

const find = cached((db, { engine, arg }: Blank<readonly string[]>) => {
  const keys = arg((all) => all.map((wanted) => ({ wanted })))
  return db
    .selectFrom('settings')
    .selectAll()
    .where(
      'key',
      'in',
      sql<string>`(select wanted from ${rowsOf(engine, keys, { wanted: 'text' })} as given)`,
    )
    .compile()
})

export const settingsRepository = (db: Db) => ({
  find: (keys: readonly string[]) => find(db, keys),
  upsert: (row: { key: string; value: string; updated_at_ms: number }) =>
    db
      .insertInto('settings')
      .values(row)
      .onConflict((c) => c.column('key').doUpdateSet({ value: row.value, updated_at_ms: row.updated_at_ms }))
      .execute(),
  remove: async (key: string): Promise<void> => {
    await db.deleteFrom('settings').where('key', '=', key).execute()
  },
})
