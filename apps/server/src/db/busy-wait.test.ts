import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Schema } from '../schema.ts'
import { databaseTrouble, type OpenDatabase, openDatabase } from './database.ts'
import { BusyWait } from './busy-wait.ts'
import { batched } from './prepared.ts'

const add = batched<number, unknown>((db, { arg }) =>
  sql`insert into numbers values (${arg((number) => number)})`.compile(db),
)

let folder: string
let database: OpenDatabase<Schema>
/** Connection of another program, which can lock the database file. */
let other: DatabaseSync
/** Current time of the test. Advances only when the code under test pauses. */
let nowMs: number

beforeEach(async () => {
  nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-patience-'))
  const sqliteFile = join(folder, 'db')
  database = await openDatabase<Schema>({ url: null, sqliteFile, poolSize: 1 })
  await sql`create table numbers (value integer not null)`.execute(database.db)
  other = new DatabaseSync(sqliteFile)
})

afterEach(async () => {
  vi.restoreAllMocks()
  other.close()
  await database.close()
  await rm(folder, { recursive: true })
})

async function pause() {
  nowMs += 10
}
const insert = (number: number) => sql`insert into numbers values (${number})`

test('a write waits for another program without blocking the event loop', async () => {
  other.exec('begin immediate; insert into numbers values (0)')
  const { rows: patience } = await sql`pragma busy_timeout`.execute(database.db)
  expect(patience).toEqual([{ timeout: 0 }])
  let isWritten = false
  const writes = Promise.all([
    insert(1).execute(database.db),
    database.transaction(async (trx) => {
      await sql`select * from numbers`.execute(trx)
      await insert(2).execute(trx)
    }),
    add(database.db, 3),
    add(database.db, 4),
  ])
  void writes.then(() => (isWritten = true))
  for (let passed = 0; passed < 100; passed += 1) await turn()
  expect(isWritten).toBe(false)
  other.exec('commit')
  await writes
  const { rows } = await sql<{ value: number }>`select value from numbers order by value`.execute(database.db)
  expect(rows.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4])
})

test('waiting has a time limit, after which later writes fail immediately', async () => {
  const busy = () => Promise.reject(Object.assign(new Error('database is locked'), { errcode: 5 }))
  const patience = new BusyWait(pause, 100)
  const firstOnes = await Promise.allSettled([patience.run(busy), patience.run(busy)])
  expect(firstOnes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(nowMs).toBeGreaterThanOrEqual(100)
  let tries = 0
  const late = patience.run(() => {
    tries += 1
    return busy()
  })
  await expect(late.catch(databaseTrouble)).resolves.toBe('away')
  expect(tries).toBe(1)
  expect(await patience.run(() => 'done')).toBe('done')
})

test('a write waits for each of several programs that lock the file one after the other', async () => {
  const patience = new BusyWait(pause, 100)
  for (let turn = 0; turn < 8; turn += 1) {
    let tries = 0
    const write = () => {
      tries += 1
      if (tries <= 3) throw Object.assign(new Error('database is locked'), { errcode: 5 })
      return 'done'
    }
    expect(await patience.run(write)).toBe('done')
  }
})

test('after a write that succeeds immediately, later writes wait again', async () => {
  const patience = new BusyWait(pause, 50)
  let refusals = Infinity
  const write = () => {
    refusals -= 1
    if (refusals >= 0) throw Object.assign(new Error('database is locked'), { errcode: 5 })
    return 'done'
  }
  await expect(patience.run(write)).rejects.toThrow('locked')
  refusals = 0
  await patience.run(write, 'insert into numbers values (1)')
  refusals = 2
  expect(await patience.run(write)).toBe('done')
})

test('other errors are reported immediately', async () => {
  const patience = new BusyWait(pause)
  let tries = 0
  const wrong = () => {
    tries += 1
    throw Object.assign(new Error('no such table'), { errcode: 1 })
  }
  await expect(patience.run(wrong)).rejects.toThrow('no such table')
  expect(tries).toBe(1)
})

test('reads continue while writes wait', async () => {
  other.exec('begin immediate')
  const writes = Promise.allSettled([
    insert(1).execute(database.db),
    database.transaction((trx) => insert(2).execute(trx)),
    add(database.db, 3),
    add(database.db, 4),
  ])
  const { rows } = await sql`select * from numbers`.execute(database.db)
  expect(rows).toEqual([])
  other.exec('rollback')
  expect((await writes).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})

test('no other write happens between the reads and the writes of a transaction', async () => {
  await database.transaction(async (trx) => {
    await sql`select * from numbers`.execute(trx)
    expect(() => other.exec('insert into numbers values (0)')).toThrow('locked')
    await insert(1).execute(trx)
  })
})
