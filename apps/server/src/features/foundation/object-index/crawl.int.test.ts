import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { expect, inject, test } from 'vitest'
import { describeEachDatabase } from '../../../testing/app.ts'
import {
  addS3Mount,
  describeEachStorage,
  localDisk,
  manyOn,
  pageOn,
  shortenPages,
  type StorageTestApp,
} from '../../../testing/storages.ts'
import { crawl } from './crawl.usecases.ts'
import { feedFolder, indexPosition } from './folder-index.usecases.ts'
import { distrustIndex } from './index-status.usecases.ts'
import { noteChange } from './storage-changes.usecases.ts'

const status = async (t: StorageTestApp) => {
  const { body } = await t.admin.call('GET', '/api/admin/index')
  return body.data.find((one: { configId: string }) => one.configId === t.storage.configId)
}

const keysOf = async (t: StorageTestApp) =>
  (
    await t.ctx.db
      .selectFrom('objects')
      .innerJoin('object_indexes', 'object_indexes.id', 'objects.index_id')
      .where('object_indexes.config_id', '=', t.storage.configId)
      .select('key')
      .orderBy('key')
      .execute()
  ).map(({ key }) => key)

const foldersOf = async (t: StorageTestApp) =>
  (
    await t.ctx.db
      .selectFrom('object_folders')
      .innerJoin('object_indexes', 'object_indexes.id', 'object_folders.index_id')
      .where('object_indexes.config_id', '=', t.storage.configId)
      .select(['key', 'tree_objects', 'tree_bytes', 'is_marked'])
      .orderBy('key')
      .execute()
  ).map((row) => [row.key, row.tree_objects, row.tree_bytes, row.is_marked])

const remove = async (t: StorageTestApp, keys: readonly string[]) =>
  (await t.storage.driver()).remove(keys as never)

describeEachStorage('the crawl', ({ startApp, kind }) => {
  test('finds everything, reports its progress, and later finds external changes', async () => {
    await using t = await startApp()
    const keys = ['a.txt', 'a/b/c.txt', 'a/b/d.txt', 'a-b/x', '海/报告.pdf', 'z/only/']
    for (const key of keys) await t.storage.put(key, key.endsWith('/') ? '' : key)
    expect(await status(t)).toMatchObject({ state: 'waiting', objects: 0, complete: false, startedAt: null })
    await t.ctx.jobs.drain()
    const files = keys.filter((key) => !key.endsWith('/'))
    expect(await status(t)).toMatchObject({
      state: 'done',
      objects: 5,
      bytes: files.reduce((sum, key) => sum + Buffer.byteLength(key), 0),
      complete: true,
      progress: { objects: 6, share: 1 },
      error: null,
    })
    expect(await keysOf(t)).toEqual(files.sort())
    await remove(t, ['a.txt', 'a/b/c.txt', 'a/b/d.txt', 'z/only/'])
    await t.storage.put('a-b/x', 'longer than before')
    await t.storage.put('zz/new', '1')
    await t.ctx.jobs.drain()
    expect(await keysOf(t)).toEqual(files.sort())
    t.clock.advance({ hours: 7 })
    await t.ctx.jobs.drain()
    expect(await keysOf(t)).toEqual(['a-b/x', 'zz/new', '海/报告.pdf'])
    expect(await foldersOf(t)).toEqual([
      ['', 3, 18 + 1 + 14, 1],
      ['a-b/', 1, 18, 0],
      ['zz/', 1, 1, 0],
      ['海/', 1, 14, 0],
    ])
  })

  test('resumes where it was stopped, and a rebuild starts from the beginning', async () => {
    await using t = await startApp()
    await shortenPages(t.storage)
    const count = manyOn(kind, 2600, 260)
    const keys = Array.from(
      { length: count },
      (_, index) => `f${index % 13}/${String(index).padStart(5, '0')}`,
    ).sort()
    for (let start = 0; start < keys.length; start += 100)
      await Promise.all(keys.slice(start, start + 100).map((key) => t.storage.put(key)))
    const stopping = new AbortController()
    const end = t.ctx.notices.subscribe('search.crawl', () => stopping.abort())
    await crawl(t.ctx, { configId: t.storage.configId, signal: stopping.signal })
    end()
    expect(await status(t)).toMatchObject({ state: 'crawling', objects: pageOn(kind), complete: false })
    await noteChange(t.ctx, { configId: t.storage.configId, removed: [keys[0] ?? '', keys.at(-1) ?? ''] })
    await crawl(t.ctx, { configId: t.storage.configId, signal: new AbortController().signal })
    expect(await status(t)).toMatchObject({ state: 'done', objects: count - 2, progress: { objects: count } })
    const again = await t.admin.call('POST', `/api/admin/index/${t.storage.configId}/rebuild`)
    expect(again.status).toBe(200)
    await t.ctx.jobs.drain()
    expect(await keysOf(t)).toEqual(keys)
    expect((await t.admin.call('POST', '/api/admin/index/none/rebuild')).body.error.code).toBe(
      'storage.not_found',
    )
  })

  test('an index is rebuilt when its storage points to another bucket', async () => {
    await using t = await startApp()
    await t.storage.put('f/a', '1')
    await t.ctx.jobs.drain()
    await t.admin.call('GET', '/api/fs/list', { query: { path: `${t.storage.mountPath}/f` } })
    await t.ctx.jobs.drain()
    await t.storage.put('f/b', '1')
    await distrustIndex(t.ctx, t.storage.configId)
    const listed = await t.admin.call('GET', '/api/fs/list', { query: { path: `${t.storage.mountPath}/f` } })
    expect(listed.body.data.items).toHaveLength(2)
    await t.ctx.jobs.drain()
    expect(await status(t)).toMatchObject({ state: 'done', objects: 2, complete: true })
  })

  test('a listing of the previous bucket does not enter the index, and does not count as complete', async () => {
    await using t = await startApp()
    await t.storage.put('new.txt', '1')
    const { configId } = t.storage
    await t.ctx.jobs.drain()
    const [stat] = (await (await t.storage.driver()).list({ prefix: '', limit: 1 })).objects
    const since = await indexPosition(t.ctx, configId)
    await distrustIndex(t.ctx, configId)
    const objects = [{ ...stat, key: 'old.txt' } as never]
    const folders = [{ key: 'old/' as never, modifiedAtMs: null }]
    await feedFolder(t.ctx, {
      configId,
      folder: '',
      objects,
      folders,
      since,
      wholeSinceMs: t.ctx.clock.nowMs(),
    })
    await t.ctx.jobs.drain()
    const listed = await t.admin.call('GET', '/api/fs/list', { query: { path: t.storage.mountPath } })
    expect(listed.body.data.items.map(({ name }: { name: string }) => name)).toEqual(['new.txt'])
    await t.ctx.jobs.drain()
    expect(await keysOf(t)).toEqual(['new.txt'])
    expect(await status(t)).toMatchObject({ state: 'done', objects: 1, complete: true })
  })

  test('a crawl restarts when its storage is changed to another bucket', async () => {
    await using t = await startApp()
    await t.storage.put('new.txt', '1')
    const driver = await t.storage.driver()
    const list = driver.list.bind(driver)
    const [old] = (await list({ prefix: '', limit: 1 })).objects
    let calls = 0
    driver.list = async (query, options) => {
      calls += 1
      if (calls > 1) return list(query, options)
      await distrustIndex(t.ctx, t.storage.configId)
      return { objects: [{ ...old, key: 'old.txt' } as never], folders: [], unnamed: [], nextCursor: null }
    }
    await crawl(t.ctx, { configId: t.storage.configId, signal: new AbortController().signal })
    driver.list = list
    expect(calls).toBe(2)
    expect(await keysOf(t)).toEqual(['new.txt'])
    expect(await status(t)).toMatchObject({ state: 'done', objects: 1, complete: true })
  })
})

describeEachDatabase('the crawl of a storage whose key was wrong', ({ startApp }) => {
  test.skipIf(inject('s3Gateway') === null)('resumes as soon as the key is correct [s3]', async () => {
    await using t = await startApp({ now: new Date().toISOString() })
    await using mount = await addS3Mount(t, { mountPath: '/bucket' })
    await mount.put('a.txt', 'a')
    const change = (secret_access_key: string) =>
      t.admin.call('PUT', `/api/s3-configs/${mount.configId}`, { body: { secret_access_key } })
    const read = async () =>
      (await t.admin.call('GET', '/api/admin/index')).body.data.find(
        ({ configId }: { configId: string }) => configId === mount.configId,
      )
    await change('wrong')
    await crawl(t.ctx, { configId: mount.configId, signal: new AbortController().signal })
    expect(await read()).toMatchObject({ state: 'failed', error: 'storage.denied' })
    const listed = await t.admin.call('GET', '/api/fs/list', { query: { path: '/bucket' } })
    expect([listed.status, listed.body.error.code]).toEqual([502, 'storage.denied'])
    await change(inject('s3Gateway')?.secretAccessKey ?? '')
    await t.ctx.jobs.drain()
    expect(await read()).toMatchObject({ state: 'done', objects: 1, error: null })
  })
})

describeEachDatabase('the crawl of an unreachable storage', ({ startApp }) => {
  test('fails with a code, and is retried; an index is deleted with its storage', async () => {
    await using t = await startApp()
    const disk = await localDisk(t)
    await disk.put('a', '1')
    await t.ctx.jobs.drain()
    await t.ctx.db.updateTable('storage_configs').set({ provider_type: 'Other' }).execute()
    t.clock.advance({ hours: 7 })
    await t.ctx.jobs.drain()
    const basic = t.client(`Basic ${Buffer.from('admin:correct horse battery').toString('base64')}`)
    const read = async () => (await basic.call('GET', '/api/admin/index')).body.data[0]
    expect(await read()).toMatchObject({
      state: 'failed',
      error: 'storage.denied',
      objects: 1,
      complete: true,
    })
    await t.ctx.db.updateTable('storage_configs').set({ provider_type: LOCAL_DISK_PROVIDER }).execute()
    t.clock.advance({ seconds: 601 })
    await t.ctx.jobs.drain()
    expect(await read()).toMatchObject({ state: 'done', error: null })
    await t.ctx.db.deleteFrom('mounts').execute()
    await t.ctx.db.deleteFrom('storage_configs').execute()
    await t.ctx.jobs.drain()
    for (const table of ['objects', 'object_names', 'object_folders', 'object_indexes'] as const)
      expect([table, await t.ctx.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  })
})
