import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { pino } from 'pino'
import { afterAll, describe, inject } from 'vitest'
import { buildApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import { DATABASE_FILE } from '../config/data-dir-lock.ts'
import { type AppContext, createContext } from '../context.ts'
import { prepare } from '../first-start.ts'
import type { Engine } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { createPasswords } from '../lib/passwords.ts'
import type { Resolve } from '../outbound/fetcher.ts'
import { borrowPostgresSchema, dropPostgresSchemas, putSqliteFile } from './databases.ts'

export const ADMIN_PASSWORD = 'correct horse battery'

/** Parameters for cheap password hashing. Every test hashes and checks a password, in most cases only to log in. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export interface TestClock extends Clock {
  advance(by: { seconds?: number; hours?: number }): void
}

/** A response, with its JSON body if it has one. */
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
  /** A body that is sent unchanged. */
  readonly payload?: string | Buffer
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string>
}

/** A caller of the API. */
export interface TestClient {
  /** Value of the `Authorization` header; `null` for a visitor. */
  readonly authorization: string | null
  call(method: string, url: string, options?: TestCall): Promise<TestAnswer>
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly ctx: AppContext
  readonly clock: TestClock
  readonly dataDir: string
  readonly visitor: TestClient
  readonly admin: TestClient
  /** Creates a client with a new API key that has these permissions. */
  keyClient(permissions: Record<string, unknown>): Promise<TestClient & { id: string; key: string }>
  client(authorization: string): TestClient
  /** Stops the server and retains its data. */
  stop(): Promise<void>
  /**
   * Stops this server and starts another server on the same data, with additional environment variables. Dispose the
   * new server first.
   */
  restart(more?: Record<string, string>): Promise<TestApp>
  /** Starts a second server on the same data while this one runs; PostgreSQL only. Dispose the second server first. */
  replica(): Promise<TestApp>
}

function createClock(startMs: number): TestClock {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    advance: ({ seconds = 0, hours = 0 }) => void (nowMs += (seconds + hours * 3600) * 1000),
  }
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
    authorization,
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
  /** Resolves host names in URLs that users enter. */
  readonly resolve?: Resolve
  /** Receives every line of the log, at the most verbose level. */
  readonly onLog?: (line: string) => void
}

interface Boot {
  readonly resolve: Resolve | undefined
  readonly onLog: StartOptions['onLog']
  readonly dataDir: string
  readonly schema: { readonly url: string } | null
  readonly clock: TestClock
  readonly env: Record<string, string>
}

/**
 * Starts a server on a database and a data folder. Disposing stops the server, but does not delete the database and the
 * folder.
 */
async function boot({ dataDir, schema, clock, env, resolve, onLog }: Boot): Promise<TestApp> {
  const config = loadConfig({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD,
    WEB_ROOT: join(dataDir, 'no-web'),
    ...(schema ? { DATABASE_URL: schema.url, DATABASE_POOL_SIZE: '8' } : {}),
    ...env,
  })
  const log = onLog ? pino({ level: 'trace' }, { write: onLog }) : pino({ level: 'silent' })
  const ctx = await createContext(config, log, {
    clock,
    passwords: createPasswords(CHEAP),
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
    stop: close,
    async restart(more = {}) {
      await close()
      return boot({ dataDir, schema, clock, env: { ...env, ...more }, resolve, onLog })
    },
    replica: () => boot({ dataDir, schema, clock, env, resolve, onLog }),
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Starts the whole application in this process, with its own database and data folder, and a clock that only tests
 * advance.
 */
async function startApp(
  postgresUrl: string | null,
  { now = '2030-01-01T00:00:00Z', env = {}, resolve, onLog }: StartOptions = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-test-'))
  const schema = postgresUrl === null ? null : await borrowPostgresSchema(postgresUrl)
  if (schema === null) await putSqliteFile(join(dataDir, DATABASE_FILE))
  const first = await boot({ dataDir, schema, clock: createClock(Date.parse(now)), env, resolve, onLog })
  return {
    ...first,
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]()
      await schema?.giveBack()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface DatabaseTools {
  readonly startApp: (options?: StartOptions) => Promise<TestApp>
  readonly engine: Engine
}

type DatabaseSuite = (tools: DatabaseTools) => void

function describeOnSqlite(name: string, suite: DatabaseSuite): void {
  describe(`${name} [sqlite]`, () => {
    suite({ engine: 'sqlite', startApp: (options) => startApp(null, options) })
  })
}

function describeOnPostgres(name: string, suite: DatabaseSuite): void {
  const url = inject('postgresUrl')
  describe.skipIf(url === '')(`${name} [postgres]`, () => {
    afterAll(dropPostgresSchemas)
    suite({ engine: 'postgres', startApp: (options) => startApp(url, options) })
  })
}

/** Runs a suite on SQLite and on PostgreSQL. The title names the engine. */
export function describeEachDatabase(name: string, suite: DatabaseSuite): void {
  describeOnSqlite(name, suite)
  describeOnPostgres(name, suite)
}

/**
 * Runs a slow suite on one engine only, because it hardly depends on the database. With `EVERY_PAIR=1`, runs the suite
 * on both engines.
 * @param engine where the suite runs; SQLite if PostgreSQL is not available
 */
export function describeOneDatabase(engine: Engine, name: string, suite: DatabaseSuite): void {
  if (process.env.EVERY_PAIR === '1') describeEachDatabase(name, suite)
  else if (engine === 'postgres' && inject('postgresUrl') !== '') describeOnPostgres(name, suite)
  else describeOnSqlite(name, suite)
}
