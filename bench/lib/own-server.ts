import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../../apps/server/src/app.ts'
import { loadConfig } from '../../apps/server/src/config/config.ts'
import { type AppContext, createContext } from '../../apps/server/src/context.ts'
import { prepare } from '../../apps/server/src/first-start.ts'
import { OWN_PASSWORD } from './product.ts'
import { databaseUrl, word } from './settings.ts'
import { ownFolder } from './undo.ts'

/** The whole server in this process, with a client that measures requests. Uses `DATA_DIR` or a new data folder. */
export interface OwnServer extends AsyncDisposable {
  readonly ctx: AppContext
  /**
   * Sends a GET request that accepts gzip, and reads the response to its end.
   * @throws {Error} unless the status is 200
   */
  get(path: string): Promise<{ ms: number; bytes: number }>
}

/** Starts a server on SQLite, or on the empty PostgreSQL database of `DATABASE_URL`. */
export async function startOwnServer(): Promise<OwnServer> {
  const database = databaseUrl()
  const dataDir = word('DATA_DIR', undefined) ?? ownFolder().path
  const config = loadConfig({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: OWN_PASSWORD,
    ENCRYPTION_SECRET: 'a secret that is only for the benchmark',
    WEB_ROOT: join(dataDir, 'no-web'),
    ...(database === undefined ? {} : { DATABASE_URL: database }),
  })
  const ctx = await createContext(config, pino({ level: 'silent' }))
  await prepare(ctx)
  const app = await buildApp(ctx)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const authorization = `Basic ${Buffer.from(`admin:${OWN_PASSWORD}`).toString('base64')}`
  const login = await app.inject({
    method: 'POST',
    url: '/api/admin/login',
    payload: { username: 'admin', password: OWN_PASSWORD },
  })
  const { data } = login.json<{ data?: { token: string } }>()
  const headers = { authorization: data ? `Bearer ${data.token}` : authorization, 'accept-encoding': 'gzip' }
  return {
    ctx,
    get: (path) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const outgoing = request(new URL(path, address), { headers, agent }, (incoming) => {
          let bytes = 0
          incoming.on('data', (chunk: Buffer) => (bytes += chunk.length))
          incoming.on('end', () => {
            if (incoming.statusCode === 200) resolve({ ms: performance.now() - startedAt, bytes })
            else reject(new Error(`${path} answered ${incoming.statusCode}.`))
          })
        })
        outgoing.on('error', reject)
        outgoing.end()
      }),
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await app.close()
      await ctx.close()
    },
  }
}
