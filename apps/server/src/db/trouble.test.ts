import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { databaseTrouble } from './database.ts'

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}

test('a full database, a locked one and invalid statements are distinguished', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dropleaf-trouble-'))
  const file = join(folder, 'a.sqlite')
  const one = new DatabaseSync(file)
  one.exec('PRAGMA page_size = 512; CREATE TABLE a (b TEXT UNIQUE); PRAGMA max_page_count = 8')
  const insert = () => one.prepare('INSERT INTO a VALUES (?)').run('x'.repeat(20_000))
  expect(databaseTrouble(await failureOf(insert))).toBe('full')
  const other = new DatabaseSync(file)
  one.exec("PRAGMA max_page_count = 1000; BEGIN IMMEDIATE; INSERT INTO a VALUES ('1')")
  expect(databaseTrouble(await failureOf(() => other.exec("INSERT INTO a VALUES ('2')")))).toBe('away')
  expect(databaseTrouble(await failureOf(() => one.exec("INSERT INTO a VALUES ('1')")))).toBeNull()
  other.close()
  one.close()
  rmSync(folder, { recursive: true })
})

test('a PostgreSQL server that does not respond is unavailable', async () => {
  const client = new Client({ host: '127.0.0.1', port: 1 })
  expect(databaseTrouble(await failureOf(() => client.connect()))).toBe('away')
  expect(databaseTrouble('a word')).toBeNull()
  const gone = new Error('Connection terminated unexpectedly')
  expect(databaseTrouble(new SuppressedError(new Error('A hold could not be given back.'), gone))).toBe(
    'away',
  )
  expect(databaseTrouble(new SuppressedError(gone, new Error('Something else.')))).toBeNull()
})
