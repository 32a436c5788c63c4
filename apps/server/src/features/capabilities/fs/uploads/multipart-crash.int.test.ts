import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { createPostgresSchema } from '../../../../testing/databases.ts'
import { cut } from '../../../../testing/fs.ts'
import { type ServerProcess, startServer } from '../../../../testing/server-process.ts'

const MIB = 1024 ** 2
const PASSWORD = 'correct horse battery'
const LONG_MS = 300_000
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Returns functions that call a server's API. A call gets no response if the server is killed. */
async function connect(server: ServerProcess) {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.api}${path}`, init)
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  const json = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
  const login = await ask('/admin/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const authorization = `Bearer ${json(login.bytes).data.token}`
  return {
    get: (path: string) => ask(path, { headers: { authorization } }),
    async progress(uploadId: string) {
      const { bytes } = await ask(`/fs/multipart/parts?uploadId=${uploadId}`, { headers: { authorization } })
      return json(bytes).data
    },
    async post(path: string, body: object) {
      const headers = { authorization, 'content-type': 'application/json' }
      const { status, bytes } = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status, data: json(bytes).data }
    },
    /** Returns whether the server acknowledged the part. */
    part: (uploadId: string, partNumber: number, bytes: Buffer) =>
      ask(`/fs/multipart/part?uploadId=${uploadId}&partNumber=${partNumber}`, {
        method: 'PUT',
        headers: { authorization },
        body: new Uint8Array(bytes),
      }).then(
        ({ status }) => status === 200,
        () => false,
      ),
  }
}

async function kill(server: ServerProcess): Promise<void> {
  server.process.kill('SIGKILL')
  await once(server.process, 'exit')
}

/** Delays in milliseconds after which the server is killed, while it receives or joins parts. */
interface Kills {
  readonly underPartsMs: readonly number[]
  readonly underJoiningMs: readonly number[]
}

const EVERY_KILL: Kills = { underPartsMs: [40, 90, 140], underJoiningMs: [5, 20, 60] }
/** Distributes the kills over both databases, because each server start is slow. */
const KILLS: Readonly<Record<'sqlite' | 'postgres', Kills>> =
  process.env.EVERY_PAIR === '1'
    ? { sqlite: EVERY_KILL, postgres: EVERY_KILL }
    : {
        sqlite: { underPartsMs: [40, 140], underJoiningMs: [20] },
        postgres: { underPartsMs: [90], underJoiningMs: [5, 60] },
      }

/**
 * Uploads a file in parts, and kills the server while it receives and joins them.
 * @returns `'whole'` if the file is complete.
 */
async function surviveKills(kills: Kills, databaseEnv: Record<string, string>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-parts-'))
  const env = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
    ...databaseEnv,
  }
  const bytes = randomBytes(42 * MIB + 7)
  const pieces = cut(bytes, 5 * MIB)
  let server = await startServer(env)
  try {
    let client = await connect(server)
    const init = { path: '/local/深', fileName: 'big.bin', fileSize: bytes.length }
    const { data } = await client.post('/fs/multipart/init', init)
    const { uploadId } = data
    const acknowledged = new Set<number>()
    for (const pauseMs of kills.underPartsMs) {
      const send = async (number: number) => {
        if (await client.part(uploadId, number, pieces[number - 1] ?? Buffer.alloc(0)))
          acknowledged.add(number)
      }
      const missing = pieces.map((_, index) => index + 1).filter((number) => !acknowledged.has(number))
      const sending = Promise.all(missing.slice(0, 4).map(send))
      await sleep(pauseMs)
      await kill(server)
      await sending
      server = await startServer(env)
      client = await connect(server)
      const { parts } = await client.progress(uploadId)
      const arrived = new Set(parts.map((part: { partNumber: number }) => part.partNumber))
      // All acknowledged parts must exist. There can be further parts whose response was lost.
      expect([...acknowledged].filter((number) => !arrived.has(number))).toEqual([])
    }
    const { presignedUrls } = await client.progress(uploadId)
    for (const { partNumber, url } of presignedUrls) {
      const response = await fetch(url, { method: 'PUT', body: new Uint8Array(pieces[partNumber - 1] ?? []) })
      expect(response.status).toBe(200)
    }
    for (const pauseMs of kills.underJoiningMs) {
      const completing = client.post('/fs/multipart/complete', { uploadId }).catch(() => null)
      await sleep(pauseMs)
      await kill(server)
      await completing
      server = await startServer(env)
      client = await connect(server)
    }
    const done = await client.post('/fs/multipart/complete', { uploadId })
    expect([done.status, done.data.size]).toEqual([200, bytes.length])
    const read = await client.get(`/fs/download?path=${encodeURIComponent('/local/深/big.bin')}`)
    expect([read.status, sha256(read.bytes)]).toEqual([200, sha256(bytes)])
    const uploads = await readdir(join(dataDir, 'storage', 'local', '.dropleaf-tmp', 'uploads'))
    expect(uploads).toEqual([])
    return 'whole'
  } finally {
    await kill(server)
    await rm(dataDir, { recursive: true, force: true })
  }
}

describe('an upload in parts outlives kills of the server [sqlite]', () => {
  test('under parts and under the joining', { timeout: LONG_MS }, async () =>
    expect(await surviveKills(KILLS.sqlite, {})).toBe('whole'),
  )
})

const postgresUrl = inject('postgresUrl')
describe.skipIf(postgresUrl === '')('an upload in parts outlives kills of the server [postgres]', () => {
  test('under parts and under the joining', { timeout: LONG_MS }, async () => {
    const schema = await createPostgresSchema(postgresUrl)
    try {
      expect(await surviveKills(KILLS.postgres, { DATABASE_URL: schema.url })).toBe('whole')
    } finally {
      await schema.drop()
    }
  })
})
