import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { fsListingRoutes } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { TestApp, TestClient } from '../../../../testing/app.ts'
import { describeEachDatabase } from '../../../../testing/app.ts'
import { putFile } from '../../../../testing/fs.ts'
import {
  describeEachStorage,
  manyOn,
  pageOn,
  shortenPages,
  type StorageTestApp,
} from '../../../../testing/storages.ts'
import { crawl } from '../../../foundation/object-index/crawl.usecases.ts'
import { feedFolder, indexPosition } from '../../../foundation/object-index/folder-index.usecases.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'

const list = (client: TestClient, path: string, query: Record<string, string> = {}) =>
  client.call('GET', '/api/fs/list', { query: { path, ...query } })

interface Item {
  readonly name: string
  readonly path: string
  readonly isDirectory: boolean
  readonly size: number
  readonly modified: string | null
}

async function items(client: TestClient, path: string, query: Record<string, string> = {}): Promise<Item[]> {
  const answer = await list(client, path, query)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data.items
}

const names = async (client: TestClient, path: string, query: Record<string, string> = {}) =>
  (await items(client, path, query)).map((item) => item.name + (item.isDirectory ? '/' : ''))

/** Returns the names on all pages. */
async function paged(client: TestClient, path: string, query: Record<string, string>): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const answer = await list(client, path, { ...query, ...(cursor === null ? {} : { cursor }) })
    expect(answer.status).toBe(200)
    const { data } = answer.body
    expect(data.items.length).toBeLessThanOrEqual(Number(query.limit))
    found.push(...data.items.map((item: Item) => item.name + (item.isDirectory ? '/' : '')))
    cursor = data.next_cursor
  } while (cursor !== null)
  return found
}

/** Writes to the storage directly, and updates the index. */
async function write(t: StorageTestApp, key: string, content = ''): Promise<void> {
  await t.storage.put(key, content)
  const stat = await (await t.storage.driver()).stat(key as never)
  if (!stat) throw new Error(`${key} was not written.`)
  await noteChange(t.ctx, { configId: t.storage.configId, written: [stat] })
}

const setTtl = (t: TestApp, seconds: number) =>
  t.ctx.db.updateTable('mounts').set({ cache_ttl: seconds }).execute()

const FOLDER = [
  ['f/img10.jpg', 'ten bytes!'],
  ['f/img2.jpg', 'two'],
  ['f/Img1.jpg', 'o'],
  ['f/a.txt', '12345'],
  ['f/海 9.txt', '9999'],
  ['f/海 10.txt', ''],
  ['f/𠀀.txt', '77'],
  ['f/\uff01.txt', '777'],
  ['f/sub 10/x', '1234'],
  ['f/sub 2/deep/y', '12'],
  ['f/empty/', ''],
] as const

const BY_NAME = [
  'empty/',
  'sub 2/',
  'sub 10/',
  '!.txt',
  'a.txt',
  'Img1.jpg',
  'img2.jpg',
  'img10.jpg',
  '海 9.txt',
  '海 10.txt',
  '𠀀.txt',
].map((name) => (name === '!.txt' ? '\uff01.txt' : name))

describeEachStorage('listing', ({ startApp, mountPath, kind }) => {
  test('a folder lists folders first, in natural order, with all fields of the contract', async () => {
    await using t = await startApp()
    for (const [key, content] of FOLDER) await t.storage.put(key, content)
    const answer = await list(t.admin, `${mountPath}/f`)
    expect(answer.status).toBe(200)
    const { data } = answer.body
    expect(data).toMatchObject({
      path: `${mountPath}/f`,
      type: 'directory',
      isRoot: false,
      isVirtual: false,
      mount_id: t.storage.mountId,
      storage_type: 'S3',
      size_complete: false,
    })
    expect(data.items.map((item: Item) => item.name + (item.isDirectory ? '/' : ''))).toEqual(BY_NAME)
    expect(data.items[0]).toMatchObject({ path: `${mountPath}/f/empty/`, isVirtual: false })
    const file = data.items.find((item: Item) => item.name === 'a.txt')
    expect(file).toMatchObject({ path: `${mountPath}/f/a.txt`, isDirectory: false, size: 5 })
    expect(file.etag).toMatch(/^[^"]+$/)
    expect(new Date(file.modified).toISOString()).toBe(file.modified)
    const { code, message, success, ...rest } = answer.body
    expect({ code, message, success }).toEqual({ code: 200, message: 'OK', success: true })
    expect(z.parse(fsListingRoutes.list.reply, rest)).toEqual(rest)
    expect((await list(t.admin, `${mountPath}/f/`)).body.data.path).toBe(`${mountPath}/f/`)
    expect((await list(t.admin, mountPath)).body.data.path).toBe(`${mountPath}/`)
  })

  test('cache, index and storage return the same list in every order, and the pages together are complete', async () => {
    await using t = await startApp()
    for (const [key, content] of FOLDER) await t.storage.put(key, content)
    await t.ctx.db.updateTable('object_indexes').set({ completed_at_ms: 1 }).execute()
    const path = `${mountPath}/f`
    const orders = ['name', 'size', 'modified'].flatMap((sort) =>
      ['asc', 'desc'].map((order) => ({ sort, order })),
    )
    await list(t.admin, path)
    await t.ctx.jobs.drain()
    await setTtl(t, 0)
    const asked = []
    for (const order of orders) asked.push(await names(t.admin, path, order))
    expect(asked[0]).toEqual(BY_NAME)
    expect(asked[1]).toEqual([...BY_NAME.slice(0, 3).toReversed(), ...BY_NAME.slice(3).toReversed()])
    for (const [index, order] of orders.entries())
      for (const limit of ['1', '2', '3', '100']) {
        await setTtl(t, 0)
        expect([order, await paged(t.admin, path, { ...order, limit })]).toEqual([order, asked[index]])
        await setTtl(t, 300)
        expect([order, await paged(t.admin, path, { ...order, limit })]).toEqual([order, asked[index]])
        expect([order, await names(t.admin, path, order)]).toEqual([order, asked[index]])
      }
    await setTtl(t, 0)
    for (const limit of ['1', '4', '100'])
      expect((await paged(t.admin, path, { limit })).sort()).toEqual(BY_NAME.toSorted())
  })

  test('within the cache time external changes are not listed, and changes by this server are listed immediately', async () => {
    await using t = await startApp()
    await t.storage.put('f/old.txt', 'old')
    expect(await names(t.admin, `${mountPath}/f`)).toEqual(['old.txt'])
    await t.storage.put('f/foreign.txt', 'x')
    expect(await names(t.admin, `${mountPath}/f`)).toEqual(['old.txt'])
    await t.ctx.jobs.drain()
    await write(t, 'f/ours.txt', 'xx')
    await write(t, 'f/new folder/')
    const seen = await names(t.admin, `${mountPath}/f`)
    expect(seen).toEqual(expect.arrayContaining(['new folder/', 'old.txt', 'ours.txt']))
    expect(await names(t.admin, `${mountPath}/f`, { refresh: '1' })).toEqual([
      'new folder/',
      'foreign.txt',
      'old.txt',
      'ours.txt',
    ])
    await t.ctx.jobs.drain()
    t.clock.advance({ seconds: 301 })
    await (await t.storage.driver()).remove(['f/old.txt' as never, 'f/new folder/' as never])
    expect(await names(t.admin, `${mountPath}/f`)).toEqual(['foreign.txt', 'ours.txt'])
    await t.ctx.jobs.drain()
    expect(await names(t.admin, `${mountPath}/f`, { sort: 'size', order: 'desc' })).toEqual([
      'ours.txt',
      'foreign.txt',
    ])
  })

  test('without a cache time each listing queries the storage', async () => {
    await using t = await startApp()
    await setTtl(t, 0)
    await t.storage.put('f/1', '1')
    for (let count = 1; count < 4; count += 1) {
      expect(await names(t.admin, `${mountPath}/f`)).toHaveLength(count)
      await t.storage.put(`f/${count + 1}`, '1')
    }
    expect(t.ctx.caches.directory.figures().cacheSize).toBe(0)
  })

  test('folders have the total size of everything below them', async () => {
    await using t = await startApp()
    for (const [key, content] of FOLDER) await write(t, key, content)
    const [folder] = await items(t.admin, mountPath)
    const bytes = FOLDER.reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0)
    expect(folder).toMatchObject({ name: 'f', size: bytes })
    await write(t, 'f/sub 2/deep/more', 'x'.repeat(100))
    const driver = await t.storage.driver()
    const ask = driver.list.bind(driver)
    const asked: string[] = []
    driver.list = (o, more) => {
      asked.push(o.prefix)
      return ask(o, more)
    }
    for (const query of [{}, { refresh: '1' }, { refresh: '1', limit: '10' }])
      expect(await items(t.admin, mountPath, query)).toMatchObject([{ size: bytes + 100 }])
    // The folder's size comes from the index, so the folder itself must not be listed.
    expect(asked.filter((prefix) => prefix !== '')).toEqual([])
    driver.list = ask
  })

  test('a folder that was never listed is not reported as empty', async () => {
    await using t = await startApp()
    // Runs all jobs, which can include the first crawl. The crawl below indexes the new files.
    await t.ctx.jobs.drain()
    await t.storage.put('seen/a', '12345')
    await t.storage.put('empty/', '')
    await crawl(t.ctx, { configId: t.storage.configId, signal: new AbortController().signal })
    const told = async (query: Record<string, string>) => {
      const { data } = (await list(t.admin, mountPath, query)).body
      const sizes = data.items.map((item: Item) => [item.name, item.size])
      return { isComplete: data.size_complete, sizes: Object.fromEntries(sizes) }
    }
    expect(await told({ refresh: '1' })).toEqual({ isComplete: true, sizes: { empty: 0, seen: 5 } })
    await t.storage.put('foreign/deep/film', 'x'.repeat(100))
    expect(await told({ refresh: '1' })).toMatchObject({ isComplete: false })
    // Adds the listings of the root and of the folder to the index.
    for (const prefix of ['', 'foreign/']) {
      const page = await (await t.storage.driver()).list({ prefix, delimiter: '/', limit: 10 })
      await feedFolder(t.ctx, {
        configId: t.storage.configId,
        folder: prefix,
        objects: page.objects,
        folders: page.folders,
        since: await indexPosition(t.ctx, t.storage.configId),
        wholeSinceMs: t.ctx.clock.nowMs(),
      })
      expect([prefix, (await told({ sort: 'size' })).isComplete]).toEqual([prefix, false])
      expect([prefix, (await told({ refresh: '1' })).isComplete]).toEqual([prefix, false])
    }
    await write(t, 'foreign/deep/film', 'x'.repeat(100))
    const sizes = { empty: 0, foreign: 100, seen: 5 }
    expect(await told({ refresh: '1' })).toEqual({ isComplete: true, sizes })
    expect(await told({ sort: 'size' })).toEqual({ isComplete: true, sizes })
  })

  test('concurrent listings of a folder share a request to the storage, and contain the newest changes', async () => {
    await using t = await startApp()
    await t.storage.put('f/old', '1')
    await setTtl(t, 0)
    const driver = await t.storage.driver()
    const whole = driver.list.bind(driver)
    let asked = 0
    driver.list = (query, options) => {
      asked += 1
      return whole(query, options)
    }
    const look = () => names(t.admin, `${mountPath}/f`)
    const first = Array.from({ length: 10 }, look)
    await write(t, 'f/new', '2')
    const second = await Promise.all(Array.from({ length: 10 }, look))
    expect(second).toEqual(Array.from({ length: 10 }, () => ['new', 'old']))
    await Promise.all(first)
    expect(asked).toBeLessThanOrEqual(10)
  })

  test('a missing folder, a file, and a folder with only a marker', async () => {
    await using t = await startApp()
    await t.storage.put('f/file', 'x')
    await t.storage.put('marked/')
    const status = async (path: string, query = {}) => {
      const { body } = await list(t.admin, `${mountPath}/${path}`, query)
      return [body.code, body.error?.code]
    }
    for (const query of [{}, { limit: '10' }, { sort: 'size' }]) {
      expect(await status('no', query)).toEqual([404, 'fs.not_found'])
      expect(await status('f/file', query)).toEqual([400, 'fs.not_a_folder'])
      expect(await status('f/file/', query)).toEqual([400, 'fs.not_a_folder'])
    }
    expect(await names(t.admin, `${mountPath}/marked`)).toEqual([])
    expect(await names(t.admin, `${mountPath}/`)).toEqual(['f/', 'marked/'])
    await t.ctx.jobs.drain()
    expect(await names(t.admin, `${mountPath}/marked/`)).toEqual([])
    await (await t.storage.driver()).remove(['f/file' as never])
    await noteChange(t.ctx, { configId: t.storage.configId, removed: ['f/file'] })
    expect(await names(t.admin, `${mountPath}/`)).toEqual(['marked/'])
    expect(await status('f')).toEqual([404, 'fs.not_found'])
  })

  const many = manyOn(kind, 2500, 250)
  test(`a folder of ${many} is listed completely, in pages of the storage`, async () => {
    await using t = await startApp()
    await shortenPages(t.storage)
    const page = pageOn(kind)
    const gone = page + many / 10
    const driver = await t.storage.driver()
    const all = Array.from({ length: many }, (_, index) => `n${index}`)
    for (let start = 0; start < all.length; start += 100)
      await Promise.all(all.slice(start, start + 100).map((name) => t.storage.put(`big/${name}`)))
    expect(await names(t.admin, `${mountPath}/big`)).toEqual(all)
    const first = await list(t.admin, `${mountPath}/big`, { limit: '100', refresh: 'true' })
    expect(first.body.data.items).toHaveLength(100)
    await t.ctx.jobs.drain()
    expect(await paged(t.admin, `${mountPath}/big`, { limit: String(page - 1) })).toEqual(all)
    await driver.remove(all.slice(0, gone).map((name) => `big/${name}` as never))
    expect(await names(t.admin, `${mountPath}/big`, { refresh: '1' })).toEqual(all.slice(gone))
    await t.ctx.jobs.drain()
    const left = await t.ctx.db.selectFrom('objects').select('key').execute()
    expect(left).toHaveLength(many - gone)
  })

  test('an invalid cursor, or one of another listing, is refused', async () => {
    await using t = await startApp()
    for (const name of ['a', 'b', 'c']) await t.storage.put(`f/${name}`)
    const { data } = (await list(t.admin, `${mountPath}/f`, { limit: '1', refresh: '1' })).body
    const foreign = Buffer.from('{"kind":"storage","cursor":"zzz"}').toString('base64url')
    // `foreign` has the form of a cursor, but this server has not encrypted it.
    for (const cursor of ['x', 'e30', ...(kind === 'disk' ? [foreign] : [])])
      expect((await list(t.admin, `${mountPath}/f`, { limit: '1', cursor })).status).toBe(400)
    expect((await list(t.admin, `${mountPath}/f`, { cursor: data.next_cursor })).status).toBe(400)
    expect((await list(t.admin, `${mountPath}/f`, { limit: '1', cursor: data.next_cursor })).status).toBe(200)
    if (kind === 'disk') expect((await list(t.admin, `${mountPath}/..`)).status).toBe(400)
  })
})

const mountAgain = async (t: TestApp, path: string, isActive = 1): Promise<void> => {
  const mount = await t.ctx.db
    .selectFrom('mounts')
    .selectAll()
    .where('mount_path', '=', '/local')
    .executeTakeFirstOrThrow()
  await t.ctx.db
    .insertInto('mounts')
    .values({ ...mount, id: path, name: path, mount_path: path, is_active: isActive })
    .execute()
}

describeEachDatabase('virtual levels', ({ startApp }) => {
  test('list the mounts below them, and an unknown one is empty', async () => {
    await using t = await startApp()
    await mountAgain(t, '/team/photos')
    await mountAgain(t, '/team/docs')
    await mountAgain(t, '/off', 0)
    expect((await list(t.admin, '/')).body.data).toEqual({
      path: '/',
      isDirectory: true,
      isVirtual: true,
      items: ['local', 'team'].map((name) => ({
        name,
        path: `/${name}/`,
        isDirectory: true,
        isVirtual: true,
      })),
    })
    expect(await names(t.admin, '/team')).toEqual(['docs/', 'photos/'])
    expect((await list(t.admin, '/no/where')).body.data).toMatchObject({ path: '/no/where/', items: [] })
    expect((await list(t.admin, '/off')).body.data.items).toEqual([])
  })

  test('a mount inside another is listed as a folder and covers a folder with its name', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/in/x.txt', 'x')
    await mountAgain(t, '/local/in')
    await mountAgain(t, '/local/b/c')
    const { data } = (await list(t.admin, '/local')).body
    expect(data.items).toEqual([
      { name: 'b', path: '/local/b/', isDirectory: true, isVirtual: true },
      { name: 'in', path: '/local/in/', isDirectory: true, isVirtual: true },
    ])
    expect(await names(t.admin, '/local/in')).toEqual(['b/', 'in/'].slice(1))
    expect((await list(t.admin, '/local/b/')).body.data.items).toEqual([
      { name: 'c', path: '/local/b/c/', isDirectory: true, isVirtual: true },
    ])
    expect((await list(t.admin, '/local/none/')).body.error.code).toBe('fs.not_found')
  })

  test('above its base path a key sees only the folders on the path, and nothing beside them', async () => {
    await using t = await startApp()
    for (const path of ['photos/2030', 'photos2', 'secret'])
      await putFile(t.admin, `/local/${path}/x.txt`, 'x')
    const key = await t.keyClient({ mount_permission: true, basic_path: '/local/photos' })
    expect((await list(key, '/')).body.data.items).toEqual([
      { name: 'local', path: '/local/', isDirectory: true, isVirtual: true },
    ])
    expect((await list(key, '/local')).body.data).toEqual({
      path: '/local/',
      isDirectory: true,
      isVirtual: true,
      items: [{ name: 'photos', path: '/local/photos/', isDirectory: true, isVirtual: true }],
    })
    expect(await names(key, '/local/photos')).toEqual(['2030/'])
    for (const path of [
      '/local/photos2',
      '/local/secret',
      '/other',
      '/local/photos/../secret',
      '/local/photos%2f..%2fsecret',
    ])
      expect([400, 403]).toContain((await list(key, path)).status)
  })

  test('responses are compressed as the client requests', async () => {
    await using t = await startApp()
    for (let index = 0; index < 30; index += 1)
      await t.admin.call('PUT', `/api/upload-direct/file${index}.txt`, { payload: 'x' })
    const plain = await list(t.admin, '/local')
    const ask = (encoding: string) =>
      t.admin.call('GET', '/api/fs/list', {
        query: { path: '/local' },
        headers: { 'accept-encoding': encoding },
      })
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
    for (const [encoding, decode] of Object.entries(decoders)) {
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await ask(`identity;q=0.1, ${encoding}`)
        expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([
          encoding,
          expect.stringContaining('Accept-Encoding'),
        ])
        expect(JSON.parse(decode(answer.bytes).toString()).data).toEqual(plain.body.data)
      }
    }
    expect((await ask('gzip;q=0, deflate')).headers['content-encoding']).toBeUndefined()
    const files = await t.admin.call('GET', '/api/admin/files', { headers: { 'accept-encoding': 'gzip' } })
    expect(files.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(files.bytes).toString()).success).toBe(true)
  })
})
