import { type Dialect, PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import { StartError } from '../lib/start-error.ts'

const INT8_OID = 20
const CONNECT_TIMEOUT_MS = 10_000

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody answers there',
  ECONNRESET: 'the connection breaks off',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up right now',
  ETIMEDOUT: 'nobody answers in time',
}

/** Returns the host and database of a connection string, without user name and password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(URL.canParse(url) ? url : url.replace('@/', '@localhost/'))
  const database = pathname.slice(1)
  return `${searchParams.get('host') ?? host}${database === '' ? '' : `, database ${database}`}`
}

function unusable(url: string, cause: unknown): StartError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return new StartError(
    `Cannot use the PostgreSQL of DATABASE_URL (${placeOf(url)}): ${REASONS[code] ?? message}.`,
    { cause },
  )
}

/** Requires UTF-8. Other encodings store fewer characters, and truncated text could end inside a character. */
async function requireUnicode(client: PoolClient, url: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding === 'UTF8') return
  throw new StartError(
    `Cannot use the PostgreSQL of DATABASE_URL (${placeOf(url)}): the database has the encoding ${encoding} and must have UTF8. ` +
      "Make one with: create database NAME encoding 'UTF8' template template0.",
  )
}

/**
 * Creates a dialect for a PostgreSQL connection string. Reads 64-bit integers as numbers, because all stored values,
 * such as timestamps and sizes, are far below 2^53. The driver is imported on demand, so that a server on SQLite does
 * not load it.
 * @throws {StartError} if no connection can be opened, or the encoding is not UTF-8
 */
export async function createPostgresDialect(url: string, poolSize: number): Promise<Dialect> {
  const { default: pg } = await import('pg')
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8_OID && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: types,
  })
  pool.on('connect', (client) => {
    // A connection that breaks while in use reports the error with its next query, so this listener ignores the error.
    // The pool listens to idle connections only, and an `error` event without a listener ends the process.
    client.on('error', () => undefined)
    // Turns off JIT compilation, which takes longer than any of our queries.
    void client.query('set jit to off').catch(() => undefined)
  })
  // Ignores idle connections that break, because the pool replaces them at the next query.
  pool.on('error', () => undefined)
  try {
    const client = await pool.connect()
    try {
      await requireUnicode(client, url)
    } finally {
      client.release()
    }
  } catch (error) {
    await pool.end()
    throw error instanceof StartError ? error : unusable(url, error)
  }
  return new PostgresDialect({ pool })
}
