import { SHARE_SEARCHED_CHARACTERS } from '@dropleaf/contract'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

interface Tables {
  pastes: { id: string; remark: string | null; content: string; search_text: string }
  files: { id: string; remark: string | null; filename: string; search_text: string }
}

const BATCH_ROWS = 200

const fold = (...parts: readonly (string | null)[]) =>
  parts
    .map((part) => part ?? '')
    .join('\n')
    .toLowerCase()

/** Iterates over a table in batches, ordered by id. */
async function eachBatch<Row extends { id: string }>(
  read: (afterId: string) => Promise<Row[]>,
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  let afterId = ''
  for (;;) {
    const rows = await read(afterId)
    const last = rows.at(-1)
    if (!last) return
    for (const row of rows) await work(row)
    afterId = last.id
  }
}

async function fill(db: Kysely<Tables>): Promise<void> {
  await eachBatch(
    (afterId) =>
      db
        .selectFrom('pastes')
        .select((e) => [
          'id',
          'remark',
          e.fn<string>('substr', ['content', e.lit(1), e.lit(SHARE_SEARCHED_CHARACTERS)]).as('content'),
        ])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(BATCH_ROWS)
        .execute(),
    ({ id, remark, content }) =>
      db
        .updateTable('pastes')
        .set({ search_text: fold(remark, content) })
        .where('id', '=', id)
        .execute(),
  )
  await eachBatch(
    (afterId) =>
      db
        .selectFrom('files')
        .select(['id', 'remark', 'filename'])
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(BATCH_ROWS)
        .execute(),
    ({ id, remark, filename }) =>
      db
        .updateTable('files')
        .set({ search_text: fold(remark, filename) })
        .where('id', '=', id)
        .execute(),
  )
}

/** Adds the search text of shares, in lower case, because neither engine lowercases every script. */
export const migration0010: Migration = {
  async up(db) {
    for (const table of ['pastes', 'files']) {
      await db.schema
        .alterTable(table)
        .addColumn('search_text', 'text', (c) => c.notNull().defaultTo(''))
        .execute()
    }
    await fill(db)
  },
  async down(db) {
    await db.schema.alterTable('pastes').dropColumn('search_text').execute()
    await db.schema.alterTable('files').dropColumn('search_text').execute()
  },
}
