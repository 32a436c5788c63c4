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
