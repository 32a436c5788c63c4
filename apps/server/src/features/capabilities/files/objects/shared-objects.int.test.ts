import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import { share, shareRaw } from '../../../../testing/files.ts'
import { localDisk, moveShareTo, type TestStorage } from '../../../../testing/storages.ts'
import { claimKeys, sharesMoved, sharesRemoved, sharesReplaced } from './shared-objects.usecases.ts'

/** Creates a share whose object has the given key. */
async function shareAt(t: TestApp, key: string, bytes = `bytes of ${key}`): Promise<string> {
  const { slug } = await share(t.admin, key.slice(key.lastIndexOf('/') + 1), { bytes })
  await moveShareTo(t, await localDisk(t), { slug, key })
  return slug
}

/** Copies objects to their new keys, and then moves their shares. The objects at the old keys remain. */
async function move(t: TestApp, storage: TestStorage, pairs: Record<string, string>): Promise<void> {
  const contents = new Map<string, string>()
  for (const from of Object.keys(pairs)) contents.set(from, await storage.text(from))
  const moves = Object.entries(pairs).map(([from, to]) => ({ from, to }))
  for (const { from, to } of moves) await storage.put(to, contents.get(from))
  await sharesMoved(t.ctx, { configId: storage.configId, moves })
}

const read = async (t: TestApp, slug: string) => {
  const answer = await t.visitor.call('GET', `/api/file-download/${slug}`)
  return answer.status === 200 ? answer.text : answer.status
}

const keysOfShares = async (t: TestApp) => {
  const rows = await t.ctx.db.selectFrom('files').select(['slug', 'storage_key']).execute()
  return Object.fromEntries(rows.map((row) => [row.slug, row.storage_key]))
}

describeEachDatabase('shares follow their objects', ({ startApp }) => {
  test('a moved object keeps its share, link and password; direct links lead to the new path', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    const slug = await shareAt(t, 'docs/a.txt')
    const before = await t.visitor.call('GET', `/api/public/files/${slug}`)
    await move(t, storage, { 'docs/a.txt': 'archive/b.txt' })
    expect(await keysOfShares(t)).toEqual({ [slug]: 'archive/b.txt' })
    expect(await read(t, slug)).toBe('bytes of docs/a.txt')
    const after = await t.visitor.call('GET', `/api/public/files/${slug}`)
    expect(after.body.data.s3_direct_preview_url).not.toBe(before.body.data.s3_direct_preview_url)
    expect(after.body.data.s3_direct_preview_url).toContain('/archive/b.txt?')
  })

  test('chains and rings in one call', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    const [a, b, c] = [await shareAt(t, 'a'), await shareAt(t, 'b'), await shareAt(t, 'c')]
    await move(t, storage, { a: 'b', b: 'c', c: 'a' })
    expect(await keysOfShares(t)).toEqual({ [a]: 'b', [b]: 'c', [c]: 'a' })
    expect(await read(t, a)).toBe('bytes of a')
    await move(t, storage, { c: 'd', b: 'c' })
    expect(await keysOfShares(t)).toEqual({ [a]: 'c', [b]: 'd', [c]: 'a' })
  })

  test('many at once', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    const slug = await shareAt(t, 'many/0.txt')
    const [row] = await t.ctx.db.selectFrom('files').selectAll().execute()
    if (!row) throw new Error('The share is not there.')
    const rows = Array.from({ length: 1200 }, (_, n) => ({
      ...row,
      id: `id-${n + 1}`,
      slug: `slug-${n + 1}`,
      storage_key: `many/${n + 1}.txt`,
    }))
    for (let from = 0; from < rows.length; from += 400)
      await t.ctx.db
        .insertInto('files')
        .values(rows.slice(from, from + 400))
        .execute()
    const keys = Array.from({ length: 1201 }, (_, n) => `many/${n}.txt`)
    const moves = keys.map((from) => ({ from, to: from.replace('many/', 'more/'), etag: `etag of ${from}` }))
    await sharesMoved(t.ctx, { configId: storage.configId, moves })
    const moved = await t.ctx.db.selectFrom('files').select(['slug', 'storage_key', 'etag']).execute()
    expect(moved.filter((one) => !one.storage_key.startsWith('more/'))).toEqual([])
    expect(moved.find((one) => one.slug === slug)?.etag).toBe('etag of many/0.txt')
    await sharesRemoved(t.ctx, { configId: storage.configId, keys: moves.map(({ to }) => to) })
    expect(await keysOfShares(t)).toEqual({})
  })

  test('the share of an overwritten object shows the new bytes; if both are shared, the moved share remains', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    const kept = await shareAt(t, 'kept.txt')
    await storage.put('plain.txt', 'saved anew')
    await move(t, storage, { 'plain.txt': 'kept.txt' })
    expect(await read(t, kept)).toBe('saved anew')
    expect((await t.visitor.call('GET', `/api/public/files/${kept}`)).body.data.size).toBe(10)
    const other = await shareAt(t, 'other.txt')
    await move(t, storage, { 'other.txt': 'kept.txt' })
    expect(await keysOfShares(t)).toEqual({ [other]: 'kept.txt' })
    await t.ctx.jobs.drain()
    expect(await read(t, other)).toBe('bytes of other.txt')
  })

  test('to another storage', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    const slug = await shareAt(t, 'a.txt')
    const [config] = await t.ctx.db.selectFrom('storage_configs').selectAll().execute()
    if (!config) throw new Error('There is no storage.')
    const second = { ...config, id: 'second', bucket_name: 'second', is_default: 0 }
    await t.ctx.db.insertInto('storage_configs').values(second).execute()
    await sharesMoved(t.ctx, {
      configId: storage.configId,
      toConfigId: 'second',
      moves: [{ from: 'a.txt', to: 'a.txt' }],
    })
    const row = await t.ctx.db.selectFrom('files').selectAll().executeTakeFirstOrThrow()
    expect([row.slug, row.storage_config_id, row.storage_key]).toEqual([slug, 'second', 'a.txt'])
  })

  test('overwriting updates the size and entity tag, and removes the old hash', async () => {
    await using t = await startApp()
    const { configId } = await localDisk(t)
    const slug = await shareAt(t, 'a.txt')
    const objects = [
      { key: 'a.txt', sizeBytes: 7, etag: 'new' },
      { key: 'unshared', sizeBytes: 1, etag: 'x' },
    ]
    await sharesReplaced(t.ctx, { configId, objects })
    const { data } = (await t.visitor.call('GET', `/api/public/files/${slug}`)).body
    expect([data.size, data.sha256]).toEqual([7, null])
  })

  test('removing an object deletes its share and plans no further removal', async () => {
    await using t = await startApp()
    const { configId } = await localDisk(t)
    const slug = await shareAt(t, 'a.txt')
    await sharesRemoved(t.ctx, { configId, keys: ['a.txt', 'never was'] })
    expect(await read(t, slug)).toBe(404)
    expect(await t.ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
  })

  test('a claimed key is protected from planned removals and from cancelled uploads', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    await shareAt(t, 'a.txt')
    const [row] = await t.ctx.db.selectFrom('files').selectAll().execute()
    if (!row) throw new Error('The share is not there.')
    const pending = {
      ...row,
      id: 'pending',
      slug: 'pending',
      storage_key: 'b.txt',
      committed_at_ms: null,
      upload_expires_at_ms: 0,
    }
    await t.ctx.db.insertInto('files').values(pending).execute()
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [row.id] } })
    await claimKeys(t.ctx, { configId: storage.configId, keys: ['a.txt', 'b.txt'] })
    await storage.put('a.txt', 'new a')
    await storage.put('b.txt', 'new b')
    await t.ctx.jobs.drain()
    expect([await storage.text('a.txt'), await storage.text('b.txt')]).toEqual(['new a', 'new b'])
  })

  test('a share upload that keeps its name does not change an existing file', async () => {
    await using t = await startApp()
    const storage = await localDisk(t)
    await storage.put('dropleaf-shares/docs/a.txt', 'mine')
    const query = { original_filename: 'true', path: 'docs' }
    const answer = await shareRaw(t.admin, 'a.txt', { bytes: 'theirs', query })
    expect(answer.body.error.code).toBe('file.path_taken')
    await t.ctx.jobs.drain()
    expect(await storage.text('dropleaf-shares/docs/a.txt')).toBe('mine')
  })
})
