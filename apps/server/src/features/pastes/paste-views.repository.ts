import { type RawBuilder, SqliteAdapter, sql } from 'kysely'
import { type Blank, prepared, togetherOnSqlite } from '../../db/prepared.ts'
import { isAlive } from '../../db/share-queries.ts'
import type { Db } from '../../schema.ts'
import { type Viewing, VISITED_COLUMNS, type VisitedPaste } from './pastes.table.ts'

/**
 * Views that are counted beside the texts, with SQLite: those of texts that anybody may read as often as they like. See migration
 * 0020. Whoever shows the views of texts adds them, and whoever changes what is counted counts them in before.
 */

const viewing = togetherOnSqlite(
  (db, { arg }: Blank<Viewing>) =>
    db
      .selectFrom('pastes')
      .select(VISITED_COLUMNS)
      .where(
        'slug',
        '=',
        arg(({ slug }) => slug),
      )
      .where('max_views', 'is', null)
      .where('password_hash', 'is', null)
      .where(isAlive(arg(({ nowMs }) => nowMs)))
      .compile(),
  (db, { arg }: Blank<VisitedPaste>) =>
    sql<{ views: number }>`insert into paste_views (paste_id, views) values (${arg(({ id }) => id)}, 1)
    on conflict (paste_id) do update set views = views + 1 returning views`.compile(db),
)

const countAllIn = prepared<null, object>((db) => sql<object>`delete from paste_views`.compile(db))
const countOneIn = prepared<string, object>((db, { arg }) =>
  sql<object>`delete from paste_views where paste_id = ${arg((id) => id)}`.compile(db),
)

const areKept = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

/** All views of a text, in a query on `pastes`. */
export const viewsOf = (db: Db): RawBuilder<number> =>
  areKept(db)
    ? sql`pastes.views + coalesce((select beside.views from paste_views beside where beside.paste_id = pastes.id), 0)`
    : sql.ref('pastes.views')

export const pasteViewsRepository = (db: Db) => ({
  /** Takes a view of an open text without a limit, and answers it as it is after that; `undefined` for every other. */
  async take(look: Viewing): Promise<VisitedPaste | undefined> {
    const [row, counted] = (await viewing(db, look)) ?? []
    return row && counted && { ...row, views: row.views + counted.views }
  },

  /** Adds what was counted beside the texts to them: of all, or of one. */
  async countIn(id?: string): Promise<void> {
    if (!areKept(db)) return
    await (id === undefined ? countAllIn(db, null) : countOneIn(db, id))
  },
})
