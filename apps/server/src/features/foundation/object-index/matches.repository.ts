import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../../db/engine.ts'
import type { Db } from '../../../schema.ts'
import { endOfFolder, queryGramsOf } from './object-index.models.ts'
import { fullPartBefore, gramCode, gramWord, NAME_PARTS } from './object-names.repository.ts'

/** A file whose name matches. */
export interface MatchRow {
  readonly key: string
  readonly folded: string
  readonly size_bytes: number
  readonly modified_at_ms: number
}

export interface MatchQuery {
  readonly indexId: number
  /** Search text, folded in the same way as the indexed names. */
  readonly text: string
  /** Folder to search below: empty, or with a trailing slash. */
  readonly prefix: string
  readonly limit: number
}

/**
 * Maximum number of candidates (names that contain all grams of the text) that are compared with the text on SQLite.
 */
const COMPARED_MAX = 20_000
/** Maximum number of names that are found because they start with the text. */
const STARTS_MAX = 250

const COLUMNS = sql`o.key, n.folded, o.size_bytes, o.modified_at_ms`

function below(prefix: string): RawBuilder<unknown> {
  const end = endOfFolder(prefix)
  return end === null ? sql`` : sql`and o.key >= ${prefix} and o.key < ${end}`
}

type Parts = readonly number[]

const ALL_PARTS: Parts = Array.from({ length: NAME_PARTS }, (_, index) => index)

/** Builds the condition that a name contains all grams of a text, limited to some partitions of the names (`parts`). */
const inParts = ({ indexId, text }: MatchQuery, parts: Parts) =>
  sql.join(
    parts.map((part) => {
      const codes = queryGramsOf(text).map((gram) => gramCode(gram, { indexId, part }))
      return sql`n.grams @> ${sql.val(codes)}::integer[]`
    }),
    sql` or `,
  )

/**
 * Disables parallel workers, because PostgreSQL takes longer to start workers than to run any query of this
 * repository.
 */
const withoutWorkers = (db: Db, work: (on: Db) => Promise<MatchRow[]>): Promise<MatchRow[]> =>
  engineOf(db) === 'sqlite'
    ? work(db)
    : db.transaction().execute(async (trx) => {
        await sql`set local max_parallel_workers_per_gather = 0`.execute(trx)
        return work(trx)
      })

export const matchesRepository = (db: Db) => {
  const engine = engineOf(db)
  const holds = (text: string) =>
    engine === 'sqlite' ? sql`instr(n.folded, ${text}) > 0` : sql`position(${text} in n.folded) > 0`
  const run = async (on: Db, statement: RawBuilder<unknown>) =>
    (await (statement as RawBuilder<MatchRow>).execute(on)).rows

  /** Finds names that start with the text, in name order, so that an exact match is first. */
  const byStart = (on: Db, { indexId, text, prefix, limit }: MatchQuery) =>
    run(
      on,
      sql`select ${COLUMNS} from object_names as n join objects as o on o.id = n.object_id
        where n.index_id = ${indexId} and n.folded >= ${text} and n.folded < ${`${text}\u{10ffff}`} ${below(prefix)}
        order by n.folded limit ${limit}`,
    )

  function byGramsOnSqlite(on: Db, { indexId, text, prefix, limit }: MatchQuery) {
    const words = queryGramsOf(text)
      .map((gram) => gramWord(gram, indexId))
      .join(' ')
    return run(
      on,
      sql`select ${COLUMNS} from
        (select rowid from object_grams where object_grams match ${words} order by rowid desc limit ${COMPARED_MAX}) as c
        cross join object_names as n on n.object_id = c.rowid
        cross join objects as o on o.id = c.rowid
        where ${holds(text)} ${below(prefix)} limit ${limit}`,
    )
  }

  /**
   * Finds names by grams on PostgreSQL. Searches a single partition of the names first, because this partition usually
   * has enough matches for a frequent text.
   */
  async function byGramsOnPostgres(on: Db, query: MatchQuery) {
    const ask = (parts: Parts, limit: number) =>
      run(
        on,
        sql`select ${COLUMNS} from object_names as n join objects as o on o.id = n.object_id
          where (${inParts(query, parts)}) and ${holds(query.text)} ${below(query.prefix)} limit ${limit}`,
      )
    const last = await sql<{ id: number | null }>`select max(object_id) as id from object_names`.execute(on)
    const part = fullPartBefore(last.rows[0]?.id ?? 0)
    const first = await ask([part], query.limit)
    if (first.length === query.limit) return first
    return first.concat(
      await ask(
        ALL_PARTS.filter((other) => other !== part),
        query.limit - first.length,
      ),
    )
  }

  const byGrams = engine === 'sqlite' ? byGramsOnSqlite : byGramsOnPostgres

  return {
    /**
     * Finds names that contain the text. Names that start with the text are searched first, so that the limit does not
     * hide them.
     */
    findByName: (query: MatchQuery): Promise<MatchRow[]> =>
      withoutWorkers(db, async (on) => {
        const starting = await byStart(on, { ...query, limit: STARTS_MAX })
        // Searches no grams for a text of one character, because such a text has no grams.
        return query.text.length < 2 ? starting : starting.concat(await byGrams(on, query))
      }),
    /** Finds names by comparing every name below a folder. Used for folders with few files. */
    findByLooking: ({ indexId, text, prefix, limit }: MatchQuery): Promise<MatchRow[]> =>
      withoutWorkers(db, (on) =>
        run(
          on,
          sql`select ${COLUMNS} from objects as o join object_names as n on n.object_id = o.id
            where o.index_id = ${indexId} ${below(prefix)} and ${holds(text)} limit ${limit}`,
        ),
      ),
  }
}
