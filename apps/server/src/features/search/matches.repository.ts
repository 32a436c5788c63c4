import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../db/database.ts'
import type { Db } from '../../schema.ts'
import { endOfFolder, queryGramsOf } from './object-index.models.ts'
import { gramCode, gramWord, NAME_PARTS } from './object-names.repository.ts'

/** A file whose name matches. */
export interface MatchRow {
  readonly key: string
  readonly folded: string
  readonly size_bytes: number
  readonly modified_at_ms: number
}

export interface MatchQuery {
  readonly indexId: number
  /** Folded, two UTF-16 units or more unless `isStart`. */
  readonly text: string
  /** Only below this folder: empty, or with a slash at its end. */
  readonly prefix: string
  readonly limit: number
}

/** Names that hold all grams of a text are compared with it, up to so many. */
const COMPARED_MAX = 20_000

const COLUMNS = sql`o.key, n.folded, o.size_bytes, o.modified_at_ms`

function below(prefix: string): RawBuilder<unknown> {
  const end = endOfFolder(prefix)
  return end === null ? sql`` : sql`and o.key >= ${prefix} and o.key < ${end}`
}

/** Looks for files by their folded names. */
export const matchesRepository = (db: Db, engine: Engine) => {
  const holds = (text: string) =>
    engine === 'sqlite' ? sql`instr(n.folded, ${text}) > 0` : sql`position(${text} in n.folded) > 0`
  const run = async (statement: RawBuilder<unknown>) =>
    (await (statement as RawBuilder<MatchRow>).execute(db)).rows

  async function byGramsOnSqlite({ indexId, text, prefix, limit }: MatchQuery): Promise<MatchRow[]> {
    const words = queryGramsOf(text)
      .map((gram) => gramWord(gram, indexId))
      .join(' ')
    return run(sql`select ${COLUMNS} from
      (select rowid from object_grams where object_grams match ${words} order by rowid desc limit ${COMPARED_MAX}) as c
      cross join object_names as n on n.object_id = c.rowid
      cross join objects as o on o.id = c.rowid
      where ${holds(text)} ${below(prefix)} limit ${limit}`)
  }

  const inParts = ({ indexId, text }: MatchQuery, parts: readonly number[]) =>
    sql.join(
      parts.map((part) => {
        const codes = queryGramsOf(text).map((gram) => gramCode(gram, { indexId, part }))
        return sql`n.grams @> ${sql.val(codes)}::integer[]`
      }),
      sql` or `,
    )

  /** A text that many names hold is found often enough in one part of them. */
  async function byGramsOnPostgres(query: MatchQuery): Promise<MatchRow[]> {
    const ask = (parts: readonly number[], limit: number) =>
      run(sql`select ${COLUMNS} from object_names as n join objects as o on o.id = n.object_id
        where (${inParts(query, parts)}) and ${holds(query.text)} ${below(query.prefix)} limit ${limit}`)
    const first = await ask([0], query.limit)
    if (first.length === query.limit) return first
    const others = Array.from({ length: NAME_PARTS - 1 }, (_, index) => index + 1)
    return first.concat(await ask(others, query.limit - first.length))
  }

  return {
    /** Names that are the text or begin with it, in the order of names: the same name comes first. */
    findByStart: ({ indexId, text, prefix, limit }: MatchQuery): Promise<MatchRow[]> =>
      run(sql`select ${COLUMNS} from object_names as n join objects as o on o.id = n.object_id
        where n.index_id = ${indexId} and n.folded >= ${text} and n.folded < ${`${text}\u{10ffff}`} ${below(prefix)}
        order by n.folded limit ${limit}`),
    /** Names that hold the text anywhere. */
    findByGrams: (query: MatchQuery): Promise<MatchRow[]> =>
      engine === 'sqlite' ? byGramsOnSqlite(query) : byGramsOnPostgres(query),
    /** The same for a part of the storage that holds few files: looks at every name there. */
    findByLooking: ({ indexId, text, prefix, limit }: MatchQuery): Promise<MatchRow[]> =>
      run(sql`select ${COLUMNS} from objects as o join object_names as n on n.object_id = o.id
        where o.index_id = ${indexId} ${below(prefix)} and ${holds(text)} limit ${limit}`),
  }
}
