import { sql } from 'kysely'
import { endOfFolder } from './object-index.models.ts'

export interface KeyRange {
  readonly prefix: string
  /** Keys up to and with this one are out of the range. */
  readonly after: string | null
  /** The last key of the range; `null`: to the end of the prefix. */
  readonly upTo: string | null
}

/** What lies in a range of keys, as conditions on the column `key`. */
export function inRange({ prefix, after, upTo }: KeyRange) {
  const end = endOfFolder(prefix)
  const conditions = [
    ...(prefix === '' ? [] : [sql<boolean>`key >= ${prefix}`]),
    ...(end === null ? [] : [sql<boolean>`key < ${end}`]),
    ...(after === null ? [] : [sql<boolean>`key > ${after}`]),
    ...(upTo === null ? [] : [sql<boolean>`key <= ${upTo}`]),
  ]
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql.join(conditions, sql` and `)
}
