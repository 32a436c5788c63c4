import { type RawBuilder, SqliteAdapter, sql } from 'kysely'
import { type Blank, prepared, togetherOnSqlite } from '../../db/prepared.ts'
import { repositoryOf } from '../../db/repository.ts'
import { isAlive } from '../../db/share-queries.ts'
import type { Db } from '../../schema.ts'
import { type SentForm, type SentPaste, type Viewing, VISITED_COLUMNS } from './pastes.table.ts'

/**
 * Views that are counted beside the texts, with SQLite: those of texts that anybody may read as often as they like. See migration
 * 0020. Whoever shows the views of texts adds them, and whoever changes what is counted counts them in before.
 */

/** Bytes from which on a text is read as it is sent. */
const LONG_BYTES = 16 * 1024

/** Of a long text, as SQLite has it and needs no string for: UTF-8, or JSON in UTF-8. */
const BYTES = {
  json: sql`cast(json_quote(content) as blob)`,
  plain: sql`cast(content as blob)`,
} as const satisfies Record<SentForm, RawBuilder<unknown>>

const SHORT_COLUMNS = VISITED_COLUMNS.filter((name) => name !== 'content')

const viewing = (form: SentForm) =>
  togetherOnSqlite(
    (db, { arg }: Blank<Viewing>) =>
      db
        .selectFrom('pastes')
        .select(SHORT_COLUMNS)
        .select(
          sql<SentPaste['content']>`case when octet_length(content) < ${sql.lit(LONG_BYTES)}
            then content else ${BYTES[form]} end`.as('content'),
        )
        .where(
          'slug',
          '=',
          arg(({ slug }) => slug),
        )
        .where('max_views', 'is', null)
        .where('password_hash', 'is', null)
        .where(isAlive(arg(({ nowMs }) => nowMs)))
        .compile(),
    (db, { arg }: Blank<SentPaste>) =>
      sql<{ views: number }>`insert into paste_views (paste_id, views) values (${arg(({ id }) => id)}, 1)
      on conflict (paste_id) do update set views = views + 1 returning views`.compile(db),
  )
const views = { json: viewing('json'), plain: viewing('plain') } as const

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

export const pasteViewsRepository = repositoryOf((db: Db) => ({
  /**
   * Takes a view of an open text without a limit, and answers it as it is after that; `undefined` for every other. Of a long text
   * the bytes of the answer are read: to make a string of them, JSON of that, and bytes again took most of the time of the answer.
   */
  async take(look: Viewing, form: SentForm): Promise<SentPaste | undefined> {
    const [row, counted] = (await views[form](db, look)) ?? []
    return row && counted && { ...row, views: row.views + counted.views }
  },

  /** Adds what was counted beside the texts to them: of all, or of one. */
  async countIn(id?: string): Promise<void> {
    if (!areKept(db)) return
    await (id === undefined ? countAllIn(db, null) : countOneIn(db, id))
  },
}))
