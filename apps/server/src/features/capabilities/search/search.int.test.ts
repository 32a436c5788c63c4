import { expect, test } from 'vitest'
import type { TestApp, TestClient } from '../../../testing/app.ts'
import { describeEachDatabase } from '../../../testing/app.ts'
import { describeEachStorage, localDisk } from '../../../testing/storages.ts'
import { putFile } from '../../../testing/fs.ts'
import { noteChange } from '../../foundation/object-index/storage-changes.usecases.ts'

const search = (client: TestClient, q: string, query: Record<string, string> = {}) =>
  client.call('GET', '/api/fs/search', { query: { q, ...query } })

const paths = async (
  client: TestClient,
  q: string,
  query: Record<string, string> = {},
): Promise<string[]> => {
  const answer = await search(client, q, query)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data.results.map((result: { path: string }) => result.path)
}

/** Adds objects to the index without storing bytes. Later objects in the list are newer. */
const index = (t: TestApp, configId: string, keys: readonly string[]) =>
  noteChange(t.ctx, {
    configId,
    written: keys.map((key, at) => ({ key, sizeBytes: 1, etag: 'e', modifiedAtMs: at })),
  })

const setComplete = (t: TestApp) =>
  t.ctx.db.updateTable('object_indexes').set({ completed_at_ms: 1 }).execute()

const addMount = async (t: TestApp, mountPath: string, configId?: string): Promise<string> => {
  const mount = await t.ctx.db
    .selectFrom('mounts')
    .selectAll()
    .where('mount_path', '=', '/local')
    .executeTakeFirstOrThrow()
  await t.ctx.db
    .insertInto('mounts')
    .values({
      ...mount,
      id: mountPath,
      name: mountPath,
      mount_path: mountPath,
      storage_config_id: configId ?? mount.storage_config_id,
    })
    .execute()
  return mountPath
}

const NAMES = [
  'Report.pdf',
  'report-2.pdf',
  'my REPORT.txt',
  '会议纪要 2030.docx',
  'ＦＵＬＬ.txt',
  'straße.md',
  'a_b%c.txt',
  'o\'neil "x".txt',
  'img10.jpg',
  '😀🍃.png',
  'ab',
]

describeEachStorage('search', ({ startApp }) => {
  test('finds any two characters, ignoring case, with the fields of the contract', async () => {
    await using t = await startApp()
    for (const name of NAMES) await t.storage.put(`docs/${name}`, 'x')
    await t.ctx.jobs.drain()
    const at = (name: string) => `${t.storage.mountPath}/docs/${name}`
    const found: Record<string, string[]> = {}
    for (const [q, names] of Object.entries({
      pdf: ['Report.pdf', 'report-2.pdf'],
      会议: ['会议纪要 2030.docx'],
      纪要: ['会议纪要 2030.docx'],
      '要 2': ['会议纪要 2030.docx'],
      'full.t': ['ＦＵＬＬ.txt'],
      STRASSE: [],
      straße: ['straße.md'],
      '_b%c': ['a_b%c.txt'],
      '%%': [],
      "'n": ['o\'neil "x".txt'],
      '"x': ['o\'neil "x".txt'],
      '😀🍃': ['😀🍃.png'],
      ab: ['ab'],
      '  AB  ': ['ab'],
      g1: ['img10.jpg'],
      docs: [],
      'x*': [],
      OR: ['Report.pdf', 'report-2.pdf', 'my REPORT.txt'],
    })) {
      found[q] = await paths(t.admin, q)
      expect([q, found[q]?.toSorted()]).toEqual([q, names.map(at).sort()])
    }
    const { data } = (await search(t.admin, 'ab', { limit: '7' })).body
    expect(data).toEqual({
      results: [
        {
          name: 'ab',
          path: at('ab'),
          size: 1,
          modified: expect.stringMatching(/Z$/),
          isDirectory: false,
          contentType: expect.any(String),
          mount_id: t.storage.mountId,
          mount_name: expect.any(String),
          storage_type: 'S3',
          s3_key: 'docs/ab',
        },
      ],
      total: 1,
      hasMore: false,
      complete: true,
      searchParams: { query: 'ab', scope: 'global', mountId: null, path: null, limit: 7, offset: 0 },
      mountsSearched: t.storage.kind === 'disk' ? 1 : 2,
    })
  })

  test('before the index is complete the storage itself is searched, and the response reports it', async () => {
    await using t = await startApp()
    await t.storage.put('deep/er/needle.txt', 'x')
    const early = (await search(t.admin, 'needle')).body.data
    expect([early.complete, early.total]).toEqual([false, 1])
    await t.storage.put('deep/er/needle 2.txt', 'x')
    expect((await search(t.admin, 'needle')).body.data.total).toBe(2)
    await t.ctx.jobs.drain()
    const late = (await search(t.admin, 'needle')).body.data
    expect([late.complete, late.total]).toEqual([true, 2])
    const driver = await t.storage.driver()
    const ask = driver.list.bind(driver)
    let asked = 0
    driver.list = (...order) => {
      asked += 1
      return ask(...order)
    }
    for (const offset of ['0', '1'])
      expect((await search(t.admin, 'needle', { limit: '1', offset })).body.data.total).toBe(2)
    expect(asked).toBe(0)
    driver.list = ask
  })

  test('writes and removals by this server affect the search immediately, with and without cached results', async () => {
    await using t = await startApp()
    await t.storage.put('one needle', 'x')
    await t.ctx.jobs.drain()
    const count = async () => (await search(t.admin, 'needle')).body.data.total
    expect([await count(), await count()]).toEqual([1, 1])
    expect(t.ctx.caches.search.figures().hits).toBe(1)
    await index(t, t.storage.configId, ['f/needle two'])
    expect(await count()).toBe(2)
    await noteChange(t.ctx, { configId: t.storage.configId, removed: ['one needle', 'f/needle two'] })
    expect(await count()).toBe(0)
  })
})

describeEachDatabase('search in scopes', ({ startApp }) => {
  const start = async (keys: readonly string[]) => {
    const t = await startApp()
    const disk = await localDisk(t)
    await index(t, disk.configId, keys)
    await setComplete(t)
    return { t, disk }
  }

  test('exact names are first, then prefixes, then the newest; pages are consecutive', async () => {
    const keys = [
      'x/annex',
      'x/nexus',
      'x/nex',
      'y/NEX',
      'x/nex-1',
      'z/the nex 2',
      ...Array.from({ length: 30 }, (_, at) => `p/a nex ${at}`),
    ]
    const { t } = await start(keys)
    await using _ = t
    const all = await paths(t.admin, 'nex', { limit: '100' })
    expect(all.slice(0, 6)).toEqual([
      '/local/y/NEX',
      '/local/x/nex',
      '/local/x/nex-1',
      '/local/x/nexus',
      '/local/p/a nex 29',
      '/local/p/a nex 28',
    ])
    expect(all).toHaveLength(36)
    const pages = []
    for (let offset = 0; offset < 40; offset += 10) {
      const { data } = (await search(t.admin, 'nex', { limit: '10', offset: String(offset) })).body
      expect([data.total, data.hasMore]).toEqual([36, offset < 30])
      pages.push(...data.results.map((result: { path: string }) => result.path))
    }
    expect(pages).toEqual(all)
    expect((await search(t.admin, 'nex', { limit: '5000' })).body.data.searchParams.limit).toBe(200)
  })

  test('a mount, a folder, a level above mounts; inner mounts hide the files that they cover', async () => {
    const { t, disk } = await start(['in/hidden needle', 'a/needle', 'ab/needle'])
    await using _ = t
    const other = await t.ctx.db.selectFrom('storage_configs').selectAll().executeTakeFirstOrThrow()
    await t.ctx.db
      .insertInto('storage_configs')
      .values({ ...other, id: 'other', name: 'Other', bucket_name: 'other', is_default: 0 })
      .execute()
    await index(t, 'other', ['deep/needle'])
    await setComplete(t)
    await addMount(t, '/local/in', 'other')
    await addMount(t, '/twice', disk.configId)
    expect((await paths(t.admin, 'needle')).toSorted()).toEqual([
      '/local/a/needle',
      '/local/ab/needle',
      '/local/in/deep/needle',
      '/twice/a/needle',
      '/twice/ab/needle',
      '/twice/in/hidden needle',
    ])
    const inFolder = async (path: string) =>
      (await paths(t.admin, 'needle', { scope: 'directory', path })).toSorted()
    expect(await inFolder('/local/a')).toEqual(['/local/a/needle'])
    expect(await inFolder('/local/a/')).toEqual(['/local/a/needle'])
    expect(await inFolder('/local/in')).toEqual(['/local/in/deep/needle'])
    expect(await inFolder('/twice/in')).toEqual(['/twice/in/hidden needle'])
    expect(await inFolder('/local')).toHaveLength(3)
    expect(await inFolder('/nowhere')).toEqual([])
    expect(await paths(t.admin, 'needle', { scope: 'mount', mount_id: '/local/in' })).toEqual([
      '/local/in/deep/needle',
    ])
    const refused: Array<[Record<string, string>, number]> = [
      [{ scope: 'mount' }, 400],
      [{ scope: 'mount', mount_id: 'none' }, 403],
      [{ scope: 'directory' }, 400],
      [{ scope: 'directory', path: '/local/../x' }, 400],
      [{ scope: 'everywhere' }, 400],
      [{ limit: '-1' }, 400],
    ]
    for (const [query, status] of refused)
      expect([query, (await search(t.admin, 'needle', query)).status]).toEqual([query, status])
    for (const q of ['', 'a', ' a ', '海', '😀', 'x'.repeat(201)])
      expect([q, (await search(t.admin, q)).status]).toEqual([q, 400])
  })

  test('a key finds nothing outside its base path, and gets no cached results of others', async () => {
    const { t } = await start([
      'photos/needle',
      'photos/2030/needle',
      'photos2/needle',
      'needle',
      'other/photos/needle',
    ])
    await using _ = t
    const mount = { mount_permission: true }
    const inside = await t.keyClient({ ...mount, basic_path: '/local/photos' })
    const elsewhere = await t.keyClient({ ...mount, basic_path: '/elsewhere' })
    expect(await paths(t.admin, 'needle')).toHaveLength(5)
    const own = ['/local/photos/2030/needle', '/local/photos/needle']
    for (const query of [
      {},
      { scope: 'mount', mount_id: (await localDisk(t)).mountId },
      { scope: 'directory', path: '/local/photos' },
      { scope: 'directory', path: '/' },
    ])
      expect((await paths(inside, 'needle', query as never)).toSorted()).toEqual(own)
    expect(await paths(inside, 'needle', { scope: 'directory', path: '/local/photos/2030' })).toEqual([
      '/local/photos/2030/needle',
    ])
    for (const path of ['/local/photos2', '/local/other', '/elsewhere'])
      expect((await search(inside, 'needle', { scope: 'directory', path })).status).toBe(403)
    expect(await paths(elsewhere, 'needle')).toEqual([])
    await t.ctx.db.updateTable('storage_configs').set({ is_public: 0 }).execute()
    expect(await paths(inside, 'needle')).toEqual([])
  })

  test('exact matches are always among many matches', async () => {
    const many = Array.from({ length: 12_000 }, (_, at) => `bulk/${at} ex ${at}.bin`)
    const { t, disk } = await start(many)
    await using _ = t
    await index(t, disk.configId, ['a/ex', 'a/exact'])
    const answer = (await search(t.admin, 'ex')).body.data
    expect(answer.results.slice(0, 2).map((one: { path: string }) => one.path)).toEqual([
      '/local/a/ex',
      '/local/a/exact',
    ])
    expect(answer.total).toBeGreaterThanOrEqual(1000)
    expect(await paths(t.admin, 'x 1234.bi')).toEqual(['/local/bulk/1234 ex 1234.bin'])
    expect(await paths(t.admin, '0 ex 0')).toEqual(['/local/bulk/0 ex 0.bin'])
    expect(await paths(t.admin, '0 ex 01')).toEqual([])
  })
})

describeEachDatabase('two replicas', ({ startApp, engine }) => {
  test('a write at one replica is immediately listed and found at the other; SQLite has only one replica', async () => {
    await using stack = new AsyncDisposableStack()
    const one = stack.use(await startApp())
    const env = { DATABASE_URL: one.ctx.config.databaseUrl ?? '', DATA_DIR: one.dataDir }
    const two = engine === 'sqlite' ? one : stack.use(await startApp({ env }))
    const list = async () =>
      (await two.admin.call('GET', '/api/fs/list', { query: { path: '/local' } })).body.data.items
    await one.ctx.jobs.drain()
    expect([await list(), await paths(two.admin, 'needle')]).toEqual([[], []])
    // Waits until the startup messages of the first replica have arrived, because they clear the cache of the second
    // replica.
    const { directory } = two.ctx.caches
    await expect.poll(async () => [await list(), directory.figures().hits > 0]).toEqual([[], true])
    await putFile(one.admin, '/local/needle.txt', 'x')
    await expect.poll(list).toHaveLength(1)
    await expect.poll(() => paths(two.admin, 'needle')).toHaveLength(1)
    await two.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths: ['/local/needle.txt'] } })
    await two.ctx.jobs.drain()
    await expect
      .poll(
        async () =>
          (await one.admin.call('GET', '/api/fs/list', { query: { path: '/local' } })).body.data.items,
      )
      .toEqual([])
  })
})
