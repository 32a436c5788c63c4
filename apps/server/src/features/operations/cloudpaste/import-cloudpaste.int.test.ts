import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryBucket } from '@dropleaf/storage/testing'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { eachOf } from '../../../lib/concurrency.ts'
import {
  type Insert,
  inserter,
  makeOldDatabase,
  oldConfig,
  SCHEMA,
  sha256,
  stamps,
} from '../../../testing/cloudpaste.ts'
import { createPostgresSchema, type PostgresSchema } from '../../../testing/databases.ts'
import { type ServerProcess, startCommand, startServer } from '../../../testing/server-process.ts'

type Bucket = Awaited<ReturnType<typeof temporaryBucket>>

const PASSWORD = 'correct horse battery'
const ADMIN_ID = randomUUID()
const KEY_ID = randomUUID()
const KEY = 'old_custom-key'
/** What an old server's link shows to visitors. */
interface OldShare {
  readonly slug: string
  readonly content: string
  readonly password: string | null
}

interface OldServer {
  readonly texts: readonly OldShare[]
  readonly files: readonly OldShare[]
}

/**
 * Returns a password for every tenth share: alternately with and without a plain copy. One password is so old that it
 * was stored without hashing.
 */
function passwordAt(index: number) {
  if (index % 10 !== 0) return { password: null, stored: null, plain: null }
  const password = `geheim ${index}`
  if (index === 10) return { password, stored: password, plain: null }
  return { password, stored: sha256(password), plain: index % 20 === 0 ? password : null }
}

function fillTexts(insert: Insert, count: number): OldShare[] {
  return Array.from({ length: count }, (_, index) => {
    const { password, stored, plain } = passwordAt(index)
    const id = randomUUID()
    // CloudPaste did not limit the length of links, and did not reserve any links.
    const slug = index === 1 ? 'x'.repeat(120) : index === 2 ? 'admin' : `text_${index}-A`
    const content = `# 文本 ${index}\n\n${'words '.repeat(index % 50)}`
    const creator = index % 3 === 0 ? `apikey:${KEY_ID}` : ADMIN_ID
    const limits = { max_views: index % 7 === 0 ? 5 : null, views: index % 7 === 0 ? 1 : index }
    const row = { id, slug, content, remark: `note ${index}`, password: stored, created_by: creator }
    insert('pastes', { ...row, ...limits, expires_at: null, ...stamps })
    if (plain !== null) insert('paste_passwords', { paste_id: id, plain_password: plain, ...stamps })
    return { slug, content, password }
  })
}

async function fillFiles(
  insert: Insert,
  { s3, bucket }: Bucket,
  { configId, count }: { configId: string; count: number },
): Promise<OldShare[]> {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const shares: OldShare[] = []
  await eachOf(indexes, 16, async (index) => {
    const { password, stored, plain } = passwordAt(index)
    const id = randomUUID()
    const content = `bytes of file ${index} ${'.'.repeat(index)}`
    const key = `shared/${index}-照片 ${index}.txt`
    const { ETag = '' } = await s3.putObject({ Bucket: bucket, Key: key, Body: content })
    const slug = index === 1 ? `M-${id.slice(0, 5)}` : `file_${index}`
    const creator = index === 3 ? `apiKey:${KEY_ID}` : ADMIN_ID
    const place = { storage_path: key, s3_url: '', s3_config_id: configId, use_proxy: index % 2, etag: ETag }
    const row = {
      id,
      filename: `照片 ${index}.txt`,
      mimetype: 'text/plain',
      size: Buffer.byteLength(content),
    }
    insert('files', { ...row, ...place, slug, password: stored, created_by: creator, ...stamps })
    if (plain !== null) insert('file_passwords', { file_id: id, plain_password: plain, ...stamps })
    shares.push({ slug, content, password })
  })
  return shares
}

/** Creates a database like that of a server after a year of use. */
async function makeYearOld(path: string, bucket: Bucket, count: number): Promise<OldServer> {
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  const insert = inserter(database)
  const config = oldConfig(bucket.bucket, { admin_id: ADMIN_ID })
  const configId = config.id
  database.exec('begin')
  insert('admins', { id: ADMIN_ID, username: 'admin', password: sha256('admin123'), ...stamps })
  insert('s3_configs', config)
  const mount = { storage_type: 'S3', storage_config_id: configId, created_by: ADMIN_ID, ...stamps }
  insert('storage_mounts', { id: randomUUID(), name: 'Bucket', mount_path: '/bucket', ...mount })
  insert('storage_mounts', { id: randomUUID(), name: 'Odd', mount_path: '/api/odd', ...mount })
  insert('api_keys', {
    id: KEY_ID,
    name: 'phone',
    key: KEY,
    text_permission: 1,
    file_permission: 1,
    mount_permission: 1,
    basic_path: '/bucket/',
    expires_at: '9999-12-31T23:59:59.000Z',
    created_at: stamps.created_at,
  })
  // An API key that is an empty string would match requests without a key.
  for (const [index, key] of ['', null].entries())
    insert('api_keys', {
      id: `bad-${index}`,
      name: `bad ${index}`,
      key,
      expires_at: '9999-12-31T23:59:59.000Z',
    })
  insert('system_settings', { key: 'max_upload_size', value: '321', ...stamps })
  insert('system_settings', { key: 'schema_version', value: '7', ...stamps })
  const over = { content: 'gone', created_by: ADMIN_ID, ...stamps }
  insert('pastes', { id: randomUUID(), slug: 'expired', ...over, expires_at: '2025-06-01T00:00:00Z' })
  insert('pastes', { id: randomUUID(), slug: 'used-up', ...over, max_views: 2, views: 2 })
  const texts = fillTexts(insert, count)
  const files = await fillFiles(insert, bucket, { configId, count })
  // A second link to the same object, generated when the file was uploaded again into its mount.
  insert('files', {
    id: randomUUID(),
    filename: 'again.txt',
    storage_path: 'shared/0-照片 0.txt',
    s3_config_id: configId,
    slug: '1715000000000-aB3dE',
    created_by: `admin:${ADMIN_ID}`,
    ...stamps,
  })
  database.exec('commit')
  database.close()
  return { texts, files }
}

const schemas: PostgresSchema[] = []
afterAll(async () => {
  for (const schema of schemas) await schema.drop()
})

async function stop(server: ServerProcess): Promise<void> {
  const gone = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  await gone
}

async function json(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
  return { status: answer.status, body: await answer.json() }
}

/** Opens every link as a visitor does. */
async function expectLinks({ api }: ServerProcess, { texts, files }: OldServer): Promise<void> {
  await eachOf(texts, 8, async ({ slug, content, password }) => {
    const opened =
      password === null
        ? await json(`${api}/paste/${slug}`)
        : await json(`${api}/paste/${slug}`, { method: 'POST', body: JSON.stringify({ password }) })
    expect([slug, opened.status, opened.body.content]).toEqual([slug, 200, content])
  })
  await eachOf(files, 8, async ({ slug, content, password }) => {
    const query = password === null ? '' : `?password=${encodeURIComponent(password)}`
    const answer = await fetch(`${api}/file-download/${slug}${query}`)
    expect([slug, answer.status, await answer.text()]).toEqual([slug, 200, content])
  })
}

async function logIn(api: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const { token } = (await json(`${api}/admin/login`, { method: 'POST', body })).body.data
  return { authorization: `Bearer ${token}` }
}

function suite(postgresUrl: string | null, count: number): void {
  test(
    `${count} texts and as many files: every old link answers as before`,
    { timeout: 300_000 },
    async () => {
      await using bucket = await temporaryBucket()
      const folder = await mkdtemp(join(tmpdir(), 'dropleaf-cloudpaste-'))
      const schema = postgresUrl === null ? null : await createPostgresSchema(postgresUrl)
      if (schema) schemas.push(schema)
      const env = {
        DATA_DIR: join(folder, 'data'),
        ADMIN_PASSWORD: PASSWORD,
        INIT_CWD: folder,
        ...(schema ? { DATABASE_URL: schema.url } : {}),
      }
      const old = await makeYearOld(join(folder, 'cloudpaste.db'), bucket, count)
      const before = await readFile(join(folder, 'cloudpaste.db'))

      const trial = await startCommand('import-cloudpaste', { args: ['cloudpaste.db', '--dry-run'], env })
        .done
      expect([trial.code, trial.output]).toEqual([0, expect.stringContaining('Nothing has been kept')])
      const run = () => startCommand('import-cloudpaste', { args: ['cloudpaste.db'], env }).done
      const first = await run()
      expect([first.code, first.output]).toEqual([
        0,
        expect.stringContaining(`texts: ${count + 2}, files: ${count}`),
      ])
      expect(first.output).toContain('storages: 1, API keys: 1, mounts: 1')
      expect(first.output).toContain('mounts: /api/odd: mount_path')
      for (const name of ['bad 0', 'bad 1']) expect(first.output).toContain(`API keys: ${name}: key`)
      expect(first.output).toContain('1715000000000-aB3dE: another link leads to the same file')
      expect(first.output).toContain('until an administrator confirms')
      // Importing again does not create duplicates.
      const second = await run()
      expect([second.code, second.output]).toEqual([0, expect.stringContaining('texts: 0, files: 0')])
      expect((await readFile(join(folder, 'cloudpaste.db'))).equals(before)).toBe(true)

      const server = await startServer(env)
      try {
        await expectLinks(server, old)
        // Using a share upgrades a password that was stored only as a digest, so all passwords are checked a second
        // time.
        await expectLinks(server, {
          texts: old.texts.filter(({ password }) => password !== null),
          files: old.files.filter(({ password }) => password !== null),
        })
        const wrong = JSON.stringify({ password: 'wrong' })
        const refused = await json(`${server.api}/paste/text_30-A`, { method: 'POST', body: wrong })
        const over = await Promise.all(
          ['expired', 'used-up'].map((slug) => json(`${server.api}/paste/${slug}`)),
        )
        expect([refused.status, ...over.map(({ status }) => status)]).toEqual([401, 410, 410])

        const admin = { headers: await logIn(server.api) }
        const shown = await json(`${server.api}/admin/pastes/text_30-A`, admin)
        expect(shown.body.data).toMatchObject({ plain_password: 'geheim 30', remark: 'note 30' })
        const key = { headers: { authorization: `ApiKey ${KEY}` } }
        const listed = await json(`${server.api}/fs/list?path=/bucket/`, key)
        expect([listed.status, listed.body.data.mount_id]).toEqual([200, expect.any(String)])
        const settings = await json(`${server.api}/system/max-upload-size`)
        expect(settings.body.data.max_upload_size).toBe(321)
        const mine = await json(`${server.api}/user/pastes?limit=1`, key)
        expect(mine.body.pagination.total).toBe(Math.ceil(count / 3))
      } finally {
        await stop(server)
        await rm(folder, { recursive: true })
      }
    },
  )
}

describe('import from CloudPaste [sqlite]', () => {
  suite(null, process.env.EVERY_PAIR === '1' ? 1000 : 100)

  test('a file that is not a CloudPaste database is refused, and nothing is created', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-cloudpaste-'))
    const env = { DATA_DIR: join(folder, 'data'), INIT_CWD: folder }
    await writeFile(join(folder, 'text.db'), 'no database at all')
    new DatabaseSync(join(folder, 'other.db')).exec('create table pastes (id text)')
    const run = async (name: string) =>
      (await startCommand('import-cloudpaste', { args: [name], env }).done).output.trim()
    expect(await run('text.db')).toMatch(/text\.db cannot be read as an SQLite database: /)
    expect(await run('missing.db')).toBe(`There is no file ${join(folder, 'missing.db')}.`)
    expect(await run('.')).toBe(`${folder} is a folder: the database is a file in it, such as cloudpaste.db.`)
    expect(await run('other.db')).toMatch(/other\.db is no database of CloudPaste: it has no table admins, /)
    expect(await run('--wrong')).toMatch(/^Usage: (?:npm run|dropleaf) import-cloudpaste/)
    await rm(folder, { recursive: true })
  })
})

describe('the transfer of a CloudPaste database', () => {
  const text = (slug: string, content = 'x') => ({
    id: randomUUID(),
    slug,
    content,
    created_by: 'a',
    ...stamps,
  })

  test('a damaged database is reported, and nothing is imported', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-cloudpaste-'))
    const env = { DATA_DIR: join(folder, 'data'), INIT_CWD: folder }
    const path = join(folder, 'cloudpaste.db')
    makeOldDatabase(path, (insert) => {
      for (let index = 0; index < 200; index += 1) insert('pastes', text(`t${index}`, 'x'.repeat(3000)))
    })
    const bytes = await readFile(path)
    // Overwrites rows, but leaves the schema intact.
    const half = Math.floor(bytes.length / 2 / 4096) * 4096
    await writeFile(path, bytes.fill(0xaa, half, half + 40_960))
    const { code, output } = await startCommand('import-cloudpaste', { args: ['cloudpaste.db'], env }).done
    expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`^${path} is damaged: .+\\n$`))])
    expect(output).not.toContain('Restore a backup')
    await rm(folder, { recursive: true })
  })

  test('the newest rows are read from the write-ahead log beside the database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-cloudpaste-'))
    const env = { DATA_DIR: join(folder, 'data'), INIT_CWD: folder }
    const path = join(folder, 'live.db')
    using database = new DatabaseSync(path)
    database.exec(`pragma journal_mode = wal; ${SCHEMA} pragma wal_checkpoint(truncate)`)
    inserter(database)('pastes', text('last'))
    const run = async () =>
      (await startCommand('import-cloudpaste', { args: ['cloudpaste.db', '--dry-run'], env }).done).output
    await copyFile(path, join(folder, 'cloudpaste.db'))
    expect(await run()).toContain('texts: 0')
    for (const end of ['-wal', '-shm']) await copyFile(path + end, join(folder, `cloudpaste.db${end}`))
    expect(await run()).toContain('texts: 1')
    await rm(folder, { recursive: true })
  })
})

describe.skipIf(inject('postgresUrl') === '')('import from CloudPaste [postgres]', () => {
  suite(inject('postgresUrl'), process.env.EVERY_PAIR === '1' ? 1000 : 40)
})
