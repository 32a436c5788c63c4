import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pino } from 'pino'
import { describe, expect, inject, test, vi } from 'vitest'
import { buildApp } from './app.ts'
import { loadConfig } from './config/config.ts'
import { createContext } from './context.ts'
import { sweepTemporaryFiles } from './features/capabilities/files/files.jobs.ts'
import { createPostgresSchema } from './testing/databases.ts'
import { type ServerProcess, startServer } from './testing/server-process.ts'

/** Number of rounds of load and SIGKILL per database engine. `CRASH_ROUNDS` overrides the number. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2)
const PASSWORD = 'correct horse battery'
const WORKERS = 6
const ROUND_TIMEOUT_MS = 60_000
const DAY_MS = 25 * 3_600_000

/** Changes that the server acknowledged. Only acknowledged changes must survive a kill. */
interface Ledger {
  readonly pastes: Map<string, string>
  readonly files: Map<string, string>
  readonly deletedFiles: Set<string>
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function call(api: string, token: string, path: string, init: RequestInit & { duplex?: 'half' } = {}) {
  const response = await fetch(`${api}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) },
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body.message}`)
  return body
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

async function sharePaste(api: string, token: string, ledger: Ledger): Promise<void> {
  const content = randomBytes(2000).toString('base64')
  const { slug } = await call(api, token, '/paste', json({ content }))
  ledger.pastes.set(slug, content)
}

async function shareDirect(api: string, token: string, ledger: Ledger): Promise<void> {
  const bytes = randomBytes(1 + Math.floor(Math.random() * 3_000_000))
  const { data } = await call(api, token, '/upload-direct/direct.bin', { method: 'PUT', body: bytes })
  ledger.files.set(data.id, sha256(bytes))
}

async function shareSigned(api: string, token: string, configId: string, ledger: Ledger): Promise<void> {
  const bytes = randomBytes(1 + Math.floor(Math.random() * 3_000_000))
  const { data } = await call(
    api,
    token,
    '/s3/presign',
    json({ s3_config_id: configId, filename: 'signed.bin', size: bytes.length }),
  )
  const put = await fetch(data.upload_url, { method: 'PUT', body: bytes })
  if (!put.ok) throw new Error('The signed upload was refused.')
  await call(api, token, '/s3/commit', json({ file_id: data.file_id, size: bytes.length }))
  ledger.files.set(data.file_id, sha256(bytes))
}

async function deleteSome(api: string, token: string, ledger: Ledger): Promise<void> {
  const id = ledger.files.keys().next().value
  if (id === undefined) return
  // Until the response arrives, the file may or may not exist.
  ledger.files.delete(id)
  const { data } = await call(api, token, '/admin/files/batch-delete', {
    ...json({ ids: [id] }),
    method: 'DELETE',
  })
  if (data.success === 1) ledger.deletedFiles.add(id)
}

async function work(server: ServerProcess, token: string, configId: string, ledger: Ledger): Promise<void> {
  try {
    for (;;) {
      await sharePaste(server.api, token, ledger)
      await shareDirect(server.api, token, ledger)
      await shareSigned(server.api, token, configId, ledger)
      if (Math.random() < 0.3) await deleteSome(server.api, token, ledger)
    }
  } catch (error) {
    // The kill breaks connections. Any other error is a fault of the server.
    if (server.process.killed && error instanceof TypeError) return
    throw error
  }
}

async function audit(api: string, token: string, ledger: Ledger): Promise<void> {
  for (const [slug, content] of ledger.pastes) {
    const paste = await call(api, token, `/admin/pastes/${slug}`)
    expect(paste.data.content === content).toBe(true)
  }
  for (const id of ledger.files.keys()) await call(api, token, `/admin/files/${id}`)
  const listed = await call(api, token, '/admin/files?limit=200')
  for (const file of listed.data.files) {
    expect(ledger.deletedFiles.has(file.id)).toBe(false)
    const response = await fetch(`${api}/file-download/${file.slug}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    // No file is partial if each listed file has its original size and hash.
    expect([file.id, response.status, bytes.length, sha256(bytes)]).toEqual([
      file.id,
      200,
      file.size,
      ledger.files.get(file.id) ?? file.sha256,
    ])
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/**
 * Advances the clock by a day so that leftovers are swept, then compares the names of the stored files with the
 * database.
 */
async function expectNoOrphans(env: Record<string, string>): Promise<void> {
  const config = loadConfig({ ...env, WEB_ROOT: '/nonexistent' })
  const ctx = await createContext(config, pino({ level: 'silent' }), {
    clock: { nowMs: () => Date.now() + DAY_MS },
  })
  const app = await buildApp(ctx)
  try {
    await ctx.jobs.drain()
    await sweepTemporaryFiles(ctx, 0)
    const rows = await ctx.db.selectFrom('files').select(['storage_key', 'committed_at_ms']).execute()
    expect(rows.filter((row) => row.committed_at_ms === null)).toEqual([])
    expect(await ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
    const onDisk = await filesBelow(join(config.dataDir, 'storage', 'local'))
    expect(onDisk.toSorted()).toEqual(rows.map((row) => row.storage_key).toSorted())
  } finally {
    await app.close()
    await ctx.close()
  }
}

/** @returns the number of acknowledged texts or of acknowledged files, whichever is smaller */
async function surviveKills(databaseEnv: Record<string, string>): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-crash-'))
  const env = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
    ...databaseEnv,
  }
  const ledger: Ledger = { pastes: new Map(), files: new Map(), deletedFiles: new Set() }
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startServer(env)
      const login = await call(
        server.api,
        '',
        '/admin/login',
        json({ username: 'admin', password: PASSWORD }),
      )
      const token: string = login.data.token
      const configs = await call(server.api, token, '/s3-configs')
      await audit(server.api, token, ledger)
      const known = ledger.pastes.size
      const workers = Array.from({ length: WORKERS }, () => work(server, token, configs.data[0].id, ledger))
      // When there are more new texts than workers, at least one worker has created two texts. The server has then
      // acknowledged the first files of this worker.
      await vi.waitUntil(() => ledger.pastes.size > known + WORKERS, { timeout: ROUND_TIMEOUT_MS })
      // Kills the server at a random moment.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 900))
      server.process.kill('SIGKILL')
      await once(server.process, 'exit')
      await Promise.all(workers)
    }
    const last = await startServer(env)
    const login = await call(last.api, '', '/admin/login', json({ username: 'admin', password: PASSWORD }))
    await audit(last.api, login.data.token, ledger)
    last.process.kill('SIGTERM')
    expect(await once(last.process, 'exit')).toEqual([0, null])
    await expectNoOrphans(env)
    return Math.min(ledger.pastes.size, ledger.files.size)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const TIMEOUT_MS = 30_000 + ROUNDS * ROUND_TIMEOUT_MS

describe('being killed under load loses nothing acknowledged and leaves nothing behind [sqlite]', () => {
  test(
    'SIGKILL again and again',
    async () => expect(await surviveKills({})).toBeGreaterThan(ROUNDS),
    TIMEOUT_MS,
  )
})

const FILES_PUT = 30

test('files stored through a drive directly before a SIGKILL are listed after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-crash-'))
  const env = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
  }
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`
  const drive = ({ api }: ServerProcess, method: string, path: string, body?: string) =>
    fetch(`${api.replace(/\/api$/, '/dav')}/local/${path}`, {
      method,
      headers: { authorization, depth: '1' },
      ...(body === undefined ? {} : { body }),
    })
  try {
    const killed = await startServer(env)
    await drive(killed, 'MKCOL', 'new')
    const names = Array.from({ length: FILES_PUT }, (_, at) => `new/${at}.txt`)
    const answers = await Promise.all(names.map((name) => drive(killed, 'PUT', name, name)))
    // The listing shows that the index contains these files. The server collects later changes for a moment before it
    // writes them to the index, and does not delay responses until then.
    await drive(killed, 'PROPFIND', 'new')
    const last = 'new/last.txt'
    answers.push(await drive(killed, 'PUT', last, last))
    killed.process.kill('SIGKILL')
    names.push(last)
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201))
    await once(killed.process, 'exit')
    const next = await startServer(env)
    const listed = await (await drive(next, 'PROPFIND', 'new')).text()
    next.process.kill('SIGTERM')
    await once(next.process, 'exit')
    expect(names.filter((name) => !listed.includes(`/local/${name}<`))).toEqual([])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

const postgresUrl = inject('postgresUrl')
describe.skipIf(postgresUrl === '')(
  'being killed under load loses nothing acknowledged and leaves nothing behind [postgres]',
  () => {
    test(
      'SIGKILL again and again',
      async () => {
        const schema = await createPostgresSchema(postgresUrl)
        try {
          expect(await surviveKills({ DATABASE_URL: schema.url })).toBeGreaterThan(ROUNDS)
        } finally {
          await schema.drop()
        }
      },
      TIMEOUT_MS,
    )
  },
)
