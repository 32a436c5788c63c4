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
const withoutWorkers = <T>(db: Db, work: (on: Db) => Promise<T>): Promise<T> =>
  engineOf(db) === 'sqlite'
    ? work(db)
    : db.transaction().execute(async (trx) => {
        await sql`set local max_parallel_workers_per_gather = 0`.execute(trx)
        return work(trx)
      })

export interface Matches {
  readonly rows: MatchRow[]
  /** Whether there are no further matches. */
  readonly isWhole: boolean
}

export const matchesRepository = (db: Db, { comparedMax = COMPARED_MAX } = {}) => {
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

  async function byGramsOnSqlite(on: Db, { indexId, text, prefix, limit }: MatchQuery): Promise<Matches> {
    const words = queryGramsOf(text)
      .map((gram) => gramWord(gram, indexId))
      .join(' ')
    const rows = await run(
      on,
      sql`select ${COLUMNS} from
        (select rowid from object_grams where object_grams match ${words} order by rowid desc limit ${comparedMax}) as c
        cross join object_names as n on n.object_id = c.rowid
        cross join objects as o on o.id = c.rowid
        where ${holds(text)} ${below(prefix)} limit ${limit}`,
    )
    if (rows.length === limit) return { rows, isWhole: false }
    const { rows: others } = await sql`select 1 from object_grams where object_grams match ${words}
      limit 1 offset ${comparedMax}`.execute(on)
    return { rows, isWhole: others.length === 0 }
  }

  /**
   * Finds names by grams on PostgreSQL. Searches a single partition of the names first, because this partition usually
   * has enough matches for a frequent text.
   */
  async function byGramsOnPostgres(on: Db, query: MatchQuery): Promise<Matches> {
    const ask = (parts: Parts, limit: number) =>
      run(
        on,
        sql`select ${COLUMNS} from object_names as n join objects as o on o.id = n.object_id
          where (${inParts(query, parts)}) and ${holds(query.text)} ${below(query.prefix)} limit ${limit}`,
      )
    const last = await sql<{ id: number | null }>`select max(object_id) as id from object_names`.execute(on)
    const part = fullPartBefore(last.rows[0]?.id ?? 0)
    const first = await ask([part], query.limit)
    if (first.length === query.limit) return { rows: first, isWhole: false }
    const others = ALL_PARTS.filter((other) => other !== part)
    const rows = first.concat(await ask(others, query.limit - first.length))
    return { rows, isWhole: rows.length < query.limit }
  }

  const byGrams = engine === 'sqlite' ? byGramsOnSqlite : byGramsOnPostgres

  return {
    /**
     * Finds names that contain the text. Names that start with the text are searched first, so that the limit does not
     * hide them. For a text of one character, which has no grams, finds only names that start with it.
     */
    findByName: (query: MatchQuery): Promise<Matches> =>
      withoutWorkers(db, async (on) => {
        const starting = await byStart(on, { ...query, limit: STARTS_MAX })
        if (query.text.length < 2) return { rows: starting, isWhole: false }
        const { rows, isWhole } = await byGrams(on, query)
        return { rows: starting.concat(rows), isWhole }
      }),
    /** Finds names by comparing every name below a folder. Used for folders with few files. */
    findByLooking: ({ indexId, text, prefix, limit }: MatchQuery): Promise<Matches> =>
      withoutWorkers(db, async (on) => {
        const rows = await run(
          on,
          sql`select ${COLUMNS} from objects as o join object_names as n on n.object_id = o.id
            where o.index_id = ${indexId} ${below(prefix)} and ${holds(text)} limit ${limit}`,
        )
        return { rows, isWhole: rows.length < limit }
      }),
  }
}
