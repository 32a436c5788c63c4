import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServer } from '../../apps/server/src/testing/server-process.ts'
import { OWN_PASSWORD as PASSWORD } from '../lib/product.ts'
import { ownFolder } from '../lib/undo.ts'

export const MIB = 1024 ** 2

export interface Reply {
  readonly status: number
  readonly code: string
  readonly ms: number
  readonly body: Buffer
}

interface Asking {
  readonly body?: Buffer | object
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export interface Product {
  readonly server: ServerProcess
  readonly origin: string
  readonly pid: number
  ask(method: string, path: string, asking?: Asking): Promise<Reply>
  memoryKb(): Promise<number>
  stop(): Promise<void>
}

const FAILED: Omit<Reply, 'ms' | 'code'> = { status: 0, body: Buffer.alloc(0) }

export async function openProduct(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  const server = await startServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ...env })
  const origin = server.api.replace(/\/api$/, '')
  const pid = server.process.pid ?? 0
  const agent = new Agent({ keepAlive: true })
  let authorization = ''
  const ask: Product['ask'] = (method, path, { body, headers = {}, timeoutMs = 60_000 } = {}) => {
    const isJson = body !== undefined && !Buffer.isBuffer(body)
    const bytes = isJson ? Buffer.from(JSON.stringify(body)) : body
    const startedAt = performance.now()
    const told = (reply: Omit<Reply, 'ms'>): Reply => ({ ...reply, ms: performance.now() - startedAt })
    return new Promise((resolve) => {
      const call = request(
        new URL(path, origin),
        {
          method,
          agent,
          timeout: timeoutMs,
          headers: {
            ...(authorization !== '' && { authorization }),
            ...(isJson && { 'content-type': 'application/json' }),
            ...(bytes && { 'content-length': bytes.length }),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', (error) => resolve(told({ ...FAILED, code: error.message })))
          answer.on('end', () => {
            const whole = Buffer.concat(chunks)
            const status = answer.statusCode ?? 0
            const code = status < 300 ? '' : (/"code":"([\w.]+)"/.exec(whole.toString('latin1'))?.[1] ?? '')
            resolve(told({ status, code, body: whole }))
          })
        },
      )
      call.on('timeout', () => call.destroy(new Error('timeout')))
      call.on('error', (error) => resolve(told({ ...FAILED, code: error.message })))
      call.end(bytes)
    })
  }
  const login = await ask('POST', '/api/admin/login', { body: { username: 'admin', password: PASSWORD } })
  authorization = `Bearer ${/"token":"([^"]+)"/.exec(login.body.toString())?.[1] ?? ''}`
  return {
    server,
    origin,
    pid,
    ask,
    async memoryKb() {
      return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
    },
    async stop() {
      agent.destroy()
      const ended = new Promise((resolve) => server.process.once('exit', resolve))
      server.process.kill('SIGTERM')
      await ended
    },
  }
}

/** Result of one fault. */
export interface Report {
  readonly told: string
  readonly isGood: boolean
}

export const counted = (replies: readonly Reply[]): string => {
  const counts = new Map<string, number>()
  for (const { status, code } of replies) {
    const what = `${status}${code && ` ${code}`}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ')
}

export const slowest = (replies: readonly Reply[]) =>
  `${Math.max(0, ...replies.map(({ ms }) => ms)).toFixed(0)} ms`
export const isOk = ({ status }: Reply) => status >= 200 && status < 300
export const share = (product: Product) =>
  product.ask('POST', '/api/paste', { body: { content: `text ${Math.random()}` } })

/** Returns the time until an attempt succeeds. @throws {Error} after a minute */
export async function recovery(attempt: () => Promise<Reply>): Promise<string> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 60_000) {
    if (isOk(await attempt())) return `${(performance.now() - startedAt).toFixed(0)} ms`
    await sleep(100)
  }
  throw new Error('The server did not recover within a minute.')
}

export async function withProduct(
  use: (product: Product, folder: string) => Promise<Report>,
): Promise<Report> {
  using folder = ownFolder()
  const product = await openProduct(folder.path)
  try {
    return await use(product, folder.path)
  } finally {
    await product.stop()
  }
}
