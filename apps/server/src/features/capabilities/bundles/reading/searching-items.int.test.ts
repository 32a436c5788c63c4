import { SEARCH_MATCHES_MAX } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { readBundle, shareBundle, ticketFor } from '../../../../testing/bundles.ts'
import { eachOf } from '../../../../lib/concurrency.ts'
import { describeEachStorage, type StorageTestApp } from '../../../../testing/storages.ts'

interface Page {
  readonly items: ReadonlyArray<{
    readonly path: string
    readonly isDirectory: boolean
    readonly size: number
  }>
  readonly next_cursor: string | null
  readonly is_complete: boolean
}

/** Reads all pages of a search. */
async function searchAll(t: StorageTestApp, slug: string, query: Record<string, string>) {
  const ticket = await ticketFor(t, slug)
  const pages: Page[] = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null) {
    const more = cursor === '' ? {} : { cursor }
    const answer = await readBundle(t, { slug, ticket }, 'list', { ...query, ...more })
    expect(answer.status).toBe(200)
    pages.push(answer.body.data)
  }
  return { items: pages.flatMap(({ items }) => items), isComplete: pages.every((page) => page.is_complete) }
}

const crawl = async (t: StorageTestApp) => {
  await t.admin.call('POST', `/api/admin/index/${t.storage.configId}/rebuild`)
  await t.ctx.jobs.drain()
}

describeEachStorage('searching in a bundle', ({ startApp }) => {
  test('finds all matches in the requested order, and folders if the storage is indexed', async () => {
    await using t = await startApp()
    const many = 420
    const keys = Array.from({ length: many }, (_, n) => `photos/${n % 7}/pic-${n}.jpg`)
    await eachOf([...keys.entries()], 16, ([n, key]) => t.storage.put(key, 'x'.repeat(1 + ((n * 37) % many))))
    await t.storage.put('photos/Pictures of June/pic.png', '')
    await t.storage.put('pics outside/pic-0.jpg', '')
    const { slug } = await shareBundle(t.admin, {
      texts: ['uploaded'],
      items: [
        { path: 'more/pic-up.txt', source: { object: 0 } },
        { path: 'Epics/pic-live', source: { folder: { path: `${t.storage.mountPath}/photos` } } },
      ],
      configId: t.storage.configId,
    })
    await crawl(t)
    const query = { search: 'PIC', limit: '100', sort: 'size', order: 'desc' }
    const { items, isComplete } = await searchAll(t, slug, query)
    expect([items.length, new Set(items.map(({ path }) => path)).size]).toEqual([many + 5, many + 5])
    expect(isComplete).toBe(true)
    expect(
      items
        .filter(({ isDirectory }) => isDirectory)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['Epics', 'Epics/pic-live', 'Epics/pic-live/Pictures of June'])
    const sizes = items.filter(({ isDirectory }) => !isDirectory).map(({ size }) => size)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    const inside = await searchAll(t, slug, { search: 'june', path: 'Epics/pic-live' })
    expect(inside.items.map(({ path }) => path)).toEqual(['Epics/pic-live/Pictures of June'])
    await t.storage.remove(...keys)
  })

  test('reports that there are more matches than it returns', async () => {
    await using t = await startApp()
    const rows = SEARCH_MATCHES_MAX + 20
    await eachOf(Array.from({ length: rows }).keys(), 16, (n) => t.storage.put(`p/pic-${n}.jpg`, ''))
    const m = t.storage.mountPath
    const { slug } = await shareBundle(t.admin, {
      items: [
        { path: 'live', source: { folder: { path: `${m}/p` } } },
        { path: 'pic.jpg', source: { ref: { path: `${m}/p/pic-1.jpg` } } },
      ],
    })
    await crawl(t)
    const { items, isComplete } = await searchAll(t, slug, { search: 'pic', limit: '1000' })
    expect([items.length >= SEARCH_MATCHES_MAX, isComplete]).toEqual([true, false])
  })
})
