import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createPostgresSchema } from './testing/databases.ts'
import { serverMain, startCommand } from './testing/server-process.ts'

const PATIENCE_MS = 100_000
/** User id that owns no files. */
const NOBODY = 65_534

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-serve-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Starts a server that is expected to fail. @returns its exit code (`null` if it had to be killed) and its standard
 * error
 */
async function failToStart(env: Record<string, string>, args: readonly string[] = [], uid?: number) {
  const child = spawn(process.execPath, [serverMain(), ...args], {
    ...(uid !== undefined && { uid }),
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

/**
 * Starts a server, waits until it serves, tries to log in with the printed password, and stops the server. @returns
 * whether a password was printed, the status of the login, and the output before the stop
 */
async function startOnce(env: Record<string, string>) {
  const child = spawn(process.execPath, [serverMain()], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'close')
  let said = ''
  // The output ends with an empty line.
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (/Open .*\n\n$/s.test(said)) resolve()
    })
    void ended.then(() => resolve())
  })
  const password = /Password:\s+(\S+)/.exec(said)?.[1] ?? null
  const login = await fetch(`${/Open (http:\S+)/.exec(said)?.[1]}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: password ?? 'no such password' }),
  })
  const saidAtFirst = said
  child.kill('SIGTERM')
  await ended
  return { isShown: password !== null, login: login.status, saidAtFirst }
}

/** Starts a server, and sends it a request with an incomplete body. */
async function startWithRequest(dataDir: string) {
  const child = spawn(process.execPath, [serverMain()], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: join(folder, dataDir),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'close')
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  await vi.waitFor(() => expect(said).toMatch(/Open http:\S+:\d+\s/))
  const port = Number(/Open http:\S+:(\d+)/.exec(said)?.[1])
  const slow = connect({ host: '127.0.0.1', port })
  slow.on('error', () => undefined)
  slow.write(
    'POST /api/admin/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{',
  )
  // The server sends "100 Continue" once it has received the headers of the request.
  await once(slow, 'data')
  slow.pause()
  const isStopping = () => vi.waitFor(() => expect(said).toContain('requests in flight may finish'))
  return { child, ended, slow, isStopping }
}

test('the password of the first start stands alone and last, after the log', async () => {
  const { saidAtFirst } = await startOnce({ DATA_DIR: join(folder, 'alone'), LOG_LEVEL: 'info' })
  expect(saidAtFirst).toMatch(/Server listening.*Open .*Password:\n\n[A-Za-z0-9]{20}\n\n$/s)
  expect(saidAtFirst.replace(/^.*Dropleaf is ready/s, '')).not.toContain('"level"')
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s lets requests in flight end first',
  async (signal) => {
    const { child, ended, slow, isStopping } = await startWithRequest(signal)
    child.kill(signal)
    await isStopping()
    slow.write('}')
    expect(await text(slow)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await ended).toEqual([0, null])
  },
)

test('a log that is open and that nobody reads keeps no process from ending', async () => {
  const child = spawn(process.execPath, [serverMain()], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: join(folder, 'unread'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGABRT',
  })
  const ended = once(child, 'exit')
  let said = ''
  while (!said.includes('ready')) said += ((await once(child.stdout, 'data')) as [Buffer]).toString()
  child.stdout.removeAllListeners('data').pause()
  const url = `${/Open (http:\S+)/.exec(said)?.[1]}/api/health`
  // Produces more log lines than a pipe can hold.
  for (let round = 0; round < 30; round += 1)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(url)).arrayBuffer()))
  child.kill('SIGTERM')
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('a second word ends the wait for requests in flight', async () => {
  const { child, ended, isStopping } = await startWithRequest('stop')
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  await isStopping()
  // Waits, because signals that arrive within a second count as one.
  await sleep(2500)
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

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
      expect(await startOnce(env)).toMatchObject({ isShown: true, login: 200 })
      expect(await startOnce(env)).toMatchObject({ isShown: false, login: 401 })
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

describe('what it cannot use is said in one sentence, without secrets', () => {
  const refusal = (said: string) => ({ code: 1, said: `${said}\n` })
  const problem = (said: string) => refusal(`The configuration has 1 problem:\n  - ${said}`)

  test('a folder of the web app without one', async () => {
    expect(await failToStart({ WEB_ROOT: '/nowhere' })).toEqual(
      problem('WEB_ROOT: there is no index.html in /nowhere. Name the folder of the built web app.'),
    )
  })

  test.each([
    ['postgres://u:sekret@127.0.0.1:1/db', '(127.0.0.1:1, database db): nobody answers there.'],
    [
      'postgres://u:sekret@nohost.invalid/db',
      '(nohost.invalid, database db): there is no host of this name.',
    ],
    ['postgres://u:sekret@/db?host=/nowhere', '(/nowhere, database db): there is no such socket.'],
  ])('a database that is not there: %s', async (DATABASE_URL, said) => {
    expect(await failToStart({ DATABASE_URL })).toEqual(
      refusal(`Cannot use the PostgreSQL of DATABASE_URL ${said}`),
    )
  })

  test('the same with WORKERS, whose supervisor ends with them', async () => {
    const DATABASE_URL = 'postgres://u:sekret@127.0.0.1:1/db'
    expect(await failToStart({ DATABASE_URL, WORKERS: '2' })).toEqual(
      refusal('Cannot use the PostgreSQL of DATABASE_URL (127.0.0.1:1, database db): nobody answers there.'),
    )
  })

  test.skipIf(inject('postgresUrl') === '')('a database that lets nobody in', async () => {
    const url = new URL(inject('postgresUrl'))
    const place = `${url.host}, database `
    url.pathname = '/nodatabase'
    expect(await failToStart({ DATABASE_URL: url.href })).toEqual(
      refusal(
        `Cannot use the PostgreSQL of DATABASE_URL (${place}nodatabase): database "nodatabase" does not exist.`,
      ),
    )
    url.username = 'nobody'
    url.password = 'sekret'
    const { code, said } = await failToStart({ DATABASE_URL: url.href })
    expect([code, said]).toEqual([1, expect.stringMatching(/^Cannot use the PostgreSQL .*"nobody".*\.\n$/)])
    expect(said).not.toContain('sekret')
  })

  test.skipIf(inject('postgresUrl') === '')('a database that cannot hold every character', async () => {
    const url = new URL(inject('postgresUrl'))
    const sql = new Client(url.href)
    await sql.connect()
    await sql.query(`create database ascii encoding 'SQL_ASCII' locale 'C' template template0`)
    url.pathname = '/ascii'
    const said =
      `Cannot use the PostgreSQL of DATABASE_URL (${url.host}, database ascii): the database has the encoding SQL_ASCII and ` +
      `must have UTF8. Make one with: create database NAME encoding 'UTF8' template template0.`
    expect(await failToStart({ DATABASE_URL: url.href })).toEqual(refusal(said))
    await sql.query('drop database ascii')
    await sql.end()
  })

  test('an address of a database, and words, that are none', async () => {
    expect(await failToStart({ DATABASE_URL: 'postgres://u:sek ret@:port/db' })).toEqual(
      problem(
        'DATABASE_URL: must be like postgres://user:password@host:port/database, with /, ?, # and % of a password percent-encoded (it is [redacted])',
      ),
    )
    for (const DATABASE_URL of ['postgres://u:se@k/r:et@h/db', 'postgres://u:1#sekret@h/db']) {
      const { code, said } = await failToStart({ DATABASE_URL })
      expect([code, said]).toEqual([1, expect.stringContaining('of a password percent-encoded')])
      expect(said).not.toMatch(/r:et|sekret/)
    }
    expect(await failToStart({ LOG_LEVEL: 'loud' })).toEqual(
      problem('LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")'),
    )
  })

  test('a path that is one of its own, an address beside it, and a name of blanks', async () => {
    expect(await failToStart({ BASE_PATH: '/api' })).toEqual(
      problem('BASE_PATH: must not begin with a path of the server itself, such as /api (it is "/api")'),
    )
    expect(await failToStart({ BASE_PATH: 'a/../b' })).toEqual(
      problem('BASE_PATH: must not hold the names "." and ".." (it is "a/../b")'),
    )
    expect(await failToStart({ BASE_PATH: 'drop', PUBLIC_URL: 'https://example.org/other' })).toEqual(
      problem('PUBLIC_URL: must end in the path of BASE_PATH, like https://example.org/drop.'),
    )
    expect(await failToStart({ ADMIN_USERNAME: '  ' })).toEqual(
      problem('ADMIN_USERNAME: must not begin or end with a blank (it is "  ")'),
    )
  })

  test('a folder into which a restore did not bring everything', async () => {
    const env = { DATA_DIR: join(folder, 'half-restored') }
    await mkdir(join(env.DATA_DIR, 'restoring'), { recursive: true })
    await startOnce(env)
    await writeFile(join(env.DATA_DIR, 'restoring', 'secret.key'), '')
    expect(await failToStart(env)).toEqual(
      refusal(
        `A restore into ${env.DATA_DIR} was ended early: run it again with --force, or remove ${env.DATA_DIR}/restoring to go on with what is there.`,
      ),
    )
  })

  const cannotWrite = (dataDir: string, why: string) =>
    refusal(
      `Cannot write to the data folder ${dataDir}: ${why}. Set DATA_DIR to a folder that this user may write to.`,
    )

  test('a data folder that is a file, below one, or where nothing can be made', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await failToStart({ DATA_DIR: file })).toEqual(cannotWrite(file, 'it is no folder'))
    expect(await failToStart({ DATA_DIR: join(file, 'a') })).toEqual(
      cannotWrite(join(file, 'a'), 'it is no folder'),
    )
    if (process.platform === 'linux')
      expect(await failToStart({ DATA_DIR: '/proc/foo' })).toEqual(
        cannotWrite('/proc/foo', 'it cannot be made there'),
      )
  })

  test.skipIf(process.getuid?.() !== 0)('a data folder of somebody else, or in one', async () => {
    const theirs = join(folder, 'theirs')
    await mkdir(theirs, { mode: 0o755 })
    await chmod(folder, 0o755)
    for (const DATA_DIR of [theirs, join(theirs, 'deep', 'down')])
      expect(await failToStart({ DATA_DIR }, [], NOBODY)).toEqual(cannotWrite(DATA_DIR, 'permission denied'))
  })

  test('the database of another secret, without its secret, of a newer version, and a damaged one', async () => {
    const env = { DATA_DIR: join(folder, 'kept'), ENCRYPTION_SECRET: 'the secret of the first year' }
    await startOnce(env)
    expect(await failToStart({ ...env, ENCRYPTION_SECRET: 'another secret sekret' })).toEqual({
      code: 1,
      said: expect.stringMatching(/^This database was filled under another ENCRYPTION_SECRET\. [^\n]*\n$/),
    })
    expect(await failToStart({ DATA_DIR: env.DATA_DIR })).toEqual(
      refusal(
        `This database was filled under a secret that is not here: ENCRYPTION_SECRET is not set, and there is no ${env.DATA_DIR}/secret.key. Set the one, or put back the other.`,
      ),
    )
    expect(await readdir(env.DATA_DIR)).not.toContain('secret.key')
    const file = join(env.DATA_DIR, 'dropleaf.sqlite')
    const database = new DatabaseSync(file)
    database.exec("INSERT INTO kysely_migration VALUES ('9999-future', '2030-01-01T00:00:00.000Z')")
    database.close()
    const newer =
      'This database was brought up to date by a newer version of Dropleaf (9999-future). Start that one, or restore a backup from before.'
    expect(await failToStart(env)).toEqual(refusal(newer))
    const rotating = { ...env, ENCRYPTION_SECRET_PREVIOUS: 'the secret of the year before' }
    for (const name of ['reset-password', 'backup', 'rotate-secret'])
      expect(await startCommand(name, { env: rotating }).done).toMatchObject({
        code: 1,
        output: `${newer}\n`,
      })
    await writeFile(file, 'this is no database, but a text that is as long as the head of one '.repeat(20))
    expect(await failToStart(env)).toEqual(
      refusal(
        'Dropleaf cannot start: The database is damaged: file is not a database. Restore a backup of it.',
      ),
    )
  })
})

test('asked how it is used, the change of the secret changes nothing', async () => {
  const env = { DATA_DIR: join(folder, 'rotated') }
  const { code, output } = await startCommand('rotate-secret', { args: ['--help'], env }).done
  expect([code, output]).toEqual([1, expect.stringMatching(/^Usage: (?:npm run|dropleaf) rotate-secret\n$/)])
})
