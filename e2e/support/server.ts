import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemRoutes, welcomeRoutes } from '@dropleaf/contract'
import { NODE_FLAGS, serverMain } from '../../apps/server/src/testing/server-process.ts'

const root = path.resolve(fileURLToPath(import.meta.url), '../../..')
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 10_000

export interface RunningServer {
  readonly origin: string
  readonly dataDirectory: string
  /** Returns everything that the server has printed. */
  readonly output: () => string
  readonly stop: () => Promise<void>
}

export interface ServerOptions {
  /**
   * Password of the administrator. If absent, the server generates and prints a password, and shows its guide at the
   * first login.
   */
  readonly adminPassword?: string
  /** Script to run instead of the script of the product. */
  readonly main?: string
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts the built product on a free port with a new data directory. `stop` ends the server and removes the
 * directory.
 */
export async function startServer({
  adminPassword,
  main = serverMain(),
  env = {},
}: ServerOptions = {}): Promise<RunningServer> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'dropleaf-e2e-'))
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const { ADMIN_PASSWORD: _, ADMIN_USERNAME: __, DATABASE_URL: ___, ...inherited } = process.env
  const child = spawn(process.execPath, [...NODE_FLAGS, main], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDirectory,
      ...(adminPassword === undefined ? {} : { ADMIN_PASSWORD: adminPassword }),
    },
  })
  const chunks: string[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  const output = () => chunks.join('')

  const isGone = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    if (!isGone()) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const isPolite = await Promise.race([gone.then(() => true), sleep(STOP_TIMEOUT_MS).then(() => false)])
      if (!isPolite) child.kill('SIGKILL')
    }
    await rm(dataDirectory, { recursive: true, force: true })
  }

  const deadlineMs = Date.now() + START_TIMEOUT_MS
  while (!(await isHealthy(origin))) {
    if (isGone() || Date.now() > deadlineMs) {
      await stop()
      throw new Error(`The server did not start:\n${output()}`)
    }
    await sleep(50)
  }
  if (adminPassword !== undefined) await endGuide(origin, adminPassword)
  return { origin, dataDirectory, output, stop }
}

/** Completes the guide, so that tests start on a configured server. */
async function endGuide(origin: string, password: string): Promise<void> {
  const answer = await fetch(origin + welcomeRoutes.save.path, {
    method: welcomeRoutes.save.method,
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ state: 'done', step: 'done' }),
  })
  if (!answer.ok) throw new Error(`The guide could not be completed: ${answer.status} ${await answer.text()}`)
}

async function isHealthy(origin: string) {
  try {
    const answer = await fetch(origin + systemRoutes.health.path)
    return answer.ok
  } catch {
    return false
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port.')
  return address.port
}
