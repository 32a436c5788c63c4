import { sql } from 'kysely'
import { engineOf } from '../../../db/engine.ts'
import { type Blank, prepared } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'
import { gramsOf } from './object-index.models.ts'

export interface NewName {
  readonly object_id: number
  readonly folded: string
}

/**
 * Number of partitions of the indexed names. PostgreSQL reads the whole posting list of a gram before it returns a row,
 * so a frequent gram is searched in one partition first. A partition has consecutive names, so that its matches are in
 * few disk blocks.
 */
export const NAME_PARTS = 16
const NAMES_IN_A_ROW = 65_536

/**
 * Hashes a text to 32 bits (FNV-1a with the MurmurHash finalizer). Collisions only cause false candidates, which are
 * removed by comparing the names.
 */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return value ^ (value >>> 12)
}

const partOf = (objectId: number): number => Math.floor(objectId / NAMES_IN_A_ROW) % NAME_PARTS

/** Returns the newest full partition. The last partition is not full yet, so the partition before it is returned. */
export const fullPartBefore = (lastObjectId: number): number =>
  partOf(Math.max(0, lastObjectId - NAMES_IN_A_ROW))

/** Returns the code of a gram in one partition of one index, for PostgreSQL. */
export const gramCode = (gram: string, { indexId, part }: { indexId: number; part: number }): number =>
  hash(gram, Math.imul(indexId * NAME_PARTS + part + 1, 0x9e3779b1))

const codesOf = ({ object_id, folded }: NewName, indexId: number) => {
  const part = partOf(object_id)
  return `{${gramsOf(folded)
    .map((gram) => gramCode(gram, { indexId, part }))
    .join(',')}}`
}

const hexOf = (unit: number): string => unit.toString(16).padStart(4, '0')
/**
 * Hexadecimal codes of the ASCII characters. They are computed in advance, because most names consist of ASCII
 * characters.
 */
const ASCII_HEX = Array.from({ length: 128 }, (_, unit) => hexOf(unit))

/** Encodes a gram of one index as a token of SQLite's full-text table. */
export function gramWord(gram: string, indexId: number): string {
  let word = `${indexId}x`
  for (let at = 0; at < gram.length; at += 1) {
    const unit = gram.charCodeAt(at)
    word += ASCII_HEX[unit] ?? hexOf(unit)
  }
  return word
}

const wordsOf = (folded: string, indexId: number) =>
  gramsOf(folded)
    .map((gram) => gramWord(gram, indexId))
    .join(' ')

const insertNames = prepared((db, { engine, arg }: Blank<{ indexId: number; names: readonly NewName[] }>) =>
  sql`insert into object_names (object_id, index_id, folded)
      select object_id, ${arg(({ indexId }) => indexId)}, folded
      from ${rowsOf(
        engine,
        arg(({ names }) => names),
        { object_id: 'bigint', folded: 'text' },
      )} as given where 1 = 1`.compile(db),
)

const insertGrams = prepared(
  (db, { engine, arg }: Blank<ReadonlyArray<{ object_id: number; words: string }>>) =>
    sql`insert into object_grams (rowid, grams) select object_id, words
      from ${rowsOf(
        engine,
        arg((rows) => rows),
        { object_id: 'bigint', words: 'text' },
      )} as given where 1 = 1`.compile(db),
)

export const objectNamesRepository = (db: Db) => ({
  async insert(indexId: number, names: readonly NewName[]): Promise<void> {
    const engine = engineOf(db)
    if (engine === 'postgres') {
      const rows = names.map((name) => ({ ...name, grams: codesOf(name, indexId) }))
      await sql`insert into object_names (object_id, index_id, folded, grams)
        select object_id, ${indexId}, folded, grams::integer[]
        from ${rowsOf(engine, rows, { object_id: 'bigint', folded: 'text', grams: 'text' })} as given`.execute(
        db,
      )
      return
    }
    await insertNames(db, { indexId, names })
    const rows = names.map(({ object_id, folded }) => ({ object_id, words: wordsOf(folded, indexId) }))
    await insertGrams(db, rows)
  },

  async delete(indexId: number, objectIds: readonly number[]): Promise<void> {
    const engine = engineOf(db)
    const given = rowsOf(
      engine,
      objectIds.map((id) => ({ id })),
      { id: 'bigint' },
    )
    const { rows } =
      await sql<NewName>`delete from object_names where object_id in (select id from ${given} as given)
      returning object_id, folded`.execute(db)
    if (engine === 'postgres' || rows.length === 0) return
    // The full-text table is contentless, so a deletion must supply the indexed text.
    const gone = rows.map(({ object_id, folded }) => ({ object_id, words: wordsOf(folded, indexId) }))
    await sql`insert into object_grams (object_grams, rowid, grams) select 'delete', object_id, words
      from ${rowsOf(engine, gone, { object_id: 'bigint', words: 'text' })} as given where 1 = 1`.execute(db)
  },
})
