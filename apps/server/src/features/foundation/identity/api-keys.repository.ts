import type { Insertable, Updateable } from 'kysely'
import { type Blank, cached } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'
import type { ApiKeysTable } from './api-keys.table.ts'

const findByFingerprint = cached((db, { arg }: Blank<string>) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where(
      'key_fingerprint',
      '=',
      arg((fingerprint) => fingerprint),
    )
    .compile(),
)

export const apiKeysRepository = (db: Db) => ({
  list: () => db.selectFrom('api_keys').selectAll().orderBy('created_at_ms', 'desc').orderBy('id').execute(),
  findById: (id: string) => db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst(),
  findByFingerprint: async (fingerprint: string) => (await findByFingerprint(db, fingerprint)).at(0),
  /** Returns the names of the existing API keys among `ids`, keyed by id. */
  async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map((row) => [row.id, row.name]))
  },
  insert: (row: Insertable<ApiKeysTable>) => db.insertInto('api_keys').values(row).execute(),
  async update(id: string, change: Updateable<ApiKeysTable>): Promise<boolean> {
    const result = await db.updateTable('api_keys').set(change).where('id', '=', id).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async delete(id: string): Promise<boolean> {
    const result = await db.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
  count: async () =>
    Number(
      (
        await db
          .selectFrom('api_keys')
          .select((e) => e.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    ),
})
