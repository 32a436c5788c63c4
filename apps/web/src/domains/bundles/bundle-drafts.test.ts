// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, startSession } from '../session/session.ts'
import { fingerprintOf } from '../transfers/uploads/fingerprint.ts'
import type { BundleOptions } from './bundle-calls.ts'
import { addBundle, dropBundle, findBundle, getBundles, restoreBundles, whenHalted } from './bundle-drafts.ts'
import { listSavedBundles, saveBundle } from './saved-bundles.ts'
import { STORAGE, stubBundleServer } from './testing/fake-bundle-server.ts'

const MIB = 1024 * 1024

const options = (fields: Partial<BundleOptions> = {}): BundleOptions => ({
  slug: '',
  password: '',
  expiresInHours: 0,
  maxViews: 0,
  opening: 'direct',
  pin: '',
  ...fields,
})

const fileOf = (name: string, bytes: string | Uint8Array<ArrayBuffer> = 'hello') =>
  new File([bytes], name, { lastModified: 1 })
const largeFile = (name: string) => fileOf(name, new Uint8Array(17 * MIB))

const draftOf = (files: Readonly<Record<string, File>>, page: string | null = null) =>
  addBundle({
    at: 'upload',
    place: { configId: `storage-${Math.random()}`, folder: 'in' },
    content: { title: null, page: page === null ? null : { type: 'text/markdown', text: page } },
    files: Object.entries(files).map(([path, file]) => ({ path, file, handle: null })),
  })

let server: ReturnType<typeof stubBundleServer>

beforeEach(() => {
  server = stubBundleServer()
  startSession({ kind: 'admin', token: 'one' })
})
afterEach(() => {
  for (const { key } of getBundles()) dropBundle(key)
  endSession('logout')
  vi.unstubAllGlobals()
})

test('files keep their tree; small ones are sent through the server, large ones to the storage, and then all are published', async () => {
  const draft = draftOf({ 'trip/a.txt': fileOf('a.txt'), 'trip/big.bin': largeFile('big.bin') }, '# Trip')
  await draft.go(options({ slug: 'trip', password: 'secret' }))
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'published', doneCount: 2 })
  expect(server.published).toEqual([
    {
      title: null,
      page: { type: 'text/markdown', text: '# Trip' },
      items: [
        { path: 'trip/a.txt', source: { object: 0 } },
        { path: 'trip/big.bin', source: { object: 1 } },
      ],
    },
  ])
  const puts = server.linesOf('PUT')
  expect(puts.filter((path) => path.startsWith(STORAGE))).toHaveLength(3)
  expect(puts.filter((path) => path.endsWith('/objects/0'))).toHaveLength(1)
  expect(server.sent.every(({ query }) => !query.toString().includes('secret'))).toBe(true)
  expect(await listSavedBundles('admin')).toEqual([])
})

test('parts are sent through the server if the browser cannot reach the storage', async () => {
  server.isReachable = false
  const draft = draftOf({ 'big.bin': largeFile('big.bin') })
  await draft.go(options())
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'published' })
  const relayed = server.linesOf('PUT').filter((path) => /\/objects\/0\/parts\/\d$/.test(path))
  expect(new Set(relayed).size).toBe(3)
})

test('after a failed publication only the publication is repeated', async () => {
  server.refuse = ({ path }) => (path.endsWith('/revisions') ? { status: 500, code: 'internal' } : null)
  const draft = draftOf({ 'a.txt': fileOf('a.txt') })
  await draft.go(options())
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'failed', error: { code: 'internal' } })
  expect(await listSavedBundles('admin')).toHaveLength(1)
  server.refuse = () => null
  server.sent.length = 0
  draft.retry()
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
  expect(server.linesOf('PUT')).toEqual([])
})

test('a publication whose response was lost is replaced by the current contents', async () => {
  const draft = draftOf({}, 'first')
  server.published.push({})
  await draft.go(options())
  expect(getBundles()[0]?.state).toBe('published')
  expect(server.published.at(-1)).toMatchObject({ page: { text: 'first' } })
})

test('nothing is uploaded before the link suffix is free; other options are sent with the next attempt', async () => {
  server.refuse = ({ body }) => (body['slug'] === 'taken' ? { status: 409, code: 'bundle.slug_taken' } : null)
  const draft = draftOf({ 'a.txt': fileOf('a.txt') })
  await draft.go(options({ slug: 'taken' }))
  expect(getBundles()[0]).toMatchObject({ state: 'failed', slug: null, error: { code: 'bundle.slug_taken' } })
  expect(server.linesOf('PUT')).toEqual([])
  await draft.go(options({ slug: 'free' }))
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'published' })
})

test('options that change after the draft was created are changed on the server', async () => {
  server.refuse = ({ path }) => (path.endsWith('/revisions') ? { status: 500, code: 'internal' } : null)
  const draft = draftOf({}, 'text')
  await draft.go(options({ password: 'old' }))
  server.refuse = () => null
  await draft.go(options({ password: 'new' }))
  const update = server.sent.find(
    ({ method, path }) => method === 'PUT' && path === `/api/bundles/${draft.id}`,
  )
  expect(update?.body).toMatchObject({ password: 'new', slug: 'random' })
})

test('a file that fails can be left out, and the others are published', async () => {
  server.refuse = ({ path }) => (path.endsWith('/objects/1') ? { status: 413, code: 'file.too_large' } : null)
  const draft = draftOf({ 'a.txt': fileOf('a.txt'), 'b.txt': fileOf('b.txt') })
  await draft.go(options())
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'stuck', doneCount: 1 })
  draft.remove(1)
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
  expect(server.published).toMatchObject([{ items: [{ path: 'a.txt' }] }])
})

test('a file that fails is sent again, alone', async () => {
  server.refuse = ({ path }) => (path.endsWith('/objects/1') ? { status: 413, code: 'file.too_large' } : null)
  const draft = draftOf({ 'a.txt': fileOf('a.txt'), 'b.txt': fileOf('b.txt') })
  await draft.go(options())
  await whenHalted(draft.key)
  server.refuse = () => null
  server.sent.length = 0
  draft.retry(1)
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
  expect(server.linesOf('PUT')).toHaveLength(1)
})

test('an unfinished bundle is listed after a reload, and resumes when the same files are chosen again', async () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const facts = (name: string, size: number) => ({ name, size, lastModified: 1 })
  await saveBundle({
    id,
    owner: 'admin',
    at: 'upload',
    slug: 'mine',
    place: { configId: 'one', folder: '' },
    content: { title: 'trip', page: null },
    items: [
      { n: 0, path: 'trip/a.txt', file: facts('a.txt', 5), isStored: true, sentBytes: 5 },
      { n: 1, path: 'trip/big.bin', file: facts('big.bin', 17 * MIB), isStored: false, sentBytes: 8 * MIB },
      { n: 2, path: 'trip/c.txt', file: facts('c.txt', 5), isStored: false, sentBytes: 0 },
    ],
    savedAtMs: Date.now(),
  })
  server.begun.set(1, { size: 17 * MIB, arrived: new Set([1]) })
  await restoreBundles()
  const [bundle] = getBundles()
  expect(bundle).toMatchObject({ state: 'needsFiles', title: 'trip', doneCount: 1, sentBytes: 8 * MIB + 5 })
  const draft = findBundle(bundle?.key ?? '')
  const others = draft?.provide([
    { file: fileOf('other.txt'), folder: '' },
    { file: largeFile('big.bin'), folder: 'trip/' },
    { file: fileOf('c.txt'), folder: 'trip/' },
  ])
  expect(others?.map(({ file }) => file.name)).toEqual(['other.txt'])
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
  expect(server.linesOf('PUT').filter((path) => path.startsWith(STORAGE))).toEqual([
    `${STORAGE}/1/2`,
    `${STORAGE}/1/3`,
  ])
  expect(server.linesOf('POST').filter((path) => path === '/api/bundles')).toEqual([])
  expect(server.published).toMatchObject([{ title: 'trip', items: [{}, {}, {}] }])
})

test('options chosen after a reload are changed on the server, and a blank password does not remove the password', async () => {
  const saved = { owner: 'admin', at: 'home', slug: 'mine', place: { configId: 'one', folder: '' } } as const
  const content = { title: null, page: { type: 'text/markdown', text: 'text' } } as const
  const ids = ['00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000004']
  const file = { name: 'a.txt', size: 5, lastModified: 1 }
  const items = [{ n: 0, path: 'a.txt', file, isStored: false, sentBytes: 0 }]
  for (const id of ids) await saveBundle({ ...saved, id, content, items, savedAtMs: Date.now() })
  await restoreBundles()
  const [one, other] = ids.map((id) => findBundle(`bundle-${id}`))
  await one?.go(options({ password: 'chosen', maxViews: 3, opening: 'ask' }))
  await other?.go(options())
  const updates = server.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  expect(updates).toEqual([
    { password: 'chosen', max_views: 3, opening: 'ask', expires_at: null },
    { expires_at: null },
  ])
})

test('another file with the same name, size and time is refused, and the right one can be chosen', async () => {
  const id = '00000000-0000-4000-8000-000000000002'
  const right = largeFile('big.bin')
  const wrong = fileOf('big.bin', new Uint8Array(17 * MIB).fill(1))
  const fingerprint = (await fingerprintOf(right)) ?? ''
  const file = { name: 'big.bin', size: 17 * MIB, lastModified: 1 }
  await saveBundle({
    id,
    owner: 'admin',
    at: 'upload',
    slug: 'mine',
    place: { configId: 'one', folder: '' },
    content: { title: null, page: null },
    items: [{ n: 0, path: 'big.bin', file, isStored: false, sentBytes: 8 * MIB, fingerprint }],
    savedAtMs: Date.now(),
  })
  server.begun.set(0, { size: 17 * MIB, arrived: new Set([1]) })
  await restoreBundles()
  const draft = findBundle(getBundles()[0]?.key ?? '')
  draft?.provide([{ file: wrong, folder: '' }])
  const changed = { entry: { error: { code: 'upload.source_changed' } } }
  await vi.waitFor(() => expect(getBundles()[0]).toMatchObject({ state: 'needsFiles', items: [changed] }))
  expect(server.linesOf('PUT')).toEqual([])
  draft?.provide([{ file: right, folder: '' }])
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
})

test('a bundle that is discarded while its publishing response is lost is deleted', async () => {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  const reach = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const response = await reach(url, init)
    if (!url.endsWith('/revisions')) return response
    await lost
    throw new TypeError('The connection was lost.')
  })
  const draft = draftOf({ 'a.txt': fileOf('a.txt') })
  await draft.go(options())
  await vi.waitFor(() => expect(server.published).toHaveLength(1))
  await draft.drop()
  lose()
  await vi.waitFor(() =>
    expect(server.sent.at(-1)).toMatchObject({ path: '/api/bundles/delete', body: { ids: [draft.id] } }),
  )
})

test('a discarded bundle is deleted on the server, and not listed after a reload', async () => {
  server.refuse = ({ path }) => (path.includes('/objects/') ? { status: 413, code: 'file.too_large' } : null)
  const draft = draftOf({ 'a.txt': fileOf('a.txt') })
  await draft.go(options())
  await whenHalted(draft.key)
  dropBundle(draft.key)
  await vi.waitFor(() => expect(server.linesOf('POST')).toContain('/api/bundles/delete'))
  expect(getBundles()).toEqual([])
  expect(await listSavedBundles('admin')).toEqual([])
})
