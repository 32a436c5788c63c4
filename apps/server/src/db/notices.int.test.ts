import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createPostgresSchema, type PostgresSchema } from '../testing/databases.ts'
import { openPostgresNotices } from './notices.ts'

/** Lock that every notices connection shares. An exclusive holder keeps new connections from opening. */
const RUNNING = `hashtextextended(current_schema() || ':running', 0)`

const postgresUrl = inject('postgresUrl')

describe.skipIf(postgresUrl === '')('notices over PostgreSQL', () => {
  let schema: PostgresSchema
  let watcher: Client
  let name: string

  beforeEach(async () => {
    schema = await createPostgresSchema(postgresUrl)
    watcher = new Client({ connectionString: schema.url })
    await watcher.connect()
    name = `notices-${randomUUID()}`
  })
  afterEach(async () => {
    await watcher.end()
    await schema.drop()
  })

  function urlWith(options = ''): string {
    const url = new URL(schema.url)
    url.searchParams.set('application_name', name)
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${options}`.trim())
    return url.toString()
  }
  async function findConnections(): Promise<number[]> {
    const { rows } = await watcher.query<{ pid: number }>(
      'select pid from pg_stat_activity where application_name = $1',
      [name],
    )
    return rows.map(({ pid }) => pid)
  }
  const withdraw = () => watcher.query(`select pg_advisory_unlock(${RUNNING})`)
  const keepOut = () => watcher.query(`select pg_advisory_lock(${RUNNING})`)

  test('a connection that cannot be set up is closed', async () => {
    await keepOut()
    await expect(openPostgresNotices(urlWith('-c statement_timeout=200'))).rejects.toThrow()
    await expect.poll(findConnections).toEqual([])
  })

  test('a connection that is reopened during the shutdown is closed', async () => {
    const notices = await openPostgresNotices(urlWith())
    const [pid] = await findConnections()
    await watcher.query('select pg_terminate_backend($1)', [pid])
    await expect.poll(findConnections).toEqual([])
    await keepOut()
    await expect.poll(async () => (await findConnections()).length).toBe(1)
    await notices.close()
    await withdraw()
    await expect.poll(findConnections).toEqual([])
  })
})
