import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * Starts the server on a fresh SQLite database and measures how fast it answers: `npm run bench`.
 * `SECONDS` (5) is the length of each part, `CONNECTIONS` (32) how many requests are under way at once.
 */
const root = path.resolve(fileURLToPath(import.meta.url), '../..')
const SECONDS = Number(process.env['SECONDS'] ?? 5)
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 32)
const PORT = Number(process.env['PORT'] ?? 8799)
const PASSWORD = 'only-for-the-benchmark'
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

interface Call {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly body?: unknown
}

/** @throws {Error} unless the answer is a success: a fast refusal is no result. */
function call({ method, path: address, token, body }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const sent = request(
      { host: '127.0.0.1', port: PORT, method, path: address, agent, headers },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const text = Buffer.concat(chunks).toString()
          if ((answer.statusCode ?? 500) < 300) resolve(text)
          else reject(new Error(`${method} ${address}: ${answer.statusCode} ${text.slice(0, 200)}`))
        })
      },
    )
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function measure(name: string, next: () => Call) {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + SECONDS * 1000
  const work = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now()
      await call(next())
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - startedAt) / 1000
  latenciesMs.sort((a, b) => a - b)
  const at = (share: number) => (latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0).toFixed(1)
  const perSecond = Math.round(latenciesMs.length / seconds)
  console.log(
    `${name.padEnd(28)} ${String(perSecond).padStart(7)}/s   median ${at(0.5)} ms   99 % ${at(0.99)} ms`,
  )
}

async function untilReady() {
  for (;;) {
    const isReady = await call({ method: 'GET', path: '/api/ready' }).then(
      () => true,
      () => false,
    )
    if (isReady) return
    await sleep(10)
  }
}

async function residentMb(pid: number | undefined) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

async function run() {
  const loggedIn = await call({
    method: 'POST',
    path: '/api/admin/login',
    body: { username: 'admin', password: PASSWORD },
  })
  const { token } = (JSON.parse(loggedIn) as { data: { token: string } }).data
  const content = '# Notes\n\n'.padEnd(4096, 'Some words that are shared. ')
  const create = (fields: object): Call => ({
    method: 'POST',
    path: '/api/paste',
    token,
    body: { content, ...fields },
  })
  await call(create({ slug: 'bench-open' }))
  await call(create({ slug: 'bench-limited', maxViews: 2_000_000_000 }))
  await measure('read a text', () => ({ method: 'GET', path: '/api/paste/bench-open' }))
  await measure('read a limited text', () => ({ method: 'GET', path: '/api/paste/bench-limited' }))
  await measure('create a text', () => create({}))
  await measure('share page', () => ({ method: 'GET', path: '/paste/bench-open' }))
}

const dataDirectory = await mkdtemp(path.join(tmpdir(), 'dropleaf-bench-'))
const startedAt = performance.now()
const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/server/src/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(PORT),
    DATA_DIR: dataDirectory,
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'error',
  },
})
try {
  await untilReady()
  console.log(`ready after ${Math.round(performance.now() - startedAt)} ms`)
  await run()
  console.log(`resident memory ${await residentMb(server.pid)} MB`)
} finally {
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  await gone
  agent.destroy()
  await rm(dataDirectory, { recursive: true, force: true })
}
