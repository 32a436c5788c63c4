import { expect, test } from 'vitest'
import { openBundle, readBundle, shareBundle, ticketFor } from '../../../../testing/bundles.ts'
import { describeEachStorage, type StorageTestApp } from '../../../../testing/storages.ts'

interface Shown {
  readonly path: string
  readonly size: number | null
  readonly modified: string | null
}
const sizesOf = (items: readonly Shown[]) => Object.fromEntries(items.map(({ path, size }) => [path, size]))

async function listed(t: StorageTestApp, slug: string, query: Record<string, string> = {}): Promise<Shown[]> {
  const ticket = await ticketFor(t, slug)
  return (await readBundle(t, { slug, ticket }, 'list', query)).body.data.items
}

describeEachStorage('references in a bundle', ({ startApp }) => {
  test('show the current size of their files, and none for deleted files', async () => {
    await using t = await startApp()
    const m = t.storage.mountPath
    await t.storage.put('docs/a.txt', 'first')
    const path = `${m}/docs/a.txt`
    const { slug } = await shareBundle(t.admin, {
      items: [
        { path: 'follow-a.txt', source: { ref: { path } } },
        { path: 'pin-a.txt', source: { ref: { path, mode: 'pin' } } },
      ],
    })
    const shown = async () => {
      const opened = (await openBundle(t, slug)).body.data
      const again = await readBundle(t, { slug, ticket: opened.ticket }, 'opened')
      return [
        opened.manifest.items,
        again.body.data.manifest.items,
        await listed(t, slug),
        await listed(t, slug, { search: 'A.TXT' }),
      ].map(sizesOf)
    }
    const all = (size: number | null) =>
      Array.from({ length: 4 }, () => ({ 'follow-a.txt': size, 'pin-a.txt': 5 }))
    expect(await shown()).toEqual(all(5))
    await t.storage.put('docs/a.txt', 'second, longer')
    expect(await shown()).toEqual(all(14))
    await t.storage.remove('docs/a.txt')
    expect(await shown()).toEqual(all(null))
    expect((await listed(t, slug)).map(({ modified }) => modified === null)).toEqual([true, false])
  })

  test('are looked up with one query for each indexed folder', async () => {
    await using t = await startApp()
    const m = t.storage.mountPath
    const paths = Array.from({ length: 60 }, (_, n) => `docs/${n % 2}/${n}.txt`)
    for (const key of paths) await t.storage.put(key, 'text')
    const { slug } = await shareBundle(t.admin, {
      items: paths.map((key) => ({ path: key, source: { ref: { path: `${m}/${key}` } } })),
    })
    for (const n of [0, 1]) await t.admin.call('GET', '/api/fs/list', { query: { path: `${m}/docs/${n}/` } })
    await t.ctx.jobs.settle()
    const driver = (await t.storage.driver()) as { stat: unknown }
    const whole = driver.stat as (key: string) => unknown
    let asked = 0
    driver.stat = (key: string) => {
      asked += 1
      return whole.call(driver, key)
    }
    const items = await listed(t, slug, { path: 'docs/0' })
    driver.stat = whole
    expect([items.length, new Set(items.map(({ size }) => size)), asked]).toEqual([30, new Set([4]), 0])
  })

  test('show no facts about their files after their owner has lost the permission', async () => {
    await using t = await startApp()
    const m = t.storage.mountPath
    await t.storage.put('own/a.txt', 'first')
    await t.storage.put('own/b.txt', 'second')
    const key = await t.keyClient({ mount_permission: true, file_permission: true, basic_path: `${m}/own` })
    const { slug } = await shareBundle(key, {
      items: ['a.txt', 'b.txt'].map((path) => ({ path, source: { ref: { path: `${m}/own/${path}` } } })),
    })
    expect(sizesOf(await listed(t, slug))).toEqual({ 'a.txt': 5, 'b.txt': 6 })
    await t.admin.call('GET', '/api/fs/list', { query: { path: `${m}/own/` } })
    await t.ctx.jobs.settle()
    await t.admin.call('PUT', `/api/admin/api-keys/${key.id}`, { body: { basic_path: `${m}/own/a.txt` } })
    expect(sizesOf(await listed(t, slug))).toEqual({ 'a.txt': 5, 'b.txt': null })
    await t.admin.call('PUT', `/api/admin/api-keys/${key.id}`, { body: { basic_path: `${m}/else` } })
    expect(sizesOf(await listed(t, slug))).toEqual({ 'a.txt': null, 'b.txt': null })
    await t.admin.call('PUT', `/api/admin/api-keys/${key.id}`, {
      body: { basic_path: `${m}/own`, mount_permission: false },
    })
    expect(sizesOf(await listed(t, slug))).toEqual({ 'a.txt': null, 'b.txt': null })
  })
})
