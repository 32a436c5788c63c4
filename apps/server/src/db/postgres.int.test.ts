import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Schema } from '../schema.ts'
import { createPostgresSchema, type PostgresSchema } from '../testing/databases.ts'
import { databaseTrouble, type OpenDatabase, openDatabase } from './database.ts'

const postgresUrl = inject('postgresUrl')

/** Ends connections as a database restart does. An `error` event without a listener would end this process. */
describe.skipIf(postgresUrl === '')('connections to PostgreSQL that are lost during use', () => {
  let schema: PostgresSchema
  let database: OpenDatabase<Schema>
  let other: Client

  beforeEach(async () => {
    schema = await createPostgresSchema(postgresUrl)
    other = new Client({ connectionString: schema.url })
    await other.connect()
    database = await openDatabase({ url: schema.url, sqliteFile: '', poolSize: 2 })
  })
  afterEach(async () => {
    await database.close()
    await other.end()
    await schema.drop()
  })

  async function end(pid: number): Promise<void> {
    await other.query('select pg_terminate_backend($1)', [pid])
    const find = () => other.query('select 1 from pg_stat_activity where pid = $1', [pid])
    await expect.poll(async () => (await find()).rows).toEqual([])
  }
  const troubleOf = (work: Promise<unknown>) => work.then(() => 'none', databaseTrouble)
  const ownPid = sql<{ pid: number }>`select pg_backend_pid() as pid`
  /**
   * Whether a query succeeds. The pool can hand out a used connection once more before it notices that the connection
   * has ended.
   */
  const works = () => ownPid.execute(database.db).then(() => true, databaseTrouble)

  test('in the middle of a statement', async () => {
    const running = troubleOf(sql`select pg_sleep(30)`.execute(database.db))
    const find = async () =>
      (
        await other.query<{ pid: number }>(
          `select pid from pg_stat_activity where query = 'select pg_sleep(30)' and datname = current_database()`,
        )
      ).rows
    await expect.poll(find).toHaveLength(1)
    await end((await find())[0]?.pid ?? 0)
    expect(await running).toBe('away')
    await expect.poll(works).toBe(true)
  })

  test('between two statements of a transaction, and in exclusive work', async () => {
    const useTwice = async (db: typeof database.db) => {
      const { rows } = await ownPid.execute(db)
      await end(rows[0]?.pid ?? 0)
      await ownPid.execute(db)
    }
    expect(await troubleOf(database.transaction(useTwice))).toBe('away')
    expect(await troubleOf(database.db.connection().execute(useTwice))).toBe('away')
    const alone = database.exclusively('one', async () => {
      const { rows } = await other.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
      )
      for (const { pid } of rows) await end(pid)
    })
    expect(await troubleOf(alone)).toBe('away')
    await expect.poll(() => database.exclusively('one', works).catch(databaseTrouble)).toBe(true)
  })
})
