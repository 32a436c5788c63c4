import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { openDatabase } from '../db/database.ts'
import { migrateToLatest } from '../db/migrate.ts'

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const DUPLICATE_DATABASE = '42P04'
let workerDatabase: Promise<string> | undefined

/**
 * Opens the database of a test worker. Each worker has a separate database, because reading the catalogue fails while
 * another worker drops a schema of the same database.
 */
async function openWorkerDatabase(url: string): Promise<string> {
  const name = `dropleaf_test_${process.env.VITEST_POOL_ID ?? '0'}`
  await run(url, `create database ${name}`).catch((error: { code?: string }) => {
    if (error.code !== DUPLICATE_DATABASE) throw error
  })
  const withDatabase = new URL(url)
  withDatabase.pathname = `/${name}`
  return withDatabase.toString()
}

export interface PostgresSchema {
  /** Connection string that selects the schema. */
  readonly url: string
  drop(): Promise<void>
}

/** Creates a new schema without tables in the test database. */
export async function createPostgresSchema(url: string): Promise<PostgresSchema> {
  const database = await (workerDatabase ??= openWorkerDatabase(url))
  const schema = `t_${randomUUID().replaceAll('-', '')}`
  await run(database, `create schema ${schema}`)
  const withSchema = new URL(database)
  withSchema.searchParams.set('options', `-c search_path=${schema}`)
  return { url: withSchema.toString(), drop: () => run(database, `drop schema ${schema} cascade`) }
}

/**
 * Deletes all rows regardless of references, and resets the counters. Does not change the list of migrations. Fails if
 * a server that was not closed has locked a table.
 */
const EMPTY = `
do $$
declare
  works text;
begin
  set local lock_timeout = '5s';
  select 'with ' || string_agg(format('d%s as (delete from %I)', n, name), ', ') || ' select 1' into works
  from (
    select tablename as name, row_number() over () as n from pg_tables
    where schemaname = current_schema() and tablename not like 'kysely%'
  ) tables;
  -- A server that was led to another schema made no tables here.
  if works is not null then execute works; end if;
  perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_sequences where schemaname = current_schema();
end
$$`

interface KeptSchema {
  readonly schema: PostgresSchema
  /**
   * The connection stays open, because a new connection would have to read the whole catalogue each time that the
   * schema is emptied.
   */
  readonly connection: Client
}

const kept: KeptSchema[] = []

async function makeKeptSchema(url: string): Promise<KeptSchema> {
  const schema = await createPostgresSchema(url)
  const connection = new Client({ connectionString: schema.url })
  await connection.connect()
  return { schema, connection }
}

/**
 * Returns a schema without rows. If another test has used the schema before, it contains the newest tables; otherwise
 * it contains none. Schemas are reused, because creating and dropping a schema costs more than most tests. `giveBack`
 * empties the schema for the next test.
 */
export async function borrowPostgresSchema(
  url: string,
): Promise<{ url: string; giveBack: () => Promise<void> }> {
  const one = kept.pop() ?? (await makeKeptSchema(url))
  return {
    url: one.schema.url,
    async giveBack() {
      await one.connection.query(EMPTY)
      kept.push(one)
    },
  }
}

/** Drops all schemas that were given back. */
export async function dropPostgresSchemas(): Promise<void> {
  for (const { schema, connection } of kept.splice(0)) {
    await connection.end()
    await schema.drop()
  }
}

/** Returns the bytes of a SQLite file with the newest schema, and no rows except the list of migrations. */
async function makeSqliteFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-template-'))
  try {
    const file = join(folder, 'empty.sqlite')
    const database = await openDatabase<object>({ url: null, sqliteFile: file, poolSize: 1 })
    await migrateToLatest(database)
    await database.close()
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

let emptySqlite: Promise<Buffer> | undefined

/** Creates an empty database where a server expects its database. */
export async function putSqliteFile(file: string): Promise<void> {
  await writeFile(file, await (emptySqlite ??= makeSqliteFile()))
}
