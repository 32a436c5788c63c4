import { expect, test } from 'vitest'
import { engineOf } from '../../../db/engine.ts'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { shareInPlace } from '../../../testing/fs.ts'
import { localDiskId } from '../../../testing/files.ts'
import { changeIndex } from './index-changes.usecases.ts'
import { foldersAround } from './object-index.models.ts'
import { crawl } from './crawl.usecases.ts'
import { matchesRepository } from './matches.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import { indexedUsage } from './object-index.usecases.ts'
import { noteChange, type StoredObject } from './storage-changes.usecases.ts'

const object = (key: string, sizeBytes = 1, modifiedAtMs = 1): StoredObject => ({
  key,
  sizeBytes,
  etag: `${key}-${sizeBytes}`,
  modifiedAtMs,
})

/** Creates a seeded random number generator, for repeatable runs. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Reads the whole index, ordered by key. */
async function readIndex(t: TestApp) {
  const objects = await t.ctx.db.selectFrom('objects').selectAll().orderBy('key').execute()
  const folders = await t.ctx.db.selectFrom('object_folders').selectAll().orderBy('key').execute()
  const names = await t.ctx.db.selectFrom('object_names').select('object_id').orderBy('object_id').execute()
  return { objects, folders, names }
}

/** Returns the folder rows that the index should have for a set of objects. */
function expectedFolders(objects: ReadonlyMap<string, StoredObject>) {
  const trees = new Map([['', { tree_objects: 0, tree_bytes: 0, is_marked: 1 }]])
  const treeOf = (key: string) => {
    const tree = trees.get(key) ?? { tree_objects: 0, tree_bytes: 0, is_marked: 0 }
    trees.set(key, tree)
    return tree
  }
  for (const [key, { sizeBytes }] of objects) {
    for (const folder of foldersAround(key)) {
      const tree = treeOf(folder)
      if (!key.endsWith('/')) {
        tree.tree_objects += 1
        tree.tree_bytes += sizeBytes
      }
    }
    if (key.endsWith('/')) treeOf(key).is_marked = 1
  }
  return [...trees].map(([key, tree]) => ({ key, ...tree })).sort((a, b) => (a.key < b.key ? -1 : 1))
}

describeEachDatabase('the object index', ({ startApp }) => {
  test('contains exactly the existing objects, with the totals of every folder', async () => {
    await using t = await startApp()
    const configId = await localDiskId(t)
    const random = randomFrom(7)
    const truth = new Map<string, StoredObject>()
    const segments = ['a', 'b', 'c c', '海', 'a.b', 'a-b']
    const anyKey = () => {
      const depth = 1 + random(4)
      const path = Array.from({ length: depth }, () => segments[random(segments.length)]).join('/')
      return random(5) === 0 ? `${path}/` : `${path}/file${random(6)}`
    }
    for (let round = 0; round < 60; round += 1) {
      const keys = [...new Set(Array.from({ length: 1 + random(12) }, anyKey))]
      const written = keys
        .filter(() => random(5) > 1)
        .map((key) => object(key, key.endsWith('/') ? 0 : random(1000), round))
      const removed = keys.filter((key) => !written.some((one) => one.key === key))
      for (const one of written) truth.set(one.key, one)
      for (const key of removed) truth.delete(key)
      await noteChange(t.ctx, { configId, written, removed })
    }
    const index = await readIndex(t)
    const files = [...truth.values()].filter(({ key }) => !key.endsWith('/'))
    expect(index.objects.map(({ key, size_bytes }) => [key, size_bytes])).toEqual(
      files.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ key, sizeBytes }) => [key, sizeBytes]),
    )
    expect(
      index.folders.map(({ key, tree_objects, tree_bytes, is_marked }) => ({
        key,
        tree_objects,
        tree_bytes,
        is_marked,
      })),
    ).toEqual(expectedFolders(truth))
    expect(index.names.map((row) => row.object_id)).toEqual(
      index.objects.map((row) => row.id).sort((a, b) => a - b),
    )
    expect(await indexedUsage(t.ctx, configId)).toEqual({
      objects: files.length,
      bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    })
    await noteChange(t.ctx, { configId, removed: [...truth.keys()] })
    const emptied = await readIndex(t)
    expect([emptied.objects, emptied.names, emptied.folders.map(({ key }) => key)]).toEqual([[], [], ['']])
  })

  test('a search tells when it has not compared all names', async () => {
    await using t = await startApp()
    const configId = await localDiskId(t)
    const keys = ['b/x-needle.txt', ...[1, 2, 3, 4, 5].map((turn) => `a/x-needle-${turn}.txt`)]
    for (const key of keys) await noteChange(t.ctx, { configId, written: [object(key)] })
    const index = await objectIndexRepository(t.ctx.db).findByConfig(configId)
    const query = { indexId: index?.id ?? 0, text: 'needle', prefix: 'b/', limit: 10 }
    const all = await matchesRepository(t.ctx.db).findByName(query)
    expect([all.rows.map(({ key }) => key), all.isWhole]).toEqual([['b/x-needle.txt'], true])
    const few = await matchesRepository(t.ctx.db, { comparedMax: 3 }).findByName(query)
    // PostgreSQL compares all names.
    const isSqlite = engineOf(t.ctx.db) === 'sqlite'
    expect([few.rows.length, few.isWhole]).toEqual(isSqlite ? [0, false] : [1, true])
  })

  test('concurrent changes are all stored, and the last one of a key wins', async () => {
    await using t = await startApp()
    const configId = await localDiskId(t)
    await Promise.all(
      Array.from({ length: 40 }, (_, turn) =>
        noteChange(t.ctx, { configId, written: [object(`f/${turn}`, turn), object('f/same', turn)] }),
      ),
    )
    const { objects } = await readIndex(t)
    expect(objects).toHaveLength(41)
    expect(objects.find(({ key }) => key === 'f/same')?.size_bytes).toBe(39)
    expect(await indexedUsage(t.ctx, configId)).toEqual({ objects: 41, bytes: 780 + 39 })
  })

  test('results of a crawl do not overwrite changes recorded after its start', async () => {
    await using t = await startApp()
    const configId = await localDiskId(t)
    const written = [object('old'), object('rewritten', 1), object('deleted')]
    await noteChange(t.ctx, { configId, written })
    const { sequence } = await t.ctx.db
      .selectFrom('object_indexes')
      .select('sequence')
      .executeTakeFirstOrThrow()
    await noteChange(t.ctx, {
      configId,
      written: [object('rewritten', 2), object('new')],
      removed: ['deleted'],
    })
    await t.ctx.database.transaction((trx) =>
      changeIndex(t.ctx, {
        trx,
        configId,
        change: { written: [...written, object('found')], removed: ['old', 'new'], since: sequence },
      }),
    )
    const { objects } = await readIndex(t)
    expect(objects.map(({ key, size_bytes }) => [key, size_bytes])).toEqual([
      ['found', 1],
      ['new', 1],
      ['rewritten', 2],
    ])
  })

  test('a crawl does not restore a folder that was removed after its start', async () => {
    await using t = await startApp()
    const configId = await localDiskId(t)
    const removed = ['marked/', 'marked/inner/', 'implied/inner/a.txt']
    await noteChange(t.ctx, { configId, written: removed.map((key) => object(key)) })
    const { sequence: since } = await t.ctx.db
      .selectFrom('object_indexes')
      .select('sequence')
      .executeTakeFirstOrThrow()
    await noteChange(t.ctx, { configId, removed })
    const seen = ['marked/', 'marked/inner/', 'implied/', 'implied/inner/', 'other/']
    const folders = seen.map((key) => ({ key, modifiedAtMs: 1 }))
    const walked = { written: [], removed: [], folders, since }
    await t.ctx.database.transaction((trx) => changeIndex(t.ctx, { trx, configId, change: walked }))
    expect((await readIndex(t)).folders.map(({ key }) => key)).toEqual(['', 'other/'])
  })

  test('objects of shares are not in the index, but files shared without a copy are', async () => {
    await using t = await startApp()
    const configId = await localDiskId(t)
    const { data } = (
      await t.admin.call('PUT', '/api/upload-direct/a.txt', {
        payload: 'four',
        headers: { 'content-type': 'text/plain' },
      })
    ).body
    await crawl(t.ctx, { configId, signal: new AbortController().signal })
    expect(await indexedUsage(t.ctx, configId)).toEqual({ objects: 0, bytes: 0 })
    await shareInPlace(t.admin, '/local/a.txt', 'four')
    expect(await indexedUsage(t.ctx, configId)).toEqual({ objects: 1, bytes: 4 })
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [data.id] } })
    await t.ctx.jobs.drain()
    expect(await indexedUsage(t.ctx, configId)).toEqual({ objects: 1, bytes: 4 })
  })
})
