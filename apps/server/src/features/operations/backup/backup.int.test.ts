import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUP_KINDS, type BackupKind } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { describeEachDatabase, type StartOptions, type TestApp } from '../../../testing/app.ts'
import { credentialContext } from '../../../storage/drivers.ts'
import { look, openSlowly } from '../../../testing/opening.ts'
import { SETTING_KEYS } from '../../foundation/settings/settings.usecases.ts'

const PASSPHRASE = '一句很长的口令 and more'
const SECRET_TEXTS = [
  's3-access-id-0001',
  's3-secret-0002',
  'open sesame 0003',
  'file password 0004',
  'custom-key-0005',
]
const PIN = '24680'
const TABLES = ['settings', 'storage_configs', 'api_keys', 'mounts', 'pastes', 'files'] as const
const SETTINGS: ReadonlySet<unknown> = new Set(SETTING_KEYS)
type StartApp = (options?: StartOptions) => Promise<TestApp>

const exported = (t: TestApp, passphrase?: string) =>
  t.admin.call('POST', '/api/admin/backup/export', { body: passphrase ? { passphrase } : {} })

const imported = (
  t: TestApp,
  payload: string | Buffer,
  { passphrase, query }: { passphrase?: string; query?: Record<string, string> } = {},
) =>
  t.admin.call('POST', '/api/admin/backup/import', {
    payload,
    headers: {
      'content-type': 'application/octet-stream',
      ...(passphrase === undefined ? {} : { 'x-backup-passphrase': encodeURIComponent(passphrase) }),
    },
    ...(query ? { query } : {}),
  })

async function made(t: TestApp, url: string, body: object, by = t.admin) {
  const answer = await by.call('POST', url, { body })
  expect([url, answer.status, answer.text]).toEqual([
    url,
    expect.toSatisfy((s) => s < 300),
    expect.any(String),
  ])
  return answer.body.data
}

/** Creates one item of each kind that a backup contains. */
async function fill(t: TestApp) {
  const settings = {
    max_upload_size: 250,
    webdav_upload_mode: 'auto',
    show_share_files: true,
    opening_grace_minutes: 15,
    sealed_policy: 'default',
  }
  expect(Object.keys(settings).sort()).toEqual(SETTING_KEYS.toSorted())
  await t.admin.call('PUT', '/api/admin/system-settings', { body: settings })
  const s3 = await made(t, '/api/s3-configs', {
    name: 'Bucket',
    provider_type: 'Other',
    endpoint_url: 'http://127.0.0.1:9',
    bucket_name: 'backups',
    region: 'eu',
    access_key_id: SECRET_TEXTS[0],
    secret_access_key: SECRET_TEXTS[1],
    path_style: true,
    is_public: true,
    total_storage_bytes: 5_000_000_000,
  })
  await made(t, '/api/admin/mounts', {
    name: 'Far',
    storage_type: 'S3',
    storage_config_id: s3.id,
    mount_path: '/far',
    remark: '远处',
    is_active: false,
    sort_order: 3,
    cache_ttl: 60,
  })
  await made(t, '/api/admin/api-keys', {
    name: 'limited',
    custom_key: SECRET_TEXTS[4],
    text_permission: true,
    file_permission: true,
    mount_permission: true,
    mount_read_only: true,
    basic_path: '/local/team',
    expires_at: 'never',
  })
  const holder = t.client(`ApiKey ${SECRET_TEXTS[4]}`)
  await made(t, '/api/paste', { content: '# 你好\n世界 🌍', slug: 'plain', remark: 'a note' })
  await made(t, '/api/paste', { content: 'hidden', slug: 'locked', password: SECRET_TEXTS[2] })
  await made(t, '/api/paste', { content: 'over soon', slug: 'expired', expiresAt: '2030-01-01T01:00:00Z' })
  await made(t, '/api/paste', { content: 'a few times', slug: 'limited', maxViews: 3 }, holder)
  await made(t, '/api/paste', { content: 'by phone', slug: 'pinned', maxViews: 2, pin: PIN })
  const upload = await t.admin.call('PUT', '/api/upload-direct/notes.txt', {
    payload: Buffer.from('bytes of a file'),
    headers: { 'content-type': 'text/plain' },
    query: { slug: 'notes', password: SECRET_TEXTS[3] as string, remark: 'a file', opening: 'ask' },
  })
  expect([upload.status, upload.text]).toEqual([200, expect.any(String)])
  t.clock.advance({ hours: 2 })
  await t.visitor.call('GET', '/api/paste/limited')
  return { s3Id: s3.id as string }
}

async function rowsOf(t: TestApp, table: (typeof TABLES)[number]): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = await t.ctx.db.selectFrom(table).selectAll().execute()
  if (table === 'settings') return rows.filter(({ key }) => SETTINGS.has(key))
  return rows
}

const CONTEXTS: Record<string, (id: string) => string> = {
  access_key_id_sealed: (id) => credentialContext(id, 'access_key_id'),
  secret_access_key_sealed: (id) => credentialContext(id, 'secret_access_key'),
  key_sealed: (id) => `api-key:${id}`,
}

/** Reads the rows of a table by id, with secrets decrypted and creators replaced by their names. */
async function readable(t: TestApp, table: (typeof TABLES)[number]) {
  const admins = new Map(
    (await t.ctx.db.selectFrom('admins').selectAll().execute()).map((row) => [row.id, row.username]),
  )
  const rows = (await rowsOf(t, table)).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        if (column === 'created_by') return [column, admins.get(value as string) ?? value]
        // The fingerprint depends on the server's own secret, so it differs after an import.
        if (column === 'key_fingerprint') return [column, 'keyed']
        if (!column.endsWith('_sealed') || value === null) return [column, value]
        const context =
          CONTEXTS[column]?.(row.id as string) ??
          `${table === 'pastes' ? 'paste' : 'file'}-password:${row.id as string}`
        return [column, t.ctx.secrets.open(value as string, context)]
      }),
    ),
  )
  return rows.sort((a, b) => String(a.id ?? a.key).localeCompare(String(b.id ?? b.key)))
}

const counted = async (t: TestApp) =>
  Promise.all(TABLES.map(async (table) => [table, (await rowsOf(t, table)).length]))

/** Changes the lines of a backup file, and updates its checksum line. */
function resigned(text: string, change: (lines: string[]) => string[]): string {
  const lines = change(text.trimEnd().split('\n').slice(0, -1))
  const digest = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
  const end = { kind: 'end', lines: lines.length, digest, signature: null }
  return [...lines, JSON.stringify(end), ''].join('\n')
}

const engines = new Map<string, StartApp>()

describeEachDatabase('backup', ({ startApp, engine }) => {
  engines.set(engine, startApp)

  test('everything is imported into an empty instance, from each database, and works there', async () => {
    const start = engines.get('sqlite') ?? startApp
    await using from = await start()
    await using to = await startApp()
    await fill(from)
    const file = await exported(from, PASSPHRASE)
    expect([file.status, file.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('application/x-ndjson'),
    ])
    for (const secret of SECRET_TEXTS) expect(file.bytes.includes(secret)).toBe(false)
    expect(file.text).not.toContain('$argon2')

    to.clock.advance({ hours: 2 })
    const answer = await imported(to, file.bytes, { passphrase: PASSPHRASE, query: { mode: 'replace' } })
    expect(answer.body).toMatchObject({
      success: true,
      data: {
        imported: { setting: 5, storage_config: 2, api_key: 1, mount: 2, paste: 5, file: 1, admin: 0 },
        skipped: [{ kind: 'admin', name: 'admin', reason: 'name_exists' }],
        gaps: [],
      },
    })
    for (const table of TABLES)
      expect([table, await readable(to, table)]).toEqual([table, await readable(from, table)])

    const holder = to.client(`ApiKey ${SECRET_TEXTS[4]}`)
    expect((await holder.call('GET', '/api/test/api-key')).status).toBe(200)
    expect((await to.visitor.call('GET', '/api/paste/plain')).body.content).toBe('# 你好\n世界 🌍')
    const open = (url: string, password: string) =>
      to.visitor.call('POST', url, { body: { password } }).then(({ status }) => status)
    expect(await open('/api/paste/locked', SECRET_TEXTS[2] as string)).toBe(200)
    expect(await open('/api/paste/locked', 'wrong')).toBe(401)
    expect((await to.visitor.call('GET', '/api/paste/expired')).status).toBe(410)
    const pinned = { kind: 'paste', slug: 'pinned' } as const
    expect(await look(to, pinned)).toMatchObject({ opening: 'ask', requires_pin: true, views_left: 2 })
    expect((await openSlowly(to, pinned, { pin: '13579' })).body.error.code).toBe('share.pin_wrong')
    expect((await openSlowly(to, pinned, { pin: PIN })).body.data.content).toBe('by phone')
    expect(await look(to, { kind: 'file', slug: 'notes' })).toMatchObject({ opening: 'ask' })
    expect((await to.visitor.call('GET', '/api/system/max-upload-size')).body.data.max_upload_size).toBe(250)
    expect(await readdir(join(to.dataDir, 'spool'))).toEqual([])
  })

  test('without a passphrase the file contains no secrets, and the import reports what is missing', async () => {
    await using from = await startApp()
    await using to = await startApp()
    const { s3Id } = await fill(from)
    const file = await exported(from)
    for (const secret of [...SECRET_TEXTS, '$argon2', '_sealed', 'fingerprint', 'password_hash', 'pin_hash'])
      expect([secret, file.text.includes(secret)]).toEqual([secret, false])
    to.clock.advance({ hours: 2 })
    const { body } = await imported(to, file.bytes, { query: { mode: 'replace' } })
    expect(body.data.gaps).toEqual([
      { kind: 'storage_config', name: 'Bucket', gap: 'credentials' },
      { kind: 'api_key', name: 'limited', gap: 'new_key' },
      { kind: 'paste', name: 'locked', gap: 'locked' },
      { kind: 'paste', name: 'pinned', gap: 'locked' },
      { kind: 'file', name: 'notes', gap: 'locked' },
    ])
    expect((await to.visitor.call('GET', '/api/paste/locked')).text).not.toContain('hidden')
    expect((await openSlowly(to, { kind: 'paste', slug: 'pinned' }, { pin: PIN })).status).toBe(401)
    for (const password of ['', '!', SECRET_TEXTS[2]])
      expect((await to.visitor.call('POST', '/api/paste/locked', { body: { password } })).status).not.toBe(
        200,
      )
    const config = (await rowsOf(to, 'storage_configs')).find(({ id }) => id === s3Id)
    expect(config).toMatchObject({ access_key_id_sealed: null, secret_access_key_sealed: null })
  })

  test('a second merge skips everything, with the reason; replacing existing data requires a confirmation', async () => {
    await using t = await startApp()
    await fill(t)
    const before = await counted(t)
    const file = await exported(t, PASSPHRASE)
    await t.admin.call('PUT', '/api/admin/system-settings', { body: { max_upload_size: 77 } })
    const again = await imported(t, file.bytes, { passphrase: PASSPHRASE })
    const reasons: BackupKind[] = again.body.data.skipped.map(({ reason }: { reason: string }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['id_exists', 'setting_exists']))
    expect(Object.values(again.body.data.imported)).toEqual(BACKUP_KINDS.map(() => 0))
    expect(await counted(t)).toEqual(before)

    const refused = await imported(t, file.bytes, { passphrase: PASSPHRASE, query: { mode: 'replace' } })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'backup.conflict'])
    await made(t, '/api/paste', { content: 'later', slug: 'later' })
    const replaced = await imported(t, file.bytes, {
      passphrase: PASSPHRASE,
      query: { mode: 'replace', confirm: 'true' },
    })
    expect(replaced.status).toBe(200)
    expect(await counted(t)).toEqual(before)
  })

  test('a bundle of a text alone is existing data, which is replaced only after a confirmation', async () => {
    await using t = await startApp()
    const file = await exported(t, PASSPHRASE)
    const { id } = await made(t, '/api/bundles', {})
    await made(t, `/api/bundles/${id}/revisions`, {
      expected_revision: 0,
      manifest: { page: { text: 'the only text' }, items: [] },
    })
    const refused = await imported(t, file.bytes, { passphrase: PASSPHRASE, query: { mode: 'replace' } })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'backup.conflict'])
  })

  test('hostile and broken files are refused with the reason, and import nothing', async () => {
    await using from = await startApp()
    await using to = await startApp()
    await fill(from)
    const sealed = (await exported(from, PASSPHRASE)).text
    const plain = (await exported(from)).text
    const before = await counted(to)
    const code = async (text: string | Buffer, passphrase?: string) => {
      const answer = await imported(to, text, passphrase === undefined ? {} : { passphrase })
      return answer.body.error?.code as string | undefined
    }
    const edited = (change: (entry: { kind: string; row: Record<string, unknown> }) => unknown) =>
      resigned(plain, ([header = '', ...lines]) => [
        header,
        ...lines.map((line) => JSON.stringify(change(JSON.parse(line)))),
      ])
    expect(await code('')).toBe('backup.not_a_backup')
    expect(await code('hello\n')).toBe('backup.not_a_backup')
    expect(await code(Buffer.from([0x1f, 0x8b, 0, 0xff, 0xfe]))).toBe('backup.not_a_backup')
    expect(await code(plain.replace('"version":1', '"version":2'))).toBe('backup.version_unknown')
    expect(await code(plain.slice(0, -200))).toBe('backup.broken_off')
    expect(await code(plain.split('\n').slice(0, 4).join('\n'))).toBe('backup.broken_off')
    expect(await code(plain.replace('a note', 'a lie!'))).toBe('backup.broken_off')
    expect(await code(`${plain}{}\n`)).toBe('backup.broken_off')
    expect(await code(sealed)).toBe('backup.passphrase_missing')
    expect(await code(sealed, 'something else')).toBe('backup.passphrase_wrong')
    expect(
      await code(
        resigned(sealed, (lines) => lines),
        PASSPHRASE,
      ),
    ).toBe('backup.broken_off')
    expect(await code(edited((entry) => ({ ...entry, kind: 'admin_sessions' })))).toBe('backup.line_invalid')
    for (const row of [
      { views: '1; drop table files' },
      { slug: '../x' },
      { created_at_ms: 1e300 },
      { password_hash: 'x' },
      { storage_key: '../../etc/passwd' },
      { mimetype: 'text/html\r\nx: y' },
      { mount_path: '/../x' },
      { bucket_name: '../../etc' },
      { remark: 'nul\u0000' },
    ])
      expect([row, await code(edited((entry) => ({ ...entry, row: { ...entry.row, ...row } })))]).toEqual([
        row,
        'backup.line_invalid',
      ])
    expect(await counted(to)).toEqual(before)
    expect(await readdir(join(to.dataDir, 'spool'))).toEqual([])

    const twice = resigned(plain, (lines) => [...lines, ...lines.slice(1)])
    const { data } = (await imported(to, twice, { query: { mode: 'replace' } })).body
    expect([data.imported.paste, data.skippedCounts.paste]).toEqual([5, 5])
  })

  test('an endless line is refused before the memory is full', async () => {
    await using t = await startApp()
    const header = (await exported(t)).text.split('\n')[0] as string
    const answer = await imported(
      t,
      Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(73 * 1024 * 1024, 0x61)]),
    )
    expect(answer.body.error.code).toBe('backup.not_a_backup')
  })

  test('only administrators can export and import', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, file_permission: true, mount_permission: true })
    for (const route of ['export', 'import'])
      expect([
        (await t.visitor.call('POST', `/api/admin/backup/${route}`)).status,
        (await key.call('POST', `/api/admin/backup/${route}`)).status,
      ]).toEqual([401, 403])
  })
})
