import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../../../db/database.ts'
import { migrateToVersion } from '../../../db/migrate.ts'
import { createPostgresSchema, type PostgresSchema } from '../../../testing/databases.ts'
import { type ServerProcess, startCommand, startServer } from '../../../testing/server-process.ts'

const PASSWORD = 'correct horse battery'
const TEXTS = 8
const FILES = 6
const PAGE_BYTES = 4096

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
  await expectFiles(api, files)
}

async function expectFiles(api: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [slug, hash] of files) {
    const bytes = new Uint8Array(await (await call(api, '', `/file-download/${slug}`)).arrayBuffer())
    expect(sha256(bytes)).toBe(hash)
  }
}

/** Writes texts and files continuously until `stop` is called. */
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
  test('a restore that stops while it moves files deletes nothing, and the server does not start with half of them', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-backup-'))
    const env = await makePlace(folder, 'first', postgresUrl)
    const server = await startServer(env)
    const files = new Map<string, string>()
    await addFile(server.api, await logIn(server.api), files)
    await end(server)
    expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
    const other = await makePlace(folder, 'second', postgresUrl)
    const stopped = await startServer(other)
    await end(stopped)
    // A folder on which a file system is mounted cannot be moved.
    const mounted = join(folder, 'second', 'thumbnails')
    await mkdir(mounted, { recursive: true })
    if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mounted]).status !== 0) return context.skip()
    const restore = () => startCommand('restore', { args: ['saved', '--force'], env: other }).done
    try {
      const failed = await restore()
      expect([failed.code === 0, failed.output]).toEqual([
        false,
        expect.stringMatching(/stopped while files were moved/),
      ])
    } finally {
      spawnSync('umount', [mounted])
    }
    const kept = (await readdir(join(folder, 'second'))).find((name) => name.startsWith('replaced-'))
    expect(await readdir(join(folder, 'second', kept ?? ''))).toContain('storage')
    await expect(startServer(other)).rejects.toThrow()
    expect((await restore()).code).toBe(0)
    const again = await startServer(other)
    await expectFiles(again.api, files)
    await end(again)
    await rm(folder, { recursive: true })
  })

  test(
    'a restore has all earlier data, also with writes during the backup',
    { timeout: 300_000 },
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

      for (const entry of await readdir(join(folder, 'saved'), { recursive: true, withFileTypes: true })) {
        const { mode } = await stat(join(entry.parentPath, entry.name))
        expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600])
      }
      const savedNames = await readdir(join(folder, 'saved'))
      for (const name of ['saved', 'saved/new/data']) {
        const into = { ...env, DATA_DIR: join(folder, name) }
        const within = await startCommand('restore', { args: ['saved', '--force'], env: into }).done
        expect([within.code, within.output]).toEqual([1, expect.stringMatching(/is in the backup itself/)])
      }
      // The restore replaces these folders, so a backup inside one of them must be refused.
      for (const name of ['restoring', 'storage/local/saved']) {
        const place = join('apart', name)
        await cp(join(folder, 'saved'), join(folder, place), { recursive: true })
        const into = { ...env, DATA_DIR: join(folder, 'apart') }
        const within = await startCommand('restore', { args: [place, '--force'], env: into }).done
        expect([within.code, within.output]).toEqual([1, expect.stringMatching(/which a restore replaces/)])
        expect(await readdir(join(folder, place))).toEqual(savedNames)
      }
      expect(await readdir(join(folder, 'saved'))).toEqual(savedNames)

      const other = await makePlace(folder, 'second', postgresUrl)
      const restored = await startCommand('restore', { args: ['saved'], env: other }).done
      expect([restored.code, restored.output]).toEqual([0, expect.stringMatching(/Restored/)])
      const again = await startServer(other)
      await expectAll(again.api, made)
      // The restored server accepts new data.
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
  test('an incomplete backup is refused before anything is written', async () => {
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

/** Returns the names, kinds and definitions of all objects in a schema. */
async function shapeOf(schemaUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: schemaUrl })
  await client.connect()
  try {
    const { rows: names } = await client.query<{ name: string }>('select current_schema() as name')
    const { rows } = await client.query<{ line: string }>(`
      select 'index ' || indexdef as line from pg_indexes where schemaname = current_schema()
      union all
      select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = current_schema()::regnamespace
      union all
      select concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, is_nullable, column_default)
      from information_schema.columns where table_schema = current_schema()
      union all
      select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
      where c.relnamespace = current_schema()::regnamespace and not tgisinternal
      union all
      select concat_ws(' ', 'statistics', stxname, pg_get_statisticsobjdef(oid)) from pg_statistic_ext
      where stxnamespace = current_schema()::regnamespace`)
    return rows.map(({ line }) => line.replaceAll(names[0]?.name ?? '', 'schema')).sort()
  } finally {
    await client.end()
  }
}

/** Creates a stopped server with some data, and a place for a second server. */
async function twoPlaces(postgresUrl: string | null, more: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-backup-'))
  const env = await makePlace(folder, 'first', postgresUrl)
  const server = await startServer({ ...env, ...more })
  const token = await logIn(server.api)
  const texts = new Map<string, string>()
  await addText(server.api, token, texts)
  await addFile(server.api, token, new Map())
  await end(server)
  return { folder, env, texts, other: await makePlace(folder, 'second', postgresUrl) }
}

const dataOf = async (folder: string, name: string) =>
  (await readdir(join(folder, name)).catch(() => [])).filter((entry) => !entry.startsWith('lock.sqlite'))

interface Listing {
  files: Array<{ path: string; sizeBytes: number; sha256: string }>
  tables: Array<{ name: string; rows: number }>
  migrations: string[]
}

async function changeManifest(folder: string, change: (listing: Listing) => void): Promise<void> {
  const file = join(folder, 'saved', 'manifest.json')
  const listing = JSON.parse(await readFile(file, 'utf8')) as Listing
  change(listing)
  await writeFile(file, JSON.stringify(listing))
}

function namesTheSecret(postgresUrl: string | null): void {
  test(
    'a missing or different secret is reported by the backup and by the restore',
    { timeout: 300_000 },
    async () => {
      const right = { ENCRYPTION_SECRET: 'that of the server' }
      const { folder, env: base, texts, other } = await twoPlaces(postgresUrl, right)
      await writeFile(join(folder, 'first', 'secret.key'), 'left of an earlier time')
      const backupWith = async (name: string, more: Record<string, string>) => {
        const done = await startCommand('backup', { args: [name], env: { ...base, ...more } }).done
        expect(done.code).toBe(0)
        return done.output
      }
      expect(await backupWith('right', right)).toMatch(/ENCRYPTION_SECRET is not in it/)
      expect(await backupWith('wrong', { ENCRYPTION_SECRET: 'mistyped by somebody' })).toMatch(
        /this ENCRYPTION_SECRET is not the one/,
      )
      expect(await backupWith('saved', {})).toMatch(/no secret\.key that fits/)
      expect(await readdir(join(folder, 'saved'))).not.toContain('secret.key')

      const restoreWith = async (more: Record<string, string>) => {
        const done = await startCommand('restore', { args: ['saved', '--force'], env: { ...other, ...more } })
          .done
        expect(done.code).toBe(0)
        return done.output
      }
      expect(await restoreWith({})).toMatch(/The secret is not in the backup/)
      expect(await restoreWith({ ENCRYPTION_SECRET: 'mistyped by somebody' })).toMatch(
        /is not the one that the backup was made under/,
      )
      expect(await restoreWith(right)).not.toMatch(/secret/i)
      const server = await startServer({ ...other, ...right })
      for (const slug of texts.keys()) {
        const body = JSON.stringify({ password: 'of this text' })
        await call(server.api, '', `/paste/${slug}`, { method: 'POST', body })
      }
      await end(server)
      await rm(folder, { recursive: true })
    },
  )

  test('after a rotation that was interrupted before its last step, the backup contains the right secret', async () => {
    const { folder, env, other } = await twoPlaces(postgresUrl)
    const secret = join(folder, 'first', 'secret.key')
    const former = await readFile(secret, 'utf8')
    expect((await startCommand('rotate-secret', { env }).done).code).toBe(0)
    await rename(secret, `${secret}.next`)
    await writeFile(secret, former)
    expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
    const done = await startCommand('restore', { args: ['saved'], env: other }).done
    expect([done.code, done.output]).toEqual([0, expect.not.stringMatching(/secret/i)])
    await end(await startServer(other))
    await rm(folder, { recursive: true })
  })
}

function verifiesAll(postgresUrl: string | null): void {
  test('a backup without its database changes nothing', { timeout: 300_000 }, async () => {
    const { folder, env, other } = await twoPlaces(postgresUrl)
    expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
    const before = await startCommand('restore', { args: ['saved'], env: other }).done
    expect(before.code).toBe(0)
    const there = (await dataOf(folder, 'second')).sort()
    const whole = await readFile(join(folder, 'saved', 'manifest.json'), 'utf8')
    const refuses = async (change: (listing: Listing) => void, words: RegExp) => {
      await writeFile(join(folder, 'saved', 'manifest.json'), whole)
      await changeManifest(folder, change)
      const done = await startCommand('restore', { args: ['saved', '--force'], env: other }).done
      expect([done.code, done.output]).toEqual([1, expect.stringMatching(words)])
      expect((await dataOf(folder, 'second')).sort()).toEqual(there)
    }
    const without = (end: string) => (listing: Listing) => {
      listing.files = listing.files.filter(({ path }) => !path.endsWith(end))
    }
    await refuses(
      (listing) =>
        listing.files.push({ ...(listing.files[0] as Listing['files'][0]), path: 'dropleaf.sqlite-wal' }),
      /is not one of a backup/,
    )
    if (postgresUrl === null) {
      await refuses(without('database.sqlite'), /names no database\.sqlite/)
      await refuses(
        (listing) => void listing.migrations.pop(),
        /is not the database that the manifest\.json speaks of/,
      )
    } else {
      await refuses(without('/pastes.ndjson'), /names no tables\/pastes\.ndjson/)
      await refuses((listing) => {
        without('/pastes.ndjson')(listing)
        listing.tables = listing.tables.filter(({ name }) => name !== 'pastes')
      }, /the tables pastes are missing/)
      await refuses((listing) => {
        const pastes = listing.tables.find(({ name }) => name === 'pastes')
        if (pastes) pastes.rows += 1
      }, /the table pastes has 1 rows instead of 2/)
    }
    // The existing data is still served after the refusal.
    const server = await startServer(other)
    await logIn(server.api)
    await end(server)
    await rm(folder, { recursive: true })
  })
}

function namesWhatIsLeftOut(): void {
  test('files that cannot be saved are named', async () => {
    const { folder, env } = await twoPlaces(null)
    const local = join(folder, 'first', 'storage', 'local')
    await writeFile(
      Buffer.concat([Buffer.from(`${local}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]),
      'x',
    )
    await symlink('/etc/passwd', join(local, 'link'))
    const server = createServer().listen(join(local, 'socket'))
    const { code, output } = await startCommand('backup', { args: ['saved'], env }).done
    server.close()
    expect(code).toBe(0)
    expect(output).toMatch(/no UTF-8.*local\/caf\\xe9\.txt\.$/m)
    expect(output).toMatch(/Symbolic links.*local\/link\.$/m)
    expect(output).toMatch(/neither files nor folders.*local\/socket\.$/m)
    await rm(folder, { recursive: true })
  })
}

function cleansUp(): void {
  test('a failed backup leaves nothing, and reports the reason in a sentence', async () => {
    const { folder, env } = await twoPlaces(null)
    const file = join(folder, 'first', 'dropleaf.sqlite')
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0xff, bytes.length - PAGE_BYTES))
    const damaged = await startCommand('backup', { args: ['saved'], env }).done
    expect([damaged.code, damaged.output]).toEqual([1, expect.stringMatching(/^.* is damaged.*\n$/)])
    await writeFile(file, 'no database'.repeat(1000))
    const none = await startCommand('backup', { args: ['saved'], env }).done
    expect([none.code, none.output]).toEqual([
      1,
      'The database is damaged: file is not a database. Restore a backup of it.\n',
    ])
    expect((await readdir(folder)).filter((name) => name.startsWith('saved'))).toEqual([])
    await rm(folder, { recursive: true })
  })
}

function keepsTheShape(postgresUrl: string): void {
  test(
    'indexes, constraints and columns are restored, also over existing data',
    { timeout: 300_000 },
    async () => {
      const { folder, env, other } = await twoPlaces(postgresUrl)
      const before = await shapeOf(env.DATABASE_URL ?? '')
      expect(before.filter((line) => line.startsWith('index')).length).toBeGreaterThan(40)
      expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
      expect((await startCommand('restore', { args: ['saved'], env: other }).done).code).toBe(0)
      expect(await shapeOf(other.DATABASE_URL ?? '')).toEqual(before)
      await end(await startServer(other))
      // Restores again, over existing data.
      expect((await startCommand('restore', { args: ['saved', '--force'], env: other }).done).code).toBe(0)
      expect(await shapeOf(other.DATABASE_URL ?? '')).toEqual(before)
      await rm(folder, { recursive: true })
    },
  )
}

/** Returns the number of rows of a table in the backup in `folder`. */
async function savedRows(folder: string, table: string, postgresUrl: string | null): Promise<number> {
  if (postgresUrl !== null) {
    const lines = await readFile(join(folder, 'saved', 'tables', `${table}.ndjson`), 'utf8')
    return lines.split('\n').filter((line) => line !== '').length
  }
  // Reading must not create files beside the database.
  const address = pathToFileURL(join(folder, 'saved', 'database.sqlite'))
  address.searchParams.set('immutable', '1')
  const database = new DatabaseSync(address, { readOnly: true })
  try {
    return database.prepare(`SELECT * FROM ${table}`).all().length
  } finally {
    database.close()
  }
}

function leavesDevicesOut(postgresUrl: string | null): void {
  test('a used-up share stays used up, also for the device that opened it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-backup-'))
    const env = await makePlace(folder, 'first', postgresUrl)
    const server = await startServer(env)
    const token = await logIn(server.api)
    const content = 'for one device'
    const share = JSON.stringify({ content, maxViews: 1, opening: 'ask', slug: 'once' })
    await call(server.api, token, '/paste', { method: 'POST', body: share })
    const device = randomBytes(32).toString('base64url')
    const take = (api: string) =>
      fetch(`${api}/opening/paste/once/take`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-dropleaf-open': 'yes' },
        body: JSON.stringify({ device }),
      })
    // The second request comes from the same device, which reopens the share.
    for (let times = 0; times < 2; times += 1) expect(await (await take(server.api)).text()).toBe(content)
    expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
    expect(await (await take(server.api)).text()).toBe(content)
    await end(server)
    const saved = await readdir(join(folder, 'saved'), { recursive: true })
    expect(saved.filter((name) => /-(?:wal|shm|journal)$/.test(name))).toEqual([])
    expect(await savedRows(folder, 'pastes', postgresUrl)).toBeGreaterThan(0)
    expect(await savedRows(folder, 'opening_devices', postgresUrl)).toBe(0)

    const other = await makePlace(folder, 'second', postgresUrl)
    expect((await startCommand('restore', { args: ['saved'], env: other }).done).code).toBe(0)
    const again = await startServer(other)
    const refused = await take(again.api)
    expect([refused.status, await refused.text()]).toEqual([410, expect.not.stringContaining(content)])
    await end(again)
    await rm(folder, { recursive: true })
  })
}

function takesOlder(postgresUrl: string | null): void {
  test('a backup of an older version is migrated', async () => {
    const { folder, env, other, texts } = await twoPlaces(postgresUrl)
    const database = await openDatabase<object>({
      url: 'DATABASE_URL' in env ? (env.DATABASE_URL ?? null) : null,
      sqliteFile: join(folder, 'first', 'dropleaf.sqlite'),
      poolSize: 2,
    })
    await migrateToVersion(database, '0013-idempotency')
    await database.close()
    expect((await startCommand('backup', { args: ['saved'], env }).done).code).toBe(0)
    const done = await startCommand('restore', { args: ['saved'], env: other }).done
    expect([done.code, done.output]).toEqual([0, expect.stringMatching(/Restored/)])
    const server = await startServer(other)
    for (const [slug, content] of texts) {
      const body = JSON.stringify({ password: 'of this text' })
      const answer = await (await call(server.api, '', `/paste/${slug}`, { method: 'POST', body })).json()
      expect(answer.content).toBe(content)
    }
    await end(server)
    await rm(folder, { recursive: true })
  })
}

describe('backup of the data [sqlite]', () => {
  restores(null)
  // These restores are refused before the database is accessed, so one database is enough.
  refuses(null)
  namesTheSecret(null)
  verifiesAll(null)
  namesWhatIsLeftOut()
  cleansUp()
  leavesDevicesOut(null)
  takesOlder(null)
})
const url = inject('postgresUrl')
describe.skipIf(url === '')('backup of the data [postgres]', () => {
  restores(url)
  // Saving the secret hardly depends on the database, so SQLite is enough by default.
  if (process.env.EVERY_PAIR === '1') namesTheSecret(url)
  verifiesAll(url)
  keepsTheShape(url)
  leavesDevicesOut(url)
  takesOlder(url)
})
