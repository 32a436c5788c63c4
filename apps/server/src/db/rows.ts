import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'
import { Later } from './prepared.ts'

export type ColumnType = 'text' | 'bigint' | 'integer'

/**
 * Passes rows to a statement as a table, so that the statement's text does not depend on the number of rows. Uses one
 * parameter per column on PostgreSQL, and a single parameter on SQLite.
 * @param rows the rows, or their placeholder in a prepared statement
 * @param columns name → type, in the order of their use
 */
export function rowsOf<Row extends object>(
  engine: Engine,
  rows: readonly Row[],
  columns: { readonly [Name in keyof Row & string]: ColumnType },
): RawBuilder<Row> {
  const entries = Object.entries<ColumnType>(columns) as Array<[keyof Row & string, ColumnType]>
  const value = (of: (rows: readonly Row[]) => unknown) =>
    sql.val(rows instanceof Later ? new Later((args) => of(rows.of(args) as readonly Row[])) : of(rows))
  if (engine === 'postgres') {
    const arrays = entries.map(
      ([name, type]) => sql`${value((all) => all.map((row) => row[name]))}::${sql.raw(type)}[]`,
    )
    const names = entries.map(([name]) => sql.ref(name))
    return sql<Row>`(select * from unnest(${sql.join(arrays)}) as given(${sql.join(names)}))`
  }
  const json = value((all) => JSON.stringify(all.map((row) => entries.map(([name]) => row[name]))))
  const fields = entries.map(
    ([name], index) => sql`json_extract(value, ${sql.lit(`$[${index}]`)}) as ${sql.ref(name)}`,
  )
  return sql<Row>`(select ${sql.join(fields)} from json_each(${json}))`
}
