import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { ADMIN_PASSWORD, type TestApp, type TestClient } from '../../../testing/app.ts'
import { basic, listen } from '../../../testing/drive.ts'
import { form, localDiskId, pathOf } from '../../../testing/files.ts'
import { mountSecondDisk } from '../../../testing/fs.ts'
import { describeEachStorage, localDisk, type StorageTestApp } from '../../../testing/storages.ts'

const RIGHTS = { text_permission: true, file_permission: true, mount_permission: true }
const LONG = 'long '.repeat(120_000)

/** A request whose body is sent slowly. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
  /** Whether the request has no `Authorization` header. Its signed URL then identifies the issuer. */
  readonly isByAddress?: boolean
}

/**
 * Sends half of a body, calls `meanwhile`, advances the application's clock by `seconds`, and sends the rest of the
 * body.
 */
async function sendAround(
  t: TestApp,
  sent: Sent,
  who: TestClient,
  meanwhile: () => Promise<unknown>,
  { seconds = 2, isBelieved = false }: { seconds?: number; isBelieved?: boolean } = {},
) {
  const { port } = new URL(await listen(t))
  const bytes = Buffer.from(sent.body)
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method: sent.method,
    path: sent.path,
    headers: {
      ...(sent.isByAddress ? {} : { authorization: who.authorization ?? '' }),
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      ...sent.headers,
    },
  })
  const answer = new Promise<number>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
  })
  const arrived = once(t.app.server, 'request')
  outgoing.write(bytes.subarray(0, bytes.length / 2))
  const [received] = (await arrived) as [IncomingMessage]
  // The server reads the body only after it has authorized the sender.
  if (isBelieved) await vi.waitFor(() => expect(received.readableFlowing).toBe(true))
  await meanwhile()
  t.clock.advance({ seconds })
  outgoing.end(bytes.subarray(bytes.length / 2))
  return answer
}

const json = (method: string, path: string, body: object): Sent => ({
  method,
  path,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

type Door = (t: StorageTestApp, who: TestClient) => Promise<Sent> | Sent

const ask = async (who: TestClient, url: string, body: object) =>
  (await who.call('POST', url, { body })).body.data

const putTo = (address: string, body = 'new bytes'): Sent => ({
  method: 'PUT',
  path: pathOf(address),
  body,
  isByAddress: true,
})

const PROPERTY = `<?xml version="1.0"?><propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x></prop></set></propertyupdate>`
const LOCK = `<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`

/** Requests that store or change something in a mount. */
const MOUNT_DOORS: Record<string, Door> = {
  'PUT fs/upload': ({ storage: { mountPath: m } }) => ({
    method: 'PUT',
    path: `/api/fs/upload?path=${m}/old.txt`,
    body: 'new bytes',
  }),
  'PUT fs/upload, long': ({ storage: { mountPath: m } }) => ({
    method: 'PUT',
    path: `/api/fs/upload?path=${m}/old.txt`,
    body: LONG,
  }),
  'POST fs/upload': ({ storage: { mountPath: m } }) => {
    const sent = form([
      { name: 'path', value: m },
      { name: 'file', value: LONG, filename: 'old.txt' },
    ])
    return { method: 'POST', path: '/api/fs/upload', body: sent.payload, headers: sent.headers }
  },
  'POST fs/upload, folder last': ({ storage: { mountPath: m } }) => {
    const sent = form([
      { name: 'file', value: LONG, filename: 'old.txt' },
      { name: 'path', value: m },
    ])
    return { method: 'POST', path: '/api/fs/upload', body: sent.payload, headers: sent.headers }
  },
  'PUT fs/multipart/part': async ({ storage: { mountPath: m } }, who) => {
    const begun = await ask(who, '/api/fs/multipart/init', { path: m, fileName: 'old.txt', fileSize: 9 })
    const query = new URLSearchParams({ path: m, uploadId: begun.uploadId, partNumber: '1' })
    return { method: 'PUT', path: `/api/fs/multipart/part?${query}`, body: 'new bytes' }
  },
  'POST fs/mkdir': ({ storage: { mountPath: m } }) => json('POST', '/api/fs/mkdir', { path: `${m}/made` }),
  'POST fs/update': ({ storage: { mountPath: m } }) =>
    json('POST', '/api/fs/update', { path: `${m}/old.txt`, content: 'new' }),
  'DELETE fs/batch-remove': ({ storage: { mountPath: m } }) =>
    json('DELETE', '/api/fs/batch-remove', { paths: [`${m}/old.txt`] }),
  'PUT dav': ({ storage: { mountPath: m } }) => ({
    method: 'PUT',
    path: `/dav${m}/old.txt`,
    body: 'new bytes',
  }),
  'PUT dav, long': ({ storage: { mountPath: m } }) => ({
    method: 'PUT',
    path: `/dav${m}/old.txt`,
    body: LONG,
  }),
  'PROPPATCH dav': ({ storage: { mountPath: m } }) => ({
    method: 'PROPPATCH',
    path: `/dav${m}/old.txt`,
    body: PROPERTY,
  }),
  'LOCK dav': ({ storage: { mountPath: m } }) => ({ method: 'LOCK', path: `/dav${m}/made.txt`, body: LOCK }),
  'signed PUT of a file': async (_t, who) =>
    putTo((await ask(who, '/api/fs/presign', { path: '/local/', fileName: 'signed.txt' })).presignedUrl),
  'signed PUT of a part': async (_t, who) => {
    const wanted = { path: '/local/', fileName: 'signed.txt', fileSize: 9 }
    return putTo((await ask(who, '/api/fs/multipart/init', wanted)).presignedUrls[0].url)
  },
  'signed PUT of a copy': async ({ storage: { mountPath: m } }, who) => {
    const target = m === '/local' ? '/second' : '/local'
    const items = [{ sourcePath: `${m}/old.txt`, targetPath: `${target}/copied.txt` }]
    const { crossStorageResults } = await ask(who, '/api/fs/batch-copy', { items, skipExisting: false })
    return putTo(crossStorageResults[0].uploadUrl, 'new')
  },
}

const SHARE_DOORS: Record<string, Door> = {
  'POST upload': () => {
    const sent = form([{ name: 'file', value: LONG, filename: 'shared.txt' }])
    return { method: 'POST', path: '/api/upload', body: sent.payload, headers: sent.headers }
  },
  'POST upload, place last': () => {
    const sent = form([
      { name: 'file', value: LONG, filename: 'shared.txt' },
      { name: 'path', value: 'elsewhere' },
      { name: 'slug', value: 'late-name' },
    ])
    return { method: 'POST', path: '/api/upload', body: sent.payload, headers: sent.headers }
  },
  'PUT upload-direct': () => ({ method: 'PUT', path: '/api/upload-direct/shared.txt', body: 'new bytes' }),
  'PUT upload-direct, long': () => ({ method: 'PUT', path: '/api/upload-direct/shared.txt', body: LONG }),
  'signed PUT of a share': async (t, who) => {
    const s3_config_id = await localDiskId(t)
    return putTo((await ask(who, '/api/s3/presign', { s3_config_id, filename: 'shared.txt' })).upload_url)
  },
}

const TEXT_DOORS: Record<string, Door> = {
  'POST paste': () => json('POST', '/api/paste', { content: 'new text '.repeat(1000) }),
}

const DOORS = { ...MOUNT_DOORS, ...SHARE_DOORS, ...TEXT_DOORS }

/** Returns all state that a successful request could change. */
async function seen(t: StorageTestApp) {
  const disk = await localDisk(t)
  const rows = await t.ctx.db
    .selectFrom('files')
    .select('slug')
    .where('committed_at_ms', 'is not', null)
    .execute()
  const properties = await t.ctx.db.selectFrom('dav_properties').selectAll().execute()
  const locks = await t.ctx.db.selectFrom('dav_locks').selectAll().execute()
  return {
    mount: await t.storage.keys(),
    local: await disk.keys(),
    old: await t.storage.text('old.txt'),
    shares: rows.length,
    texts: (await t.ctx.db.selectFrom('pastes').select('slug').execute()).length,
    dav: properties.length + locks.length,
  }
}

async function prepare(t: StorageTestApp): Promise<void> {
  await t.storage.put('old.txt', 'old')
  await mountSecondDisk(t.admin)
}

interface Revocation {
  readonly doors: Record<string, Door>
  /** Creates a client with full access, and a function that revokes this access or a part of it. */
  readonly begin: (t: TestApp) => Promise<{ who: TestClient; end: (by: TestApp) => Promise<unknown> }>
  readonly statuses: readonly number[]
}

const withKey =
  (end: (by: TestApp, id: string) => Promise<unknown>): Revocation['begin'] =>
  async (t) => {
    const expires_at = new Date(t.clock.nowMs() + 600_000).toISOString()
    const key = await t.keyClient({ ...RIGHTS, expires_at })
    return { who: key, end: (by) => end(by, key.id) }
  }

const change = (body: object) =>
  withKey((by, id) => by.admin.call('PUT', `/api/admin/api-keys/${id}`, { body }))

const enter = async (t: TestApp) => {
  const body = { username: 'admin', password: ADMIN_PASSWORD }
  return t.client(`Bearer ${(await t.visitor.call('POST', '/api/admin/login', { body })).body.data.token}`)
}

const REVOCATIONS: Record<string, Revocation> = {
  'the key is deleted': {
    doors: DOORS,
    begin: withKey((by, id) => by.admin.call('DELETE', `/api/admin/api-keys/${id}`)),
    statuses: [401, 403],
  },
  'the key expires': {
    doors: DOORS,
    begin: withKey(async (by) => by.clock.advance({ seconds: 600 })),
    statuses: [401, 403],
  },
  'its rights are taken': {
    doors: DOORS,
    begin: change({ text_permission: false, file_permission: false, mount_permission: false }),
    // WebDAV responds with 401, so that the client prompts the user for other credentials.
    statuses: [401, 403],
  },
  'it becomes read-only': { doors: MOUNT_DOORS, begin: change({ mount_read_only: true }), statuses: [403] },
  'its base path is another': {
    doors: { ...MOUNT_DOORS, ...SHARE_DOORS },
    begin: change({ basic_path: '/nowhere' }),
    statuses: [403],
  },
  'the session ends': {
    doors: DOORS,
    async begin(t) {
      const who = await enter(t)
      return { who, end: () => who.call('POST', '/api/admin/logout') }
    },
    statuses: [401, 403],
  },
}

describeEachStorage('uploads during the revocation of a permission', ({ startApp, engine }) => {
  test('are stored through every interface if no permission is revoked', async () => {
    await using t = await startApp()
    await prepare(t)
    for (const [name, door] of Object.entries(DOORS)) {
      const { who } = await withKey(async () => undefined)(t)
      const status = await sendAround(t, await door(t, who), who, async () => undefined)
      expect([name, status < 300]).toEqual([name, true])
      if (name === 'DELETE fs/batch-remove') await t.storage.put('old.txt', 'old')
    }
  })

  // Runs on SQLite only by default, because the code under test does not depend on the database.
  const isOfOne = engine === 'postgres' && process.env.EVERY_PAIR !== '1'
  test.skipIf(isOfOne).each(Object.keys(REVOCATIONS))(
    'are not stored and replace nothing: %s',
    async (name) => {
      const { doors, begin, statuses } = REVOCATIONS[name]!
      await using t = await startApp()
      await prepare(t)
      for (const [door, sentBy] of Object.entries(doors)) {
        const { who, end } = await begin(t)
        const sent = await sentBy(t, who)
        const before = await seen(t)
        const status = await sendAround(t, sent, who, () => end(t))
        expect([door, statuses.includes(status) ? 'refused' : status]).toEqual([door, 'refused'])
        expect([door, await seen(t)]).toEqual([door, before])
      }
    },
  )

  test.runIf(engine === 'postgres')('are refused if another replica revokes the permission', async () => {
    await using t = await startApp()
    await using other = await t.replica()
    await prepare(t)
    const { begin } = REVOCATIONS['the key is deleted']!
    for (const [door, sentBy] of Object.entries(DOORS)) {
      const { who, end } = await begin(t)
      const sent = await sentBy(t, who)
      const before = await seen(t)
      const status = await sendAround(t, sent, who, () => end(other))
      expect([door, [401, 403].includes(status)]).toEqual([door, true])
      expect([door, await seen(t)]).toEqual([door, before])
    }
  })

  test('check the same caller at most once a second', async () => {
    await using t = await startApp()
    await prepare(t)
    for (const [door, sentBy] of Object.entries({ ...SHARE_DOORS, ...TEXT_DOORS })) {
      const { who, end } = await REVOCATIONS['the key is deleted']!.begin(t)
      const status = await sendAround(t, await sentBy(t, who), who, () => end(t), {
        seconds: 1,
        isBelieved: true,
      })
      expect([door, status < 300]).toEqual([door, true])
    }
  })

  test('with a name and a password are refused after a change of the password', async () => {
    await using t = await startApp()
    await prepare(t)
    const who = t.client(basic('admin', ADMIN_PASSWORD))
    const before = await seen(t)
    const sent = { method: 'PUT', path: `/dav${t.storage.mountPath}/old.txt`, body: 'new' }
    const status = await sendAround(t, sent, who, () =>
      t.admin.call('POST', '/api/admin/change-password', {
        body: { currentPassword: ADMIN_PASSWORD, newPassword: 'another horse battery' },
      }),
    )
    expect(status).toBe(401)
    expect(await seen(t)).toEqual(before)
  })

  test('import no backup after the end of the session', async () => {
    await using t = await startApp()
    const text = await t.admin.call('POST', '/api/paste', { body: { content: 'kept' } })
    const backup = await t.admin.call('POST', '/api/admin/backup/export', { body: {} })
    await t.admin.call('DELETE', `/api/admin/pastes/${text.body.id}`)
    const path = '/api/admin/backup/import?mode=merge'
    const sent = {
      method: 'POST',
      path,
      body: backup.bytes,
      headers: { 'content-type': 'application/x-ndjson' },
    }
    const who = await enter(t)
    expect(await sendAround(t, sent, who, () => who.call('POST', '/api/admin/logout'))).toBe(401)
    expect(await t.ctx.db.selectFrom('pastes').select('slug').execute()).toEqual([])
    expect(await sendAround(t, sent, t.admin, async () => undefined)).toBe(200)
    expect(await t.ctx.db.selectFrom('pastes').select('slug').execute()).toHaveLength(1)
  })
})
