import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createPostgresSchema, type PostgresSchema } from '../../testing/databases.ts'
import { type ServerProcess, startCommand, startServer } from '../../testing/server-process.ts'

const PASSWORD = 'correct horse battery'
const TEXTS = 8
const FILES = 6

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function call(api: string, token: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: token, 'content-type': 'application/json', ...(init.headers as object) }
  const response = await fetch(`${api}${path}`, { ...init, headers })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

async function logIn(api: string): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const answer = await (await call(api, '', '/admin/login', { method: 'POST', body })).json()
  return `Bearer ${answer.data.token}`
}

async function end(server: ServerProcess): Promise<void> {
  const gone = new Promise((resolve) => server.process.once('exit', resolve))
  server.process.kill('SIGTERM')
  await gone
}

interface Made {
  readonly texts: Map<string, string>
  readonly files: Map<string, string>
  readonly key: string
}

async function addText(api: string, token: string, texts: Map<string, string>): Promise<void> {
  const content = randomBytes(1500).toString('base64')
  const body = JSON.stringify({ content, password: 'of this text' })
  const answer = await (await call(api, token, '/paste', { method: 'POST', body })).json()
  texts.set(answer.slug ?? answer.data.slug, content)
}

async function addFile(api: string, token: string, files: Map<string, string>): Promise<void> {
  const bytes = randomBytes(1 + Math.floor(Math.random() * 400_000))
  const answer = await (await call(api, token, '/upload-direct/x.bin', { method: 'PUT', body: bytes })).json()
  files.set(answer.data.slug, sha256(bytes))
}

async function fill(api: string, token: string): Promise<Made> {
  const made = { texts: new Map<string, string>(), files: new Map<string, string>() }
  for (let count = 0; count < TEXTS; count += 1) await addText(api, token, made.texts)
  for (let count = 0; count < FILES; count += 1) await addFile(api, token, made.files)
  const body = JSON.stringify({ name: 'Kept', expires_at: 'never', text_permission: true })
  const answer = await (await call(api, token, '/admin/api-keys', { method: 'POST', body })).json()
  return { ...made, key: answer.data.key }
}

async function expectAll(api: string, { texts, files, key }: Made): Promise<void> {
  await call(api, `ApiKey ${key}`, '/test/api-key')
  for (const [slug, content] of texts) {
    const body = JSON.stringify({ password: 'of this text' })
    const answer = await (await call(api, '', `/paste/${slug}`, { method: 'POST', body })).json()
    expect(answer.content).toBe(content)
  }
  for (const [slug, hash] of files) {
    const bytes = new Uint8Array(await (await call(api, '', `/file-download/${slug}`)).arrayBuffer())
    expect(sha256(bytes)).toBe(hash)
  }
}

/** Writes without a pause until it is told to stop. */
function keepWriting(api: string, token: string) {
  const written = { texts: new Map<string, string>(), files: new Map<string, string>() }
  const stopping = new AbortController()
  const work = (async () => {
    while (!stopping.signal.aborted) {
      await addText(api, token, written.texts)
      await addFile(api, token, written.files)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await work
      return written.texts.size
    },
  }
}

const schemas: PostgresSchema[] = []
afterAll(async () => {
  for (const schema of schemas) await schema.drop()
})

async function makePlace(folder: string, name: string, postgresUrl: string | null) {
  const schema = postgresUrl === null ? null : await createPostgresSchema(postgresUrl)
  if (schema) schemas.push(schema)
  return {
    DATA_DIR: join(folder, name),
    ADMIN_PASSWORD: PASSWORD,
    INIT_CWD: folder,
    ...(schema ? { DATABASE_URL: schema.url } : {}),
  }
}

function restores(postgresUrl: string | null): void {
  test(
    'what was there before is all there after, though others wrote meanwhile',
    { timeout: 90_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'dropleaf-backup-'))
      const env = await makePlace(folder, 'first', postgresUrl)
      const server = await startServer(env)
      const token = await logIn(server.api)
      const made = await fill(server.api, token)
      const writing = keepWriting(server.api, token)
      const saved = await startCommand('backup', { args: ['saved'], env }).done
      expect(await writing.stop()).toBeGreaterThan(0)
      expect([saved.code, saved.output]).toEqual([0, expect.stringMatching(/files, \d+ bytes, in /)])
      const inside = await startCommand('backup', { args: ['first/storage/local/saved'], env }).done
      expect([inside.code, inside.output]).toEqual([1, expect.stringMatching(/among the files/)])
      const twice = await startCommand('backup', { args: ['saved'], env }).done
      expect([twice.code, twice.output]).toEqual([1, expect.stringMatching(/is not empty/)])
      const beside = await startCommand('restore', { args: ['saved', '--force'], env }).done
      expect([beside.code, beside.output]).toEqual([1, expect.stringMatching(/running/)])
      await end(server)

      const other = await makePlace(folder, 'second', postgresUrl)
      const restored = await startCommand('restore', { args: ['saved'], env: other }).done
      expect([restored.code, restored.output]).toEqual([0, expect.stringMatching(/Restored/)])
      const again = await startServer(other)
      await expectAll(again.api, made)
      // Goes on as a server does.
      await addText(again.api, await logIn(again.api), new Map())
      await end(again)

      const refused = await startCommand('restore', { args: ['saved'], env: other }).done
      expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/in use.*--force/s)])
      const forced = await startCommand('restore', { args: ['saved', '--force'], env: other }).done
      expect([forced.code, forced.output]).toEqual([
        0,
        expect.stringMatching(/What was there is in .*replaced-/),
      ])
      await rm(folder, { recursive: true })
    },
  )
}

function refuses(postgresUrl: string | null): void {
  test('a backup that is not whole is refused before anything is written', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-backup-'))
    const env = await makePlace(folder, 'first', postgresUrl)
    const server = await startServer(env)
    const files = new Map<string, string>()
    await addFile(server.api, await logIn(server.api), files)
    await end(server)
    expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
    const other = await makePlace(folder, 'second', postgresUrl)
    const restore = () => startCommand('restore', { args: ['saved'], env: other }).done
    const manifest = join(folder, 'saved', 'manifest.json')
    const { files: listed } = JSON.parse(await readFile(manifest, 'utf8')) as {
      files: Array<{ path: string; sizeBytes: number }>
    }
    const stored = listed.find(({ path }) => path.startsWith('storage/'))
    if (!stored) throw new Error('The file is not in the backup.')
    const place = join(folder, 'saved', stored.path)
    const bytes = await readFile(place)
    await writeFile(place, Buffer.from(bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))))
    expect((await restore()).output).toMatch(/is not what was saved/)
    await rm(place)
    expect((await restore()).output).toMatch(/is missing/)
    await writeFile(place, bytes)
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.replace(stored.path, '../outside'))
    expect((await restore()).output).toMatch(/is not one of a backup/)
    await writeFile(manifest, text.replace('0001-init', '9999-later'))
    expect((await restore()).output).toMatch(/newer version/)
    const left = await readdir(join(folder, 'second')).catch(() => [])
    expect(left.filter((name) => !name.startsWith('lock.sqlite'))).toEqual([])
    await writeFile(manifest, text)
    expect((await restore()).code).toBe(0)
    await rm(folder, { recursive: true })
  })
}

describe('backup of the data [sqlite]', () => {
  restores(null)
  // Checked before the database is looked at.
  refuses(null)
})
const url = inject('postgresUrl')
describe.skipIf(url === '')('backup of the data [postgres]', () => {
  restores(url)
})
