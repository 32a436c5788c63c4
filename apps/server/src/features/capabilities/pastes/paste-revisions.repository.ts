import { sql } from 'kysely'
import type { Db } from '../../../schema.ts'
import type { PasteRevisionRow } from './paste-revisions.table.ts'

const LISTED = ['id', 'content_type', 'size_bytes', 'created_at_ms', 'replaced_at_ms'] as const

export const pasteRevisionsRepository = (db: Db) => ({
  list: (pasteId: string) =>
    db
      .selectFrom('paste_revisions')
      .select(LISTED)
      .where('paste_id', '=', pasteId)
      .orderBy('replaced_at_ms', 'desc')
      .orderBy('id', 'desc')
      .execute(),

  find: (pasteId: string, id: string): Promise<PasteRevisionRow | undefined> =>
    db
      .selectFrom('paste_revisions')
      .selectAll()
      .where('paste_id', '=', pasteId)
      .where('id', '=', id)
      .executeTakeFirst(),

  insert: (row: PasteRevisionRow) => db.insertInto('paste_revisions').values(row).execute(),

  /** Deletes the oldest revisions that exceed one of the limits. */
  async prune(pasteId: string, { count, bytes }: { count: number; bytes: number }): Promise<void> {
    const measured = db
      .selectFrom('paste_revisions')
      .select([
        'id',
        sql<number>`row_number() over (order by replaced_at_ms desc, id desc)`.as('place'),
        sql<number>`sum(size_bytes) over (order by replaced_at_ms desc, id desc)`.as('sum_bytes'),
      ])
      .where('paste_id', '=', pasteId)
      .as('measured')
    const tooOld = db
      .selectFrom(measured)
      .select('measured.id')
      .where((e) => e.or([e('place', '>', count), e('sum_bytes', '>', bytes)]))
    await db.deleteFrom('paste_revisions').where('id', 'in', tooOld).execute()
  },

  async deleteOf(pasteIds: readonly string[]): Promise<number> {
    if (pasteIds.length === 0) return 0
    const result = await db.deleteFrom('paste_revisions').where('paste_id', 'in', pasteIds).executeTakeFirst()
    return Number(result.numDeletedRows)
  },
})
