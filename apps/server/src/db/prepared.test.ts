import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Schema } from '../schema.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { cachedAbsence, cached } from './prepared.ts'

const TABLES = [
  'create table houses (id integer primary key, name text)',
  'create table rooms (id integer primary key, house_id integer references houses (id) on delete cascade)',
  'create table gardens (id integer primary key)',
  "insert into houses values (1, 'old'), (2, 'new')",
  'insert into rooms values (10, 1), (11, 1), (20, 2)',
]

const houseOf = cached<number, { name: string }>((db, { arg }) =>
  sql<{ name: string }>`select name from houses where id = ${arg((id) => id)}`.compile(db),
)
const roomsOf = cached<number, { id: number }>((db, { arg }) =>
  sql<{ id: number }>`select id from rooms where house_id = ${arg((id) => id)}`.compile(db),
)

let folder: string
let database: OpenDatabase<Schema>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-remembered-'))
  database = await openDatabase<Schema>({ url: null, sqliteFile: join(folder, 'db'), poolSize: 1 })
  for (const statement of TABLES) await run(statement)
  // The tables that a statement reads are known after its first run.
  await houseOf(database.db, 0)
  await roomsOf(database.db, 0)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
  await rm(folder, { recursive: true })
})

const run = (statement: string) => sql.raw(statement).execute(database.db)

test('rows are cached by query, and writes to other tables do not affect them', async () => {
  const first = await houseOf(database.db, 1)
  expect(first).toEqual([{ name: 'old' }])
  await run('insert into gardens values (1)')
  expect(await houseOf(database.db, 1)).toBe(first)
  expect(await houseOf(database.db, 2)).toEqual([{ name: 'new' }])
})

test('a write to their table, also by a cascade, invalidates cached rows', async () => {
  await houseOf(database.db, 1)
  expect(await roomsOf(database.db, 1)).toHaveLength(2)
  await run("update houses set name = 'painted' where id = 1")
  expect(await houseOf(database.db, 1)).toEqual([{ name: 'painted' }])
  await run('delete from houses where id = 1')
  expect(await roomsOf(database.db, 1)).toEqual([])
})

test('rows that a transaction read after its own changes are discarded by a rollback', async () => {
  const undone = database.transaction(async (trx) => {
    await sql`update houses set name = 'dreamt'`.execute(trx)
    expect(await houseOf(trx, 1)).toEqual([{ name: 'dreamt' }])
    throw new Error('No.')
  })
  await expect(undone).rejects.toThrow('No.')
  expect(await houseOf(database.db, 1)).toEqual([{ name: 'old' }])
})

test('a write during the wait of a statement is not missed', async () => {
  const [, early] = await Promise.all([
    database.transaction(async (trx) => {
      await sql`update houses set name = 'painted'`.execute(trx)
    }),
    houseOf(database.db, 1),
  ])
  expect(early).toEqual([{ name: 'painted' }])
  await run("update houses set name = 'plain'")
  expect(await houseOf(database.db, 1)).toEqual([{ name: 'plain' }])
})

test('writes of another program are visible after a second', async () => {
  await houseOf(database.db, 1)
  const other = new DatabaseSync(join(folder, 'db'))
  other.exec("update houses set name = 'edited'")
  other.close()
  const nowMs = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(nowMs + 1001)
  expect(await houseOf(database.db, 1)).toEqual([{ name: 'edited' }])
})

test('an empty table is not queried until it has rows', async () => {
  const findPlants = vi.fn<(db: unknown, id: number) => Promise<Array<{ id: number }>>>(async (_db, id) =>
    Promise.resolve([{ id }]),
  )
  const plantsOf = cachedAbsence<number, { id: number }>(
    (db) => sql`select 1 from gardens limit 1`.compile(db),
    findPlants,
  )
  expect(await plantsOf(database.db, 1)).toEqual([])
  expect(await plantsOf(database.db, 2)).toEqual([])
  expect(findPlants).not.toHaveBeenCalled()
  await run('insert into gardens values (1)')
  expect(await plantsOf(database.db, 3)).toEqual([{ id: 3 }])
  await run('delete from gardens')
  expect(await plantsOf(database.db, 4)).toEqual([])
})
