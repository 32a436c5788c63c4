// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import {
  createSealedSource,
  fromBase64url,
  type Manifest,
  openManifest,
  parseLinkKey,
  unlockShare,
} from '@dropleaf/seal'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BundleOptions } from '../../bundles/bundle-calls.ts'
import { dropBundle, findBundle, getBundles, whenHalted } from '../../bundles/bundle-drafts.ts'
import { stubBundleServer } from '../../bundles/testing/fake-bundle-server.ts'
import { endSession, startSession } from '../../session/session.ts'
import { derivePassword } from '../kdf/derive-password.ts'
import { findKey } from '../keys/key-store.ts'
import { FakeSealWorker } from '../testing/fake-worker.ts'
import { listSavedSealed } from './saved-sealed.ts'
import { addSealedBundle, restoreSealedBundles } from './sealed-drafts.ts'

const MIB = 1024 * 1024
const MARKER = 'marker-of-the-plain-text'

const options = (fields: Partial<BundleOptions> = {}): BundleOptions => ({
  slug: '',
  password: '',
  expiresInHours: 0,
  maxViews: 0,
  opening: 'direct',
  pin: '',
  ...fields,
})

function bytesOf(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length }, (_, at) => Math.imul(at, 0x9e_37_79_b1 + seed) >>> 24)
  bytes.set(new TextEncoder().encode(MARKER))
  return bytes
}
const fileOf = (name: string, length: number) =>
  new File([bytesOf(length, name.length)], name, { type: 'text/plain;charset=utf-8', lastModified: 1 })

const draftOf = (
  files: Readonly<Record<string, File>>,
  page: string | null = null,
  handle: FileSystemFileHandle | null = null,
) =>
  addSealedBundle({
    at: 'upload',
    place: { configId: `storage-${Math.random()}`, folder: 'in' },
    content: { title: 'Secret title', page: page === null ? null : { type: 'text/markdown', text: page } },
    files: Object.entries(files).map(([path, file]) => ({ path, file, handle })),
  })

let server: ReturnType<typeof stubBundleServer>

beforeEach(() => {
  server = stubBundleServer()
  vi.stubGlobal('Worker', FakeSealWorker)
  startSession({ kind: 'admin', token: 'one' })
})
afterEach(() => {
  for (const { key } of getBundles()) dropBundle(key)
  endSession('logout')
  vi.unstubAllGlobals()
})

/** Opens the published bundle like a reader. */
async function openPublished(linkKey: string, password: string | null = null) {
  const { body } = server.sent.find(({ path }) => path === '/api/bundles') ?? { body: {} }
  const { id, salt, kdf, verifier } = body as { id: string; salt: string; kdf: never; verifier: string }
  const salts = { salt, kdf }
  const keys = await unlockShare({ secret: parseLinkKey(linkKey), salts, password, derivePassword })
  const text: unknown = server.published.at(-1)
  if (typeof text !== 'string') throw new Error('Nothing encrypted was published.')
  const sealed = fromBase64url(text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
  const place = { bundleId: id, revision: server.published.length, salts }
  const manifest = await openManifest({
    sealed: sealed ?? new Uint8Array(),
    manifestKey: keys.manifestKey,
    place,
  })
  return { manifest, keys, verifier }
}

async function storedOf(n: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts = [...server.bytes].filter(([name]) => name.startsWith(`${n}/`))
  const inOrder = parts.sort(([a], [b]) => Number(a.split('/')[1]) - Number(b.split('/')[1]))
  return new Uint8Array(await new Blob(inOrder.map(([, bytes]) => bytes)).arrayBuffer())
}

/** Decrypts the item with this path from the bytes in the storage. */
async function read({ objects, items }: Manifest, path: string): Promise<Uint8Array> {
  const item = items.find((one) => one.path === path)
  const object = objects.find(({ n }) => n === item?.object)
  if (!item || !object) throw new Error(`There is no ${path}.`)
  const stored = await storedOf(object.n)
  const source = createSealedSource(object, async ({ firstByte, endByte }) => ({
    bytes: stored.slice(firstByte, endByte),
    objectBytes: stored.length,
  }))
  return source.read(item.offset, item.size)
}

/** Returns everything that the page has sent, as text. */
async function allThatLeft(): Promise<string> {
  const bodies = server.sent.map(({ path, query, body }) => `${path}?${query} ${JSON.stringify(body)}`)
  const parts = await Promise.all(
    [...server.bytes.values()].map(async (part) => Buffer.from(await part.arrayBuffer()).toString('latin1')),
  )
  return [...bodies, ...parts].join('\n')
}

test('a text lies in the manifest, without an object, and only its key opens it', async () => {
  const draft = draftOf({}, `# ${MARKER}`)
  await draft.go(options({ slug: 'note', maxViews: 3 }))
  const { linkKey } = (await whenHalted(draft.key)) ?? {}
  expect(server.sent[0]?.body).toMatchObject({ slug: 'note', max_views: 3, sealed: 1, kdf: null })
  const { manifest, keys, verifier } = await openPublished(linkKey ?? '')
  expect(manifest).toMatchObject({
    title: 'Secret title',
    page: { type: 'text/markdown', text: `# ${MARKER}` },
    objects: [],
    items: [],
  })
  const hash = await crypto.subtle.digest('SHA-256', keys.proof)
  expect(Buffer.from(hash).toString('base64url')).toBe(verifier)
  expect(server.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/bundles'])
  const left = await allThatLeft()
  for (const secret of [MARKER, 'Secret title', linkKey ?? '', Buffer.from(keys.proof).toString('base64url')])
    expect(left).not.toContain(secret)
})

test('files go encrypted and straight to the storage, small ones in one object, and are what they were', async () => {
  const files = {
    'trip/secret-a.txt': fileOf('secret-a.txt', 500),
    'trip/secret-big.bin': fileOf('secret-big.bin', 9 * MIB),
    'trip/secret-b.txt': fileOf('secret-b.txt', 70_000),
    'trip/secret-empty.txt': new File([], 'secret-empty.txt', { lastModified: 1 }),
  }
  const draft = draftOf(files)
  await draft.go(options())
  const end = await whenHalted(draft.key)
  expect(end).toMatchObject({ state: 'published', doneCount: 4, isSealed: true })
  const { manifest } = await openPublished(end?.linkKey ?? '')
  expect(manifest.objects).toHaveLength(2)
  for (const [path, file] of Object.entries(files))
    expect(Buffer.compare(await read(manifest, path), new Uint8Array(await file.arrayBuffer()))).toBe(0)
  expect(manifest.items.find(({ path }) => path === 'trip/secret-a.txt')).toMatchObject({
    type: 'text/plain',
    mtime: 1,
  })
  // One request for the small files and two for the large file.
  expect(server.linesOf('PUT').filter((path) => path.startsWith('https://s3.test'))).toHaveLength(3)
  expect(server.linesOf('PUT').filter((path) => path.startsWith('/api'))).toEqual([])
  const left = await allThatLeft()
  for (const secret of [MARKER, 'secret-', end?.linkKey ?? '']) expect(left).not.toContain(secret)
  expect(await listSavedSealed('admin')).toEqual([])
})

test('a long text is an object of its own', async () => {
  const text = `${MARKER}${'ä'.repeat(150_000)}`
  const draft = draftOf({}, text)
  await draft.go(options())
  const end = await whenHalted(draft.key)
  const { manifest } = await openPublished(end?.linkKey ?? '')
  expect(manifest.page).toEqual({
    type: 'text/markdown',
    object: 0,
    offset: 0,
    size: new TextEncoder().encode(text).length,
  })
  expect(manifest.items).toEqual([])
})

test('the password is a part of the key and never sent', async () => {
  const draft = draftOf({}, 'text')
  await draft.go(options({ password: 'hidden-word' }))
  const end = await whenHalted(draft.key)
  expect(await allThatLeft()).not.toContain('hidden-word')
  await expect(openPublished(end?.linkKey ?? '', 'other')).rejects.toMatchObject({ code: 'manifest.refused' })
  expect((await openPublished(end?.linkKey ?? '', 'hidden-word')).manifest.page).toMatchObject({
    text: 'text',
  })
})

test('another password after a failure makes another bundle, because it makes other keys', async () => {
  server.refuse = ({ path }) => (path.endsWith('/revisions') ? { status: 500, code: 'internal' } : null)
  const draft = draftOf({ 'a.txt': fileOf('a.txt', 500) })
  await draft.go(options())
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'failed' })
  const { id } = draft
  server.refuse = () => null
  await draft.go(options({ password: 'new' }))
  expect(await whenHalted(draft.key)).toMatchObject({ state: 'published' })
  expect(draft.id).not.toBe(id)
  expect(server.linesOf('POST')).toContain('/api/bundles/delete')
})

test('a text that was changed after its response was lost is published in its new form', async () => {
  const draft = draftOf({}, 'before')
  const reach = globalThis.fetch
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    await reach(...request)
    throw new TypeError('The connection was lost.')
  })
  await draft.go(options())
  expect(draft.snapshot()).toMatchObject({ state: 'failed' })
  vi.stubGlobal('fetch', reach)
  draft.setContent({ title: null, page: { type: 'text/markdown', text: 'after' } })
  await draft.go(options({ maxViews: 5 }))
  const { state, linkKey } = (await whenHalted(draft.key)) ?? {}
  expect(state).toBe('published')
  expect((await openPublished(linkKey ?? '')).manifest.page).toMatchObject({ text: 'after' })
  expect(server.sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ max_views: 5 })
})

test('a text that is discarded while it is sent is deleted again', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const reach = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const response = await reach(url, init)
    if (url.endsWith('/api/bundles')) await answered
    return response
  })
  const draft = draftOf({}, 'text')
  const going = draft.go(options())
  await vi.waitFor(() => expect(server.linesOf('POST')).toEqual(['/api/bundles']))
  await draft.drop()
  answer()
  await going
  expect(server.sent.at(-1)).toMatchObject({ path: '/api/bundles/delete', body: { ids: [draft.id] } })
  expect(draft.snapshot().state).not.toBe('published')
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
  const draft = draftOf({ 'a.txt': fileOf('a.txt', 500) })
  await draft.go(options())
  await vi.waitFor(() => expect(server.published).toHaveLength(1))
  await draft.drop()
  lose()
  await vi.waitFor(() =>
    expect(server.sent.at(-1)).toMatchObject({ path: '/api/bundles/delete', body: { ids: [draft.id] } }),
  )
})

test('a bundle that is discarded while its files are checked is not published', async () => {
  const { promise: checked, resolve: check } = Promise.withResolvers<void>()
  const file = fileOf('a.txt', 500)
  const handle = {
    async getFile() {
      await checked
      return file
    },
  } as FileSystemFileHandle
  const draft = draftOf({ 'a.txt': file }, null, handle)
  await draft.go(options())
  await vi.waitFor(() => expect(draft.snapshot().state).toBe('publishing'))
  await draft.drop()
  check()
  await vi.waitFor(() =>
    expect(server.sent.at(-1)).toMatchObject({ path: '/api/bundles/delete', body: { ids: [draft.id] } }),
  )
  expect(server.published).toEqual([])
})

test('this browser keeps the key of what it has published, for this user', async () => {
  const draft = draftOf({}, 'text')
  await draft.go(options())
  const end = await whenHalted(draft.key)
  expect(await findKey(draft.id)).toEqual(parseLinkKey(end?.linkKey ?? ''))
  startSession({
    kind: 'apikey',
    key: 'k',
    permissions: { text: true, file: true, mount: false, mount_read_only: false },
    info: { id: '1', name: 'other', basic_path: '/' },
  })
  expect(await findKey(draft.id)).toBeNull()
})

test('an interrupted bundle goes on with the files chosen again, sends only missing parts, and is published once', async () => {
  const big = fileOf('big.bin', 30 * MIB)
  const small = fileOf('small.txt', 100)
  server.isCut = (_n, part) => part === 3
  const draft = draftOf({ 'big.bin': big, 'small.txt': small })
  await draft.go(options())
  await vi.waitFor(() => expect([...server.bytes.keys()].sort()).toEqual(['0/1', '0/2', '0/4', '1/1']))
  const { linkKey } = getBundles()[0] ?? {}
  // Another user logs in, so this tab forgets everything, as after a reload.
  startSession({
    kind: 'apikey',
    key: 'k',
    permissions: { text: true, file: true, mount: false, mount_read_only: false },
    info: { id: '1', name: 'other', basic_path: '/' },
  })
  expect(getBundles()).toEqual([])
  startSession({ kind: 'admin', token: 'one' })
  server.isCut = () => false
  server.sent.splice(1)
  await restoreSealedBundles()
  const [restored] = getBundles()
  expect(restored).toMatchObject({ state: 'needsFiles', linkKey, title: 'Secret title' })
  const wrong = new File([new Uint8Array(30 * MIB)], 'big.bin', { lastModified: 2 })
  const again = findBundle(restored?.key ?? '')
  expect(again?.provide([{ file: wrong, folder: '' }])).toHaveLength(1)
  again?.provide([{ file: big, folder: '' }, ...(restored?.doneCount ? [] : [{ file: small, folder: '' }])])
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
  expect(server.linesOf('PUT')).toEqual(['https://s3.test/0/3'])
  expect(server.published).toHaveLength(1)
  const { manifest } = await openPublished(linkKey ?? '')
  expect(Buffer.compare(await read(manifest, 'big.bin'), new Uint8Array(await big.arrayBuffer()))).toBe(0)
})

test('a file whose contents changed during the upload begins anew with another key', async () => {
  const file = fileOf('big.bin', 9 * MIB)
  const changed = new File([bytesOf(9 * MIB, 99)], 'big.bin', { lastModified: 1 })
  let isChanged = false
  server.isCut = (_n, part) => {
    if (part !== 2 || isChanged) return false
    isChanged = true
    // From here on, the file has different contents but the same size and time.
    vi.spyOn(file, 'slice').mockImplementation((...range) => changed.slice(...range))
    return true
  }
  const draft = draftOf({ 'big.bin': file })
  await draft.go(options())
  const halted = await whenHalted(draft.key)
  expect(halted).toMatchObject({
    state: 'stuck',
    items: [{ entry: { error: { code: 'upload.source_changed' } } }],
  })
  draft.retry()
  await vi.waitFor(() => expect(getBundles()[0]?.state).toBe('published'))
  expect(server.linesOf('DELETE')).toEqual([`/api/bundles/${draft.id}/objects/0`])
  const { manifest } = await openPublished(halted?.linkKey ?? '')
  expect(manifest.objects.map(({ n }) => n)).toEqual([1])
  expect(Buffer.compare(await read(manifest, 'big.bin'), new Uint8Array(await changed.arrayBuffer()))).toBe(0)
})

test('nothing counts as missing before it is sent', async () => {
  const states = new Set<string | undefined>()
  const draft = draftOf({ 'a.txt': fileOf('a.txt', 500) })
  const going = draft.go(options())
  while (!states.has('published')) {
    states.add(getBundles()[0]?.state)
    await new Promise((resolve) => setTimeout(resolve))
  }
  await going
  expect(states).not.toContain('stuck')
  expect(states).toContain('starting')
})
