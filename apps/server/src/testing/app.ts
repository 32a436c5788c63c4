import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { Client } from 'pg'
import { pino } from 'pino'
import { describe, inject } from 'vitest'
import { buildApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import { type AppContext, createContext } from '../context.ts'
import { prepare } from '../first-start.ts'
import type { Clock } from '../lib/clock.ts'
import type { Resolve } from '../outbound/fetcher.ts'

export const ADMIN_PASSWORD = 'correct horse battery'

export interface TestClock extends Clock {
  advance(by: { seconds?: number; hours?: number }): void
}

/** An answer with its JSON body, if it has one. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly bytes: Buffer
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

export interface TestCall {
  readonly body?: unknown
  /** Sent as it is. */
  readonly payload?: string | Buffer
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string>
}

/** Someone who calls the API. */
export interface TestClient {
  call(method: string, url: string, options?: TestCall): Promise<TestAnswer>
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly ctx: AppContext
  readonly clock: TestClock
  readonly dataDir: string
  readonly visitor: TestClient
  readonly admin: TestClient
  /** A client with a new key of these permissions. */
  keyClient(permissions: Record<string, unknown>): Promise<TestClient & { id: string; key: string }>
  client(authorization: string): TestClient
  /** Ends this process and starts another on the same data; it is disposed before this one. */
  restart(): Promise<TestApp>
}

function createClock(startMs: number): TestClock {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    advance: ({ seconds = 0, hours = 0 }) => void (nowMs += (seconds + hours * 3600) * 1000),
  }
}

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

/** One database for each worker of the run: looking through a catalogue breaks while another drops its schema there. */
async function openWorkerDatabase(url: string): Promise<string> {
  const name = `dropleaf_test_${process.env.VITEST_POOL_ID ?? '0'}`
  await run(url, `create database ${name}`).catch((error: { code?: string }) => {
    if (error.code !== DUPLICATE_DATABASE) throw error
  })
  const withDatabase = new URL(url)
  withDatabase.pathname = `/${name}`
  return withDatabase.toString()
}

/** A schema of its own in the test database; the URL selects it. */
export async function createPostgresSchema(url: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const database = await (workerDatabase ??= openWorkerDatabase(url))
  const schema = `t_${randomUUID().replaceAll('-', '')}`
  await run(database, `create schema ${schema}`)
  const withSchema = new URL(database)
  withSchema.searchParams.set('options', `-c search_path=${schema}`)
  return { url: withSchema.toString(), drop: () => run(database, `drop schema ${schema} cascade`) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function createClient(app: FastifyInstance, authorization: string | null): TestClient {
  return {
    async call(method, url, { body, payload, headers = {}, query } = {}) {
      const response = await app.inject({
        method: method as Extract<HTTPMethods, 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'>,
        url,
        headers: { ...(authorization === null ? {} : { authorization }), ...headers },
        ...(query ? { query } : {}),
        ...(body === undefined ? {} : { payload: body as object }),
        ...(payload === undefined ? {} : { payload }),
      })
      return {
        status: response.statusCode,
        headers: response.headers as Record<string, string | undefined>,
        text: response.body,
        bytes: response.rawPayload,
        body: parseJson(response.body),
      }
    },
  }
}

export interface StartOptions {
  readonly now?: string
  readonly env?: Record<string, string>
  /** Resolves the hosts of addresses that users give. */
  readonly resolve?: Resolve
}

interface Boot {
  readonly resolve: Resolve | undefined
  readonly dataDir: string
  readonly schema: { readonly url: string } | null
  readonly clock: TestClock
  readonly env: Record<string, string>
}

/** One process' life on a database and a data folder. Disposing ends it and leaves both as they are. */
async function boot({ dataDir, schema, clock, env, resolve }: Boot): Promise<TestApp> {
  const config = loadConfig({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD,
    WEB_ROOT: join(dataDir, 'no-web'),
    ...(schema ? { DATABASE_URL: schema.url, DATABASE_POOL_SIZE: '8' } : {}),
    ...env,
  })
  const ctx = await createContext(config, pino({ level: 'silent' }), {
    clock,
    ...(resolve ? { resolve } : {}),
  })
  await prepare(ctx)
  const app = await buildApp(ctx)
  await app.ready()
  const visitor = createClient(app, null)
  const login = await visitor.call('POST', '/api/admin/login', {
    body: { username: 'admin', password: ADMIN_PASSWORD },
  })
  const admin = createClient(app, `Bearer ${login.body.data.token}`)
  let isClosed = false
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await app.close()
    await ctx.close()
  }
  return {
    app,
    ctx,
    clock,
    dataDir,
    visitor,
    admin,
    client: (authorization) => createClient(app, authorization),
    async keyClient(permissions) {
      const created = await admin.call('POST', '/api/admin/api-keys', {
        body: { name: randomUUID(), expires_at: 'never', ...permissions },
      })
      const { id, key } = created.body.data
      return { ...createClient(app, `ApiKey ${key}`), id, key }
    },
    async restart() {
      await close()
      return boot({ dataDir, schema, clock, env, resolve })
    },
    [Symbol.asyncDispose]: close,
  }
}

/** The whole application in this process, on a database and a data folder of its own, with a clock that stands still. */
async function startApp(
  postgresUrl: string | null,
  { now = '2030-01-01T00:00:00Z', env = {}, resolve }: StartOptions = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-test-'))
  const schema = postgresUrl === null ? null : await createPostgresSchema(postgresUrl)
  const first = await boot({ dataDir, schema, clock: createClock(Date.parse(now)), env, resolve })
  return {
    ...first,
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]()
      await schema?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs a suite on SQLite and on PostgreSQL; the engine stands in the title. */
export function describeEachDatabase(
  name: string,
  suite: (tools: {
    startApp: (options?: StartOptions) => Promise<TestApp>
    engine: 'sqlite' | 'postgres'
  }) => void,
): void {
  describe(`${name} [sqlite]`, () => {
    suite({ engine: 'sqlite', startApp: (options) => startApp(null, options) })
  })
  const url = inject('postgresUrl')
  describe.skipIf(url === '')(`${name} [postgres]`, () => {
    suite({ engine: 'postgres', startApp: (options) => startApp(url, options) })
  })
}
