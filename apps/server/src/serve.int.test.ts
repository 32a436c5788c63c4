import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createPostgresSchema } from './testing/databases.ts'
import { SERVER_MAIN, startCommand } from './testing/server-process.ts'

const PATIENCE_MS = 25_000

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-serve-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A start that is to fail. @returns its exit code, `null` when it had to be killed, and what it said on standard error. */
async function failToStart(env: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [SERVER_MAIN, ...args], {
    env: { ...process.env, HOST: '127.0.0.1', LOG_LEVEL: 'error', DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

/** A start that serves, and is stopped. @returns what it said on standard output, and whether its password opens the server */
async function startOnce(env: Record<string, string>) {
  const child = spawn(process.execPath, [SERVER_MAIN], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'close')
  let said = ''
  // The last line is an empty one.
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (/Open .*\n\n$/s.test(said)) resolve()
    })
    void ended.then(() => resolve())
  })
  const password = /Password: +(\S+)/.exec(said)?.[1] ?? null
  const login = await fetch(`${/Open (http:\S+)/.exec(said)?.[1]}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: password ?? 'no such password' }),
  })
  child.kill('SIGTERM')
  await ended
  return { isShown: password !== null, login: login.status }
}

describe('a start that fails ends, and says why', () => {
  const taken = createServer()
  let port = 0
  beforeAll(async () => {
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    port = (taken.address() as { port: number }).port
  })
  afterAll(() => taken.close())

  const inUse = () => ({
    code: 1,
    said: `Port ${port} of 127.0.0.1 is in use. Stop what listens there, or set PORT.\n`,
  })

  test('a port that is in use', async () => {
    expect(await failToStart({ PORT: String(port) })).toEqual(inUse())
  })

  test.skipIf(inject('postgresUrl') === '').each(['1', '2'])(
    'the same with PostgreSQL, WORKERS=%s',
    async (WORKERS) => {
      const schema = await createPostgresSchema(inject('postgresUrl'))
      const env = { PORT: String(port), DATABASE_URL: schema.url, DATABASE_POOL_SIZE: '5', WORKERS }
      expect(await failToStart(env)).toEqual(inUse())
      await schema.drop()
    },
  )

  test.each(['', '1', '2'])(
    'the password that such a start has generated is shown by the next one that serves (PostgreSQL, WORKERS=%j)',
    async (WORKERS) => {
      const postgresUrl = inject('postgresUrl')
      if (WORKERS !== '' && postgresUrl === '') return
      const schema = WORKERS === '' ? null : await createPostgresSchema(postgresUrl)
      const env = {
        DATA_DIR: join(folder, `unshown${WORKERS}`),
        ...(schema && { DATABASE_URL: schema.url, DATABASE_POOL_SIZE: '5', WORKERS }),
      }
      expect(await failToStart({ ...env, PORT: String(port) })).toEqual(inUse())
      expect(await startOnce(env)).toEqual({ isShown: true, login: 200 })
      expect(await startOnce(env)).toEqual({ isShown: false, login: 401 })
      await schema?.drop()
    },
  )

  test('an address that is not of this machine, and arguments', async () => {
    expect(await failToStart({ HOST: '192.0.2.77', PORT: '0' })).toEqual({
      code: 1,
      said: expect.stringContaining('192.0.2.77 is no address of this machine.'),
    })
    expect(await failToStart({}, ['--port', '80'])).toEqual({
      code: 1,
      said: expect.stringContaining('--port 80: the server takes no arguments.'),
    })
  })
})

test('asked how it is used, the change of the secret changes nothing', async () => {
  const env = { DATA_DIR: join(folder, 'rotated') }
  const { code, output } = await startCommand('rotate-secret', { args: ['--help'], env }).done
  expect([code, output]).toEqual([1, 'Usage: npm run rotate-secret\n'])
})
