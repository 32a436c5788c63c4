import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Schema } from '../schema.ts'
import { Checkpoints } from './checkpoints.ts'
import { type OpenDatabase, openDatabase } from './database.ts'

const PAGE = 4096
/** Fewer than whoever writes brings into the file itself. */
const ROWS = 4000

let folder: string
let file: string
let database: OpenDatabase<Schema>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-checkpoints-'))
  file = join(folder, 'db')
  database = await openDatabase<Schema>({ url: null, sqliteFile: file, poolSize: 1 })
  await sql`create table pages (id integer primary key, filled text not null)`.execute(database.db)
})

afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

/** Each in a page of its own. */
async function write(from: number, to: number): Promise<void> {
  for (let id = from; id < to; id += 1) {
    await sql`insert into pages (id, filled) values (${id}, ${'x'.repeat(3000)})`.execute(database.db)
    if (id % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

const pagesInFile = async () => (await stat(file)).size / PAGE

test('a log that grows is brought into the file while others write, and none of it is lost', async () => {
  await write(0, ROWS)
  await vi.waitFor(async () => expect(await pagesInFile()).toBeGreaterThan(ROWS / 4))
  await write(ROWS, ROWS + 100)
  await database.close()
  const read = new DatabaseSync(file, { readOnly: true })
  expect(read.prepare('select count(*) as n from pages').get()).toEqual({ n: ROWS + 100 })
  expect(read.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  read.close()
})

test('a database that closes in the middle leaves one file, with all in it', async () => {
  await write(0, ROWS)
  await database.close()
  await expect(stat(`${file}-wal`)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await pagesInFile()).toBeGreaterThan(ROWS * 0.9)
})

test('a long transaction is left to itself until it has ended', async () => {
  await database.transaction(async (trx) => {
    for (let id = 0; id < ROWS; id += 1)
      await sql`insert into pages (id, filled) values (${id}, ${'x'.repeat(3000)})`.execute(trx)
  })
  expect(await pagesInFile()).toBeLessThan(10)
  await write(ROWS, ROWS + 1000)
  await vi.waitFor(async () => expect(await pagesInFile()).toBeGreaterThan(ROWS / 4))
})

test('a log that cannot be looked at, since rows are being read, is looked at later', async () => {
  await write(0, ROWS - 1000)
  await database.close()
  const own = new DatabaseSync(file)
  own.exec('pragma wal_autocheckpoint = 0')
  const checkpoints = new Checkpoints(file, own)
  const insert = own.prepare('insert into pages (filled) values (?)')
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const fill = () => {
    for (let row = 0; row < 3000; row += 1) {
      insert.run('x'.repeat(3000))
      checkpoints.noteWrite()
    }
  }
  const before = await pagesInFile()
  const rows = own.prepare('select id from pages').iterate()
  rows.next()
  fill()
  await turn()
  rows.return?.()
  fill()
  await vi.waitFor(async () => expect(await pagesInFile()).toBeGreaterThan(before + 1000))
  await checkpoints.end()
  own.close()
})
