import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Schema } from '../schema.ts'
import { type OpenDatabase, isUniqueViolation, openDatabase } from './database.ts'
import { batched } from './prepared.ts'

const addRoom = batched<string, { id: number }>((db, { arg }) =>
  sql<{ id: number }>`insert into rooms (name) values (${arg((name) => name)}) returning id`.compile(db),
)
const visit = batched<string, { visits: number }>((db, { arg }) =>
  sql<{
    visits: number
  }>`update rooms set visits = visits + 1 where name = ${arg((name) => name)} and visits < 5
    returning visits`.compile(db),
)

let folder: string
let database: OpenDatabase<Schema>
/** Second connection, which sees only committed rows. */
let witness: DatabaseSync

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-together-'))
  database = await openDatabase<Schema>({ url: null, sqliteFile: join(folder, 'db'), poolSize: 1 })
  await sql`create table rooms (id integer primary key, name text not null unique, visits integer not null default 0)`.execute(
    database.db,
  )
  witness = new DatabaseSync(join(folder, 'db'), { readOnly: true })
})

afterEach(async () => {
  vi.restoreAllMocks()
  witness.close()
  await database.close()
  await rm(folder, { recursive: true })
})

const committedNames = () =>
  witness
    .prepare('select name from rooms order by name')
    .all()
    .map(({ name }) => name)
const framesInLog = () => Number(witness.prepare('pragma wal_checkpoint(noop)').get()?.['log'])

test('each caller gets its own rows, and only after the commit', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `room ${index + 10}`)
  const ids = await Promise.all(
    names.map(async (name) => {
      const [row] = await addRoom(database.db, name)
      expect(committedNames()).toContain(name)
      return row?.id
    }),
  )
  expect(ids).toEqual(names.map((_, index) => index + 1))
})

test('concurrent writes share one commit', async () => {
  await addRoom(database.db, 'hall')
  const before = framesInLog()
  await Promise.all(Array.from({ length: 50 }, (_, index) => addRoom(database.db, `room ${index}`)))
  expect(framesInLog() - before).toBeLessThan(10)
})

test('a failed write does not affect the others', async () => {
  const outcomes = await Promise.allSettled(
    ['hall', 'attic', 'hall', 'cellar'].map((name) => addRoom(database.db, name)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(isUniqueViolation((outcomes[2] as PromiseRejectedResult).reason)).toBe(true)
  expect(committedNames()).toEqual(['attic', 'cellar', 'hall'])
})

test('a condition applies to each write as if it were alone, also among failing ones', async () => {
  await addRoom(database.db, 'hall')
  const visits = await Promise.all([
    ...Array.from({ length: 12 }, () => visit(database.db, 'hall')),
    addRoom(database.db, 'hall').catch(() => []),
  ])
  expect(visits.flat()).toEqual([1, 2, 3, 4, 5].map((count) => ({ visits: count })))
})

test('a batch waits for another transaction and does not join it', async () => {
  const began = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const undone = database
    .transaction(async (trx) => {
      await addRoom(trx, 'undone')
      began.resolve()
      await mayEnd.promise
      throw new Error('no')
    })
    .catch(() => 'rolled back')
  await began.promise
  const added = Promise.all([addRoom(database.db, 'hall'), addRoom(database.db, 'attic')])
  await new Promise((resolve) => setImmediate(resolve))
  mayEnd.resolve()
  expect(await undone).toBe('rolled back')
  await added
  expect(committedNames()).toEqual(['attic', 'hall'])
})

test('a write to a closed database fails', async () => {
  const mayEnd = Promise.withResolvers<void>()
  const before = database.db.connection().execute(() => mayEnd.promise)
  const added = Promise.allSettled(['a', 'b'].map((letter) => addRoom(database.db, letter)))
  await database.close()
  mayEnd.resolve()
  await before
  expect((await added).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  database = await openDatabase<Schema>({ url: null, sqliteFile: join(folder, 'db'), poolSize: 1 })
})

test('a transaction that a full disk has ended reports the full disk', async () => {
  await sql`pragma max_page_count = 10`.execute(database.db)
  const filled = database.transaction(async (trx) => {
    for (let at = 0; at < 100; at += 1)
      await sql`insert into rooms (name) values (${String(at).repeat(1000)})`.execute(trx)
  })
  await expect(filled).rejects.toThrow('database or disk is full')
  expect((await addRoom(database.db, 'small')).length).toBe(1)
})
