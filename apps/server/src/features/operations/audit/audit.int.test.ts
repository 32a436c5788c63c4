import Fastify from 'fastify'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { actionOf, CHANGING_ROUTES } from '../../../http/audit/audit-actions.ts'
import { type AuditNote, AuditLog } from '../../../audit/audit-log.ts'
import { installAudit } from '../../../http/audit/audit.ts'
import { installRequestEnd } from '../../../http/core/request-end.ts'
import {
  ADMIN_PASSWORD,
  describeEachDatabase,
  describeOneDatabase,
  type TestApp,
} from '../../../testing/app.ts'
import { basic } from '../../../testing/drive.ts'
import { form, uploadForm } from '../../../testing/files.ts'

type Entry = Record<string, unknown> & { actor: Record<string, unknown> }

const log = async (t: TestApp, query: Record<string, string> = {}) =>
  (await t.admin.call('GET', '/api/admin/audit', { query })).body.data as {
    entries: Entry[]
    next_cursor: string | null
    kept_days: number
  }

const entryOf = (target: string): AuditNote => ({
  action: 'text.create',
  actor_kind: 'visitor',
  actor_id: null,
  actor_name: null,
  target,
  address: '',
  status: 201,
  code: null,
})

const entriesOf = async (t: TestApp, query: Record<string, string> = {}) => (await log(t, query)).entries

describeEachDatabase('audit log', ({ startApp }) => {
  test('records who did what to which object, when, from where, and with which result', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z', env: { TRUST_PROXY: '1' } })
    const created = await t.admin.call('POST', '/api/admin/api-keys', {
      body: { name: 'Camera', expires_at: 'never', text_permission: true, mount_permission: true },
      headers: { 'x-forwarded-for': '2001:db8:1:2:3::4' },
    })
    const { id, key } = created.body.data
    const holder = t.client(`ApiKey ${key}`)
    t.clock.advance({ seconds: 1 })
    const text = await holder.call('POST', '/api/paste', {
      body: { content: 'CONTENT', password: 'PASS-WORD' },
    })
    t.clock.advance({ seconds: 1 })
    await holder.call('POST', '/api/fs/mkdir', { body: { path: '/nowhere/x' } })
    const [refused, made, keyMade, login, ...rest] = await entriesOf(t)
    expect(rest).toEqual([])
    expect(login).toMatchObject({
      action: 'session.login',
      actor: { kind: 'admin', name: 'admin' },
      outcome: 'done',
    })
    expect(keyMade).toMatchObject({
      at: '2030-01-01T00:00:00.000Z',
      action: 'api_key.create',
      actor: { kind: 'admin', id: expect.any(String), name: 'admin' },
      target: `Camera (${id})`,
      address: '2001:db8:1::/48',
      outcome: 'done',
      status: 201,
      code: null,
    })
    expect(made).toMatchObject({
      at: '2030-01-01T00:00:01.000Z',
      action: 'text.create',
      actor: { kind: 'key', id, name: 'Camera' },
      target: text.body.slug,
      address: '127.0.0.0/24',
    })
    expect(refused).toMatchObject({ action: 'drive.create_folder', target: '/nowhere/x', outcome: 'refused' })
    expect(refused?.['status']).toBeGreaterThanOrEqual(400)
    expect(refused?.['code']).toMatch(/^\w+\.\w+$/)
    const stored = JSON.stringify(await t.ctx.db.selectFrom('audit_log').selectAll().execute())
    for (const secret of [key, 'CONTENT', 'PASS-WORD', ADMIN_PASSWORD, '2001:db8:1:2:'])
      expect(stored).not.toContain(secret)
  })

  test('a key that was deleted is named', async () => {
    await using t = await startApp()
    const created = await t.admin.call('POST', '/api/admin/api-keys', {
      body: { name: 'Camera', expires_at: 'never', text_permission: true },
    })
    const { id } = created.body.data
    await t.admin.call('DELETE', `/api/admin/api-keys/${id}`)
    const [deleted] = await entriesOf(t)
    expect(deleted).toMatchObject({ action: 'api_key.delete', target: `${id} (Camera)` })
  })

  test('storages, mounts and shares are recorded with their names at that time', async () => {
    await using t = await startApp()
    const last = async () => (await entriesOf(t))[0]
    const storage = await t.admin.call('POST', '/api/s3-configs', {
      body: { name: 'Archive', provider_type: 'Local disk', bucket_name: 'archive' },
    })
    const { id } = storage.body.data
    await t.admin.call('POST', `/api/s3-configs/${id}/test`)
    expect(await last()).toMatchObject({ action: 'storage.test', target: `${id} (Archive)` })
    await t.admin.call('DELETE', `/api/s3-configs/${id}`)
    expect(await last()).toMatchObject({ action: 'storage.delete', target: `${id} (Archive)` })
    await t.admin.call('DELETE', `/api/s3-configs/${id}`)
    expect(await last()).toMatchObject({ action: 'storage.delete', target: id, status: 404 })

    const ids: string[] = []
    for (const slug of ['one', 'two', 'three', 'four'])
      ids.push((await t.admin.call('POST', '/api/paste', { body: { content: 'x', slug } })).body.id)
    await t.admin.call('POST', '/api/admin/pastes/batch-delete', { body: { ids } })
    expect(await last()).toMatchObject({
      action: 'text.delete',
      target: `${ids.slice(0, 3).join(', ')}, +1 (one, two, three, +1)`,
    })
  })

  test('uploads by form are recorded like uploads of a raw body', async () => {
    await using t = await startApp()
    const last = async () => (await entriesOf(t))[0]
    const file = (filename: string) => ({ name: 'file', value: 'x', filename })
    const path = { name: 'path', value: '/local/' }
    const raw = await t.admin.call('PUT', '/api/upload-direct/a%20b.txt', { payload: 'x' })
    expect(await last()).toMatchObject({ action: 'file.create', target: `a b.txt (${raw.body.data.slug})` })
    const shared = await uploadForm(t.admin, [file('a b.txt')])
    expect(await last()).toMatchObject({
      action: 'file.create',
      target: `a b.txt (${shared.body.data.slug})`,
    })
    await uploadForm(t.admin, [{ name: 'slug', value: 'no such/suffix' }, file('a b.txt')])
    expect(await last()).toMatchObject({ action: 'file.create', target: 'a b.txt', outcome: 'refused' })

    const put = (parts: Parameters<typeof form>[0], query = {}) =>
      t.admin.call('POST', '/api/fs/upload', { ...form(parts), query })
    for (const [parts, query] of [
      [[path, file('c.txt')], {}],
      [[file('c.txt'), path], {}],
      [[file('c.txt')], { path: '/local' }],
      [[file('c.txt')], { path: '/local/c.txt' }],
    ] as const) {
      expect((await put(parts, query)).status).toBe(200)
      expect(await last()).toMatchObject({ action: 'drive.write', target: '/local/c.txt' })
    }
    await put([{ ...path, value: '/nowhere' }, file('c.txt')])
    expect(await last()).toMatchObject({
      action: 'drive.write',
      target: '/nowhere/c.txt',
      outcome: 'refused',
    })
  })

  test('failed logins are recorded, those of drives once a minute', async () => {
    await using t = await startApp()
    const enter = (username: string) =>
      t.visitor.call('POST', '/api/admin/login', { body: { username, password: 'not it' } })
    await enter('my-password-by-mistake')
    await enter('admin')
    const drive = t.client(basic('admin', 'wrong one'))
    for (let tries = 0; tries < 3; tries += 1) await drive.call('GET', '/api/fs/list')
    const [onDrive, failed, mistaken] = await entriesOf(t, { outcome: 'refused' })
    expect(failed).toMatchObject({
      action: 'session.login',
      actor: { kind: 'visitor', id: null, name: 'admin' },
      code: 'auth.invalid_credentials',
    })
    // An unknown name is not logged, because it could be a password typed into the wrong field.
    expect(mistaken).toMatchObject({
      action: 'session.login',
      actor: { kind: 'visitor', id: null, name: null },
    })
    expect(JSON.stringify(await entriesOf(t))).not.toContain('my-password-by-mistake')
    expect(onDrive).toMatchObject({ action: 'session.drive_login', actor: { name: 'admin' }, status: 401 })
    expect(await entriesOf(t, { action: 'session.drive_login' })).toHaveLength(1)
    t.clock.advance({ seconds: 61 })
    await drive.call('GET', '/api/fs/list')
    expect(await entriesOf(t, { action: 'session.drive_login' })).toHaveLength(2)
    for (const name of ['a-key-as-the-name', 'another-name'])
      await t.client(`Basic ${Buffer.from(`${name}:wrong`).toString('base64')}`).call('GET', '/api/fs/list')
    expect(await entriesOf(t, { action: 'session.drive_login' })).toHaveLength(3)
    expect(JSON.stringify(await entriesOf(t))).not.toContain('a-key-as-the-name')
    // A failed login for an existing administrator is logged even after a failed login for an unknown name.
    t.clock.advance({ seconds: 61 })
    await t.client(basic('somebody', 'wrong')).call('GET', '/api/fs/list')
    await drive.call('GET', '/api/fs/list')
    const [last] = await entriesOf(t, { action: 'session.drive_login' })
    expect(last).toMatchObject({ actor: { name: 'admin' }, status: 401 })
  })

  test('actions of an administrator through every interface are in the database before the response', async () => {
    await using t = await startApp()
    const drive = t.client(basic('admin', ADMIN_PASSWORD))
    await t.ctx.audit.flush()
    const written = async () => {
      // Reads the table directly, because requests to the API would first write pending entries.
      const rows = await t.ctx.db.selectFrom('audit_log').select(['action', 'target']).orderBy('id').execute()
      return rows.at(-1)
    }
    const { slug } = (await t.admin.call('POST', '/api/paste', { body: { content: 'x' } })).body
    expect(await written()).toEqual({ action: 'text.create', target: slug })
    await t.admin.call('POST', '/api/paste', { body: { content: 'x', slug: 'named-by-hand' } })
    expect(await written()).toEqual({ action: 'text.create', target: 'named-by-hand' })
    await t.admin.call('POST', '/api/fs/mkdir', { body: { path: '/local/made' } })
    expect(await written()).toEqual({ action: 'drive.create_folder', target: '/local/made' })
    await drive.call('PUT', '/dav/local/made/a.txt', { payload: 'x' })
    expect(await written()).toEqual({ action: 'drive.write', target: '/local/made/a.txt' })
    await drive.call('DELETE', '/dav/local/gone.txt')
    expect(await written()).toEqual({ action: 'drive.delete', target: '/local/gone.txt' })
    await t.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths: ['/local/made/'] } })
    expect(await written()).toEqual({ action: 'drive.delete', target: '/local/made/' })
  })

  test('records the targets of copies and moves by a drive, and which settings were changed, but never their values', async () => {
    await using t = await startApp({ env: { BASE_PATH: '/drop' } })
    const drive = t.client(basic('admin', ADMIN_PASSWORD))
    const to = (destination: string) => ({ headers: { destination } })
    await drive.call(
      'MOVE',
      '/dav/local/a%20b.txt',
      to('http://who:SECRET@host.test/drop/dav/local/c%20d.txt'),
    )
    await drive.call('COPY', '/dav/local/a.txt', to('/drop/dav/local/b.txt?x=SECRET'))
    await drive.call('COPY', `/dav/local/${'a'.repeat(600)}`, to('/drop/dav/local/b.txt'))
    await drive.call('MOVE', '/dav/local/a.txt')
    await t.admin.call('PUT', '/api/admin/system-settings', {
      body: { max_upload_size: 4321, webdav_upload_mode: 'multipart' },
    })
    const [settings, nowhere, long, copied, moved] = await entriesOf(t)
    expect(moved).toMatchObject({ action: 'drive.move', target: '/local/a b.txt → /local/c d.txt' })
    expect(copied).toMatchObject({ action: 'drive.copy', target: '/local/a.txt → /local/b.txt' })
    expect(long?.['target']).toMatch(/^…a+ → \/local\/b\.txt$/)
    expect(nowhere).toMatchObject({ action: 'drive.move', target: '/local/a.txt' })
    expect(settings).toMatchObject({
      action: 'settings.change',
      target: 'max_upload_size, webdav_upload_mode',
    })
    expect(JSON.stringify(await entriesOf(t))).not.toMatch(/SECRET|4321/)
  })

  test('reads are not recorded, except reads of secrets; requests by strangers are not recorded either', async () => {
    await using t = await startApp()
    const open = await t.admin.call('POST', '/api/paste', { body: { content: 'x' } })
    const closed = await t.admin.call('POST', '/api/paste', { body: { content: 'x', password: 'secret' } })
    const before = (await entriesOf(t)).length
    await t.admin.call('GET', '/api/admin/pastes')
    await t.admin.call('GET', `/api/admin/pastes/${open.body.id}`)
    await t.visitor.call('DELETE', `/api/admin/pastes/${open.body.id}`)
    await t.visitor.call('GET', `/api/paste/${open.body.slug}`)
    expect(await entriesOf(t)).toHaveLength(before)
    await t.admin.call('GET', `/api/admin/pastes/${closed.body.id}`)
    await t.admin.call('GET', '/api/admin/api-keys')
    await t.admin.call('POST', '/api/admin/backup/export', { body: {} })
    expect((await entriesOf(t)).slice(0, 3).map(({ action }) => action)).toEqual([
      'backup.export',
      'api_key.read',
      'text.read_password',
    ])
  })

  test('a key without the permission is recorded with its attempt', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    await key.call('DELETE', '/api/admin/mounts/some')
    const [tried] = await entriesOf(t, { actor: `apikey:${key.id}` })
    expect(tried).toMatchObject({
      action: 'mount.delete',
      target: 'some',
      code: 'auth.forbidden',
      status: 403,
    })
  })

  test('can be filtered by actor, action, result and time, and continues from a cursor', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ text_permission: true })
    for (let count = 0; count < 7; count += 1) {
      t.clock.advance({ seconds: 1 })
      await key.call('POST', '/api/paste', { body: { content: String(count) } })
    }
    const seen: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await log(t, { actor: `apikey:${key.id}`, limit: '3', cursor })
      seen.push(...page.entries.map(({ at }) => at))
      cursor = page.next_cursor
    }
    expect(seen).toHaveLength(7)
    expect(seen).toEqual([...seen].sort().toReversed())
    const some = await entriesOf(t, { from: '2030-01-01T00:00:02Z', to: '2030-01-01T00:00:04Z' })
    expect(some.map(({ at }) => at)).toEqual(['2030-01-01T00:00:03.000Z', '2030-01-01T00:00:02.000Z'])
    expect(await entriesOf(t, { actor: 'admin', action: 'text.create' })).toEqual([])
    expect(await entriesOf(t, { actor: 'apikey:nobody' })).toEqual([])
    expect((await t.admin.call('GET', '/api/admin/audit', { query: { action: 'made.up' } })).status).toBe(400)
    expect((await key.call('GET', '/api/admin/audit')).status).toBe(403)
  })

  test('is exported as CSV without executable formulas, and as lines of JSON', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/admin/api-keys', { body: { name: '=HYPERLINK("http://x","钥匙")' } })
    const csv = await t.admin.call('GET', '/api/admin/audit/export', { query: { action: 'api_key.create' } })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toMatch(/dropleaf-audit-2030-01-01\.csv/)
    const [head, line, end] = csv.text.split('\r\n')
    expect([head, end]).toEqual([
      '\uFEFFtime,action,outcome,actor,actor_name,actor_id,target,address,status,code',
      '',
    ])
    expect(line).toContain(`,"'=HYPERLINK(""http://x"",""钥匙"") (`)
    const lines = await t.admin.call('GET', '/api/admin/audit/export', { query: { format: 'jsonl' } })
    const entries = lines.text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one) as Entry)
    expect(entries.map(({ action }) => action)).toEqual([
      'audit.export',
      'audit.export',
      'api_key.create',
      'session.login',
    ])
    expect(entries.at(-1)).toMatchObject({ action: 'session.login', actor: { name: 'admin' } })
  })

  test('deletes entries after the retention time', async () => {
    await using t = await startApp({ env: { AUDIT_DAYS: '2' } })
    t.clock.advance({ hours: 47 })
    await t.ctx.jobs.drain()
    await t.ctx.audit.flush()
    const rows = () => t.ctx.db.selectFrom('audit_log').select('action').execute()
    expect(await rows()).toEqual([{ action: 'session.login' }])
    t.clock.advance({ hours: 1, seconds: 1 })
    await t.ctx.jobs.drain()
    expect(await rows()).toEqual([])
  })

  test('concurrent entries are all stored when the process has ended', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    await Promise.all(
      Array.from({ length: 120 }, (_, count) =>
        key.call('POST', '/api/paste', { body: { content: String(count) } }),
      ),
    )
    await using later = await t.restart()
    const page = await log(later, { action: 'text.create', limit: '200' })
    expect([page.entries.length, page.kept_days]).toEqual([120, 90])
  })

  test('entries that cannot be written do not block requests and are written later', async () => {
    await using t = await startApp()
    await t.ctx.audit.flush()
    const { schema } = t.ctx.db
    await schema.alterTable('audit_log').renameTo('audit_log_away').execute()
    const made = await t.admin.call('POST', '/api/paste', { body: { content: 'x' } })
    expect(made.status).toBe(201)
    await t.ctx.audit.flush()
    await schema.alterTable('audit_log_away').renameTo('audit_log').execute()
    expect((await entriesOf(t, { action: 'text.create' })).length).toBe(1)
  })
})

describeOneDatabase('sqlite', 'writing the audit log', ({ startApp }) => {
  test('entries that are added during a write are written together in the next one', async () => {
    await using t = await startApp()
    await t.ctx.audit.flush()
    let written = 0
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        written += 1
        if (written === 1) for (const name of ['second', 'third']) log.note(entryOf(name))
        return result
      },
    }
    const log = new AuditLog({ db: t.ctx.db.withPlugin(plugin), clock: t.clock, log: t.app.log })
    log.note(entryOf('first'))
    await log.flush()
    expect(written).toBe(1)
    await log.close()
    expect(written).toBe(2)
    const names = (await entriesOf(t, { action: 'text.create' })).map(({ target }) => target)
    expect(names.toSorted()).toEqual(['first', 'second', 'third'])
  })
})

describeOneDatabase('sqlite', 'actions of the audit log', ({ startApp }) => {
  test('every mounted route with side effects has an action, and no action belongs to a removed route', async () => {
    await using t = await startApp()
    const mounted = new Set(t.app.declaredAccess.map(({ method, url }) => `${method} ${url}`))
    const unknown = Object.keys(CHANGING_ROUTES).filter(
      (name) => !mounted.has(name) && !name.endsWith('/share-target'),
    )
    expect(unknown).toEqual([])
  })
})

describe('a route with side effects but without an action', () => {
  test('prevents the start', () => {
    const app = Fastify()
    installRequestEnd(app, { stopMs: 0 })
    installAudit(app, {
      log: { note: () => undefined, flush: async () => undefined },
      whoOf: () => null,
      isAdminName: async () => false,
      namesFor: async () => [],
      basePath: '',
    })
    expect(() => app.get('/read', () => 'x')).not.toThrow()
    expect(() => app.put('/new', () => 'x')).toThrow('PUT /new does not say what it is in the audit log')
    expect(() => actionOf('MKCOL', '/dav/*')).not.toThrow()
  })
})
