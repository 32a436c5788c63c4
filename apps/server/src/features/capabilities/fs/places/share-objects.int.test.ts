import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, type TestAnswer, type TestClient } from '../../../../testing/app.ts'
import { basic, type Drive, driveAt, listen } from '../../../../testing/drive.ts'
import { share } from '../../../../testing/files.ts'
import { fsDoors } from '../../../../testing/fs-doors.ts'
import {
  describeEachStorage,
  localDisk,
  manyOn,
  moveShareTo,
  type StorageTestApp,
} from '../../../../testing/storages.ts'
import { objectKeyFor } from '../../../foundation/share-objects/share-keys.models.ts'
import { crawl } from '../../../foundation/object-index/crawl.usecases.ts'
import { getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { usageOf } from '../../../foundation/storage-usage/storage-usage.usecases.ts'

/** Content that no request contains, so it appears in a response only if it leaked. */
const BYTES = 'bytes-of-a-protected-share'
const PASSWORD = { password: 'correct-horse', max_views: '3' }

async function fill(t: StorageTestApp) {
  const query = { s3_config_id: t.storage.configId, ...PASSWORD }
  const shared = (slug: string) => share(t.admin, `${slug}.txt`, { bytes: BYTES, query: { ...query, slug } })
  await shared('fresh')
  await shared('marked')
  await shared('named')
  const maker = { configId: t.storage.configId, sign: (text: string) => t.ctx.secrets.sign(text) }
  const marked = objectKeyFor({ maker, folders: ['old'], filename: 'marked.txt', keepsName: false })
  await moveShareTo(t, t.storage, { slug: 'marked', key: marked })
  await moveShareTo(t, t.storage, { slug: 'named', key: 'old/named.txt' })
  await t.storage.put('old/own.txt', 'own')
  await t.storage.put('in.txt', 'inside')
  await t.storage.put('sub/deep.txt', 'inside')
  const { storage_key: fresh } = await t.ctx.db
    .selectFrom('files')
    .select('storage_key')
    .where('slug', '=', 'fresh')
    .executeTakeFirstOrThrow()
  return { fresh, marked, named: 'old/named.txt' }
}

/**
 * Returns the paths of objects of shares and of folders of shares, some of them in other spellings, and a free path in
 * a folder of shares.
 */
const namesOf = (m: string, { fresh, marked, named }: Awaited<ReturnType<typeof fill>>): string[] => [
  `${m}/${fresh}`,
  `${m}/${marked}`,
  `${m}/${named}`,
  `${m}/dropleaf-shares`,
  `${m}/dropleaf-shares/`,
  `${m}/DropLeaf-Shares/${fresh.split('/').at(-1)}`,
  `${m}/dropleaf-\u017fhares/`,
  `${m}/dropleaf-shares./${fresh.split('/').at(-1)}`,
  `${m}/sub/dropleaf-shares/new.txt`,
]

/** Returns folders above objects of shares. Other entries of these folders are visible in every interface. */
const foldersOf = (m: string): string[] => [`${m}/`, `${m}/old/`, '/']

const isAsked = (kind: 'disk' | 's3', place: number): boolean => place % manyOn(kind, 1, 3) === 0

type Seen = Pick<TestAnswer, 'status' | 'text'>

function expectNothingOf(what: string, answer: Seen | undefined, secrets: readonly string[]): void {
  if (!answer) throw new Error(`${what} has no answer`)
  expect([what, answer.status < 500 || answer.status === 502]).toEqual([what, true])
  expect([what, secrets.filter((secret) => answer.text.includes(secret))]).toEqual([what, []])
}

const METHODS = ['PROPFIND', 'GET', 'HEAD', 'PUT', 'DELETE', 'MKCOL', 'LOCK', 'PROPPATCH', 'COPY', 'MOVE']
const LOCK_BODY =
  '<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
const PATCH_BODY =
  '<?xml version="1.0"?><propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x></prop></set></propertyupdate>'
const bodyOf = (method: string) =>
  method === 'PUT'
    ? 'intruder'
    : method === 'LOCK'
      ? LOCK_BODY
      : method === 'PROPPATCH'
        ? PATCH_BODY
        : undefined

/** Calls each WebDAV method at a path, and copies and moves with the path as destination. */
async function* driveCalls(drive: Drive, path: string, { url, m }: { url: string; m: string }) {
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  for (const method of METHODS) {
    const body = bodyOf(method)
    const headers = { depth: method === 'LOCK' ? '0' : '1', destination: `${url}${m}/taken.txt` }
    yield [
      method,
      await drive.call(method, escaped, { headers, ...(body === undefined ? {} : { body }) }),
    ] as const
  }
  for (const method of ['COPY', 'MOVE'])
    yield [
      `${method} to`,
      await drive.call(method, `${m}/in.txt`, { headers: { destination: url + escaped, overwrite: 'T' } }),
    ] as const
}

/** Returns the objects of shares with their content. */
async function pictureOf(t: StorageTestApp, keys: Record<string, string>): Promise<string[]> {
  return Promise.all(Object.values(keys).map(async (key) => `${key}=${await t.storage.text(key)}`))
}

const crawlAll = (t: StorageTestApp) =>
  crawl(t.ctx, { configId: t.storage.configId, signal: new AbortController().signal })

describeEachStorage('objects of shares', ({ startApp, mountPath: m, kind }) => {
  test('are inaccessible through mounts, by any route of the file system', { timeout: 300_000 }, async () => {
    await using t = await startApp()
    const keys = await fill(t)
    await crawlAll(t)
    const clients: Record<string, TestClient> = {
      'a key': await t.keyClient({ mount_permission: true, file_permission: true, basic_path: '/' }),
      'a key that reads': await t.keyClient({
        mount_permission: true,
        mount_read_only: true,
        basic_path: '/',
      }),
      'the administrator': t.admin,
    }
    const doors = fsDoors({
      inside: m,
      configId: t.storage.configId,
      otherConfigId: (await localDisk(t)).configId,
      mountId: t.storage.mountId,
      otherMountId: t.storage.mountId,
      fileId: 'none',
      uploadId: 'none',
      multipartPath: `${m}/`,
    })
    const before = await pictureOf(t, keys)
    const names = Object.values(keys).map((key) => key.split('/').at(-1) ?? '')
    const secrets = [BYTES, ...names, 'dropleaf-shares']
    for (const [who, client] of Object.entries(clients)) {
      for (const path of foldersOf(m))
        for (const name of ['list', 'list a page', 'archive', 'search there', 'search the mount'])
          expectNothingOf(`${who}: ${name} ${path}`, await doors[name]?.(client, path), secrets)
      const found = await client.call('GET', '/api/fs/search', {
        query: { q: 'txt', scope: 'mount', mount_id: t.storage.mountId },
      })
      expectNothingOf(`${who}: search`, found, names)
    }
    for (const [who, client] of Object.entries(clients)) {
      for (const [row, path] of namesOf(m, keys).entries())
        for (const [column, [name, door]] of Object.entries(doors).entries())
          if (isAsked(kind, row + column))
            expectNothingOf(`${who}: ${name} ${path}`, await door(client, path), [BYTES])
    }
    await t.ctx.tasks.drain()
    expect(await pictureOf(t, keys)).toEqual(before)
    const slugs = await t.ctx.db.selectFrom('files').select('slug').where('owns_object', '=', 1).execute()
    expect(slugs.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['fresh', 'marked', 'named']))
  })

  test('are inaccessible by any method of the network drive', { timeout: 300_000 }, async () => {
    await using t = await startApp()
    const keys = await fill(t)
    const { key } = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const url = await listen(t)
    const drives = {
      'a key': driveAt(url, basic('key', key)),
      'the administrator': driveAt(url, basic('admin', ADMIN_PASSWORD)),
    }
    const before = await pictureOf(t, keys)
    for (const [who, drive] of Object.entries(drives)) {
      for (const path of namesOf(m, keys))
        for await (const [method, answer] of driveCalls(drive, path, { url, m }))
          expectNothingOf(`${who}: ${method} ${path}`, answer, [BYTES])
      for (const path of [`${m}/`, `${m}/old/`]) {
        const listed = await drive.call('PROPFIND', path, { headers: { depth: '1' } })
        expect(listed.status).toBe(207)
        expectNothingOf(`${who}: PROPFIND ${path}`, listed, [
          ...Object.values(keys).map((k) => k.split('/').at(-1) ?? ''),
          'dropleaf-shares',
        ])
      }
      expect((await drive.call('PUT', `${m}/${keys.named}`, { body: 'x' })).status).toBe(403)
    }
    expect(await pictureOf(t, keys)).toEqual(before)
  })

  test('stay when a drive replaces the folder around them, and the replacement succeeds', async () => {
    await using t = await startApp()
    const keys = await fill(t)
    const { key } = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const url = await listen(t)
    const drive = driveAt(url, basic('key', key))
    const before = await pictureOf(t, keys)
    for (const method of ['COPY', 'MOVE']) {
      await t.storage.put(`new/${method}.txt`, method)
      await t.storage.put('old/seen/deep.txt', 'deep')
      const answer = await drive.call(method, `${m}/new/`, {
        headers: { destination: `${url}${m}/old/`, overwrite: 'T' },
      })
      expect([method, answer.status, answer.text]).toEqual([method, 204, ''])
      const shown = (await t.storage.keys('old/')).filter(
        (one) => one.endsWith('.txt') && one.startsWith('old/'),
      )
      expect(shown).toContain(`old/${method}.txt`)
      expect(shown).not.toContain('old/seen/deep.txt')
      expect((await t.storage.keys('new/')).includes(`new/${method}.txt`)).toBe(method === 'COPY')
    }
    const bare = await drive.call('COPY', `${m}/old/`, {
      headers: { destination: `${url}${m}/bare/`, overwrite: 'T', depth: '0' },
    })
    expect(bare.status).toBe(201)
    const overOld = await drive.call('COPY', `${m}/bare/`, {
      headers: { destination: `${url}${m}/old/`, overwrite: 'T', depth: '0' },
    })
    expect(overOld.status).toBe(204)
    expect(await pictureOf(t, keys)).toEqual(before)
  })

  test('nothing is overwritten by a copy or move that is refused because of them', async () => {
    await using t = await startApp()
    const keys = await fill(t)
    const { key } = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const url = await listen(t)
    const drive = driveAt(url, basic('key', key))
    await t.admin.call('PUT', `/api/s3-configs/${t.storage.configId}`, { body: { default_folder: 'hidden' } })
    await share(t.admin, 'only.txt', { query: { s3_config_id: t.storage.configId, slug: 'hidden-only' } })
    await t.storage.put('other/a.txt', 'a')
    await t.storage.put('other/sub/b.txt', 'b')
    await t.storage.put('into/named.txt', 'seen')
    const before = await pictureOf(t, keys)
    const all = await t.storage.keys('')
    const tryAll = async (files: string) => {
      for (const method of ['COPY', 'MOVE'])
        for (const [from, to, status] of [
          ['hidden/', 'other/', 404],
          ['hidden', 'in.txt', 404],
          ['in.txt', 'old', 403],
          ['in.txt', 'old/', 403],
          ['into/', 'old/', 403],
        ] as const) {
          const headers = { destination: `${url}${m}/${to}`, overwrite: 'T' }
          const answer = await drive.call(method, `${m}/${from}`, { headers })
          expect([files, method, from, to, answer.status]).toEqual([files, method, from, to, status])
        }
      expect(await t.storage.keys('')).toEqual(all)
    }
    await tryAll('of shares')
    // Deletes the row but not the object, as if an older backup had been restored.
    await t.ctx.db.deleteFrom('files').where('slug', '=', 'hidden-only').execute()
    await tryAll('without a share')
    const moved = await drive.call('MOVE', `${m}/hidden/`, { headers: { destination: `${url}${m}/free/` } })
    expect(moved.status).toBe(404)
    const renamed = await t.admin.call('POST', '/api/fs/rename', {
      body: { oldPath: `${m}/hidden/`, newPath: `${m}/free/` },
    })
    expect(renamed.status).toBe(404)
    const removed = await drive.call('DELETE', `${m}/hidden/`)
    expect([removed.status, removed.text]).toEqual([409, expect.stringContaining('contains shared files')])
    expect(await t.storage.keys('')).toEqual(all)
    expect(await pictureOf(t, keys)).toEqual(before)
  })

  test('stay when folders around them are moved, copied and removed, and their shares still work', async () => {
    await using t = await startApp()
    const keys = await fill(t)
    const client = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const before = await pictureOf(t, keys)
    const items = (sourcePath: string, targetPath: string) => ({
      body: { items: [{ sourcePath, targetPath }], server: true },
    })
    expect(
      (await client.call('POST', '/api/fs/batch-copy', items(`${m}/old/`, `${m}/copied/`))).status,
    ).toBeLessThan(300)
    await t.ctx.tasks.drain()
    expect((await t.storage.keys('copied/')).filter((key) => !key.endsWith('/'))).toEqual(['copied/own.txt'])
    const renamed = await client.call('POST', '/api/fs/rename', {
      body: { oldPath: `${m}/old/`, newPath: `${m}/new/` },
    })
    expect([renamed.status, renamed.text]).toEqual([200, expect.anything()])
    expect((await t.storage.keys('new/')).filter((key) => !key.endsWith('/'))).toEqual(['new/own.txt'])
    await t.storage.put('old/other.txt', 'other')
    const removed = await client.call('DELETE', '/api/fs/batch-remove', { body: { paths: [`${m}/old/`] } })
    expect(removed.body.data).toMatchObject({ success: 0, failed: [{ path: `${m}/old/` }] })
    expect(removed.text).toContain('fs.holds_shares')
    expect(await t.storage.keys('old/')).not.toContain('old/other.txt')
    expect(await pictureOf(t, keys)).toEqual(before)
    for (const slug of ['fresh', 'marked', 'named']) {
      const opened = await t.visitor.call('POST', `/api/public/files/${slug}/verify`, {
        body: { password: PASSWORD.password },
      })
      expect([slug, opened.status]).toEqual([slug, 200])
    }
  })

  test('are shown only to the administrator, and only on request', async () => {
    await using t = await startApp()
    const keys = await fill(t)
    const client = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const list = async (who: TestClient, path: string) =>
      (await who.call('GET', '/api/fs/list', { query: { path } })).body.data?.items
        .map((item: { name: string }) => item.name)
        .sort()
    const marked = keys.marked.split('/').at(-1)
    expect([await list(t.admin, `${m}/old/`), await list(client, `${m}/old/`)]).toEqual([
      ['own.txt'],
      ['own.txt'],
    ])
    const change = await t.admin.call('PUT', '/api/admin/system-settings', {
      body: { show_share_files: true },
    })
    expect(change.status).toBe(200)
    expect(await list(t.admin, `${m}/old/`)).toEqual([marked, 'named.txt', 'own.txt'].sort())
    expect(await list(client, `${m}/old/`)).toEqual(['own.txt'])
    expect(await list(t.admin, `${m}/`)).toContain('dropleaf-shares')
    expect(await list(client, `${m}/`)).not.toContain('dropleaf-shares')
    const read = await t.admin.call('GET', '/api/fs/download', { query: { path: `${m}/${keys.fresh}` } })
    expect([read.status, read.text]).toEqual([200, BYTES])
    await crawlAll(t)
    await t.admin.call('PUT', '/api/admin/system-settings', { body: { show_share_files: false } })
    expect(await list(t.admin, `${m}/old/`)).toEqual(['own.txt'])
  })

  test('count once towards the capacity of their storage, and so do files that are shared without a copy', async () => {
    await using t = await startApp()
    await t.storage.put('in.txt', 'inside')
    await crawlAll(t)
    const config = await getConfig(t.ctx, t.storage.configId)
    const before = await usageOf(t.ctx, config)
    await share(t.admin, 'a.bin', { bytes: Buffer.alloc(1000), query: { s3_config_id: t.storage.configId } })
    expect(await usageOf(t.ctx, config)).toBe(before + 1000)
    await t.admin.call('POST', '/api/fs/share', { body: { path: `${m}/in.txt` } })
    await crawlAll(t)
    expect(await usageOf(t.ctx, config)).toBe(before + 1000)
  })
})
