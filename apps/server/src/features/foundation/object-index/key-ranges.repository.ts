import { sql } from 'kysely'
import { endOfFolder } from './object-index.models.ts'

export interface KeyRange {
  readonly prefix: string
  /** Exclusive lower bound. */
  readonly after: string | null
  /** Inclusive upper bound; `null` for the end of the prefix. */
  readonly upTo: string | null
}

/** Builds the SQL conditions on the column `key` for a key range. */
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
