import { type Dialect, PostgresDialect } from 'kysely'

const INT8_OID = 20
const CONNECT_TIMEOUT_MS = 10_000

/**
 * PostgreSQL by connection string. 64-bit integers come back as numbers: ours are instants and sizes, far below 2^53.
 * The driver is loaded only here, so that the SQLite server does not carry it.
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
  // Compiling a plan takes longer than any of our queries runs.
  pool.on('connect', (client) => void client.query('set jit to off').catch(() => undefined))
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
