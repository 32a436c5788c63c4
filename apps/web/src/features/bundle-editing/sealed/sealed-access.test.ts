// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import type { BundleDetail, ManifestInput } from '@dropleaf/contract'
import { createSealedSource, type Manifest, openManifest } from '@dropleaf/seal'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { stubBundleServer } from '../../../domains/bundles/testing/fake-bundle-server.ts'
import { findKey, listKeys } from '../../../domains/sealed/keys/key-store.ts'
import { manifestBytes } from '../../../domains/sealed/reading/manifest-bytes.ts'
import { seenRevision } from '../../../domains/sealed/reading/seen-revisions.ts'
import { FakeSealWorker } from '../../../domains/sealed/testing/fake-worker.ts'
import { makeSealedShare, type SealedShare } from '../../../domains/sealed/testing/sealed-share.ts'
import { endSession, startSession } from '../../../domains/session/session.ts'
import { loadWords, startI18n } from '../../../i18n/i18n.ts'
import { openDetail, unlockOwn } from './open-revision.ts'
import { SealedAccess } from './sealed-access.ts'

const MARKER = 'marker-of-the-plain-text'
const bytesOf = (text: string) => new TextEncoder().encode(`${MARKER} ${text}`)
const fileOf = (text: string, name = 'f.txt') => new File([bytesOf(text)], name, { type: 'text/plain' })

let server: ReturnType<typeof stubBundleServer>
let made: SealedShare
let id: string
let access: SealedAccess

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The server's response to the owner of the bundle. */
function detailOf(): BundleDetail {
  const { salt, kdf } = made.share.facts
  return {
    id,
    slug: 'x',
    url: '/s/x',
    title: null,
    remark: null,
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
    expires_at: null,
    max_views: null,
    views: 0,
    has_password: false,
    plain_password: null,
    created_by: 'admin',
    revision: 1,
    item_count: 1,
    size: 0,
    opening: 'direct',
    has_pin: false,
    opening_note: null,
    manifest: null,
    sealed: 1,
    salt,
    kdf,
    sealed_manifest: base64(made.sealedManifest),
    owner_box: null,
    ticket: 'ticket',
    object_numbers: [0],
  }
}

/** Serves the objects of the published revision, which the fake server does not contain. */
function serveStored(): void {
  const answer = globalThis.fetch
  const addresses = made.objects.map(({ n, bytes }) => ({
    n,
    size: bytes.length,
    url: `https://stored.test/${n}`,
    relay_url: `/relay/${n}`,
    expires_at: '2100-01-01T00:00:00.000Z',
  }))
  const refuse = server.refuse
  server.refuse = (one) => {
    if (one.path.endsWith('/own'))
      return { data: { revision: server.published.length, sealed_manifest: null } }
    return one.path.endsWith('/addresses') ? { data: addresses } : refuse(one)
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (!url.startsWith('https://stored.test/')) return answer(url, init)
    return new Response(made.objects.find(({ n }) => n === Number(url.at(-1)))?.bytes)
  })
}

beforeAll(async () => {
  await Promise.all([startI18n(), loadWords('later')])
})
beforeEach(async () => {
  server = stubBundleServer()
  vi.stubGlobal('Worker', FakeSealWorker)
  startSession({ kind: 'admin', token: 'one' })
  id = crypto.randomUUID()
  made = await makeSealedShare({
    id,
    title: 'Secret title',
    page: `${MARKER} page`,
    files: { 'a.txt': bytesOf('a'), 'b.txt': bytesOf('b') },
  })
  server.published.push({})
  serveStored()
  const detail = detailOf()
  const share = await unlockOwn(detail, { secret: made.share.secret, password: null })
  access = new SealedAccess(await openDetail(detail, share))
})
afterEach(() => {
  access.close()
  endSession('logout')
  vi.unstubAllGlobals()
})

/** The published contents as an unchanged edit. */
const unchanged = (): ManifestInput => {
  const { title, page, items } = access.published
  return { title, page, items: items.map(({ path, source }) => ({ path, source })) }
}

/** Opens the last published manifest, as a reader does. */
async function openPublished(): Promise<Manifest> {
  const { salt, kdf } = made.share.facts
  const text: unknown = server.published.at(-1)
  if (typeof text !== 'string') throw new Error('Nothing encrypted was published.')
  return openManifest({
    sealed: manifestBytes(text),
    manifestKey: made.share.keys.manifestKey,
    place: { bundleId: id, revision: server.published.length, salts: { salt, kdf } },
  })
}

/** Decrypts a file that this editor has sent to the storage. */
async function readSent({ objects, items }: Manifest, path: string): Promise<string> {
  const item = items.find((one) => one.path === path)
  const object = objects.find(({ n }) => n === item?.object)
  if (!item || !object) throw new Error(`There is no ${path}.`)
  const stored = new Uint8Array((await server.bytes.get(`${object.n}/1`)?.arrayBuffer()) ?? [])
  const source = createSealedSource(object, async ({ firstByte, endByte }) => ({
    bytes: stored.slice(firstByte, endByte),
    objectBytes: stored.length,
  }))
  return new TextDecoder().decode(await source.read(item.offset, item.size))
}

async function allThatLeft(): Promise<string> {
  const bodies = server.sent.map(({ path, query, body }) => `${path}?${query} ${JSON.stringify(body)}`)
  const parts = await Promise.all(
    [...server.bytes.values()].map(async (part) => Buffer.from(await part.arrayBuffer()).toString('latin1')),
  )
  return [...bodies, ...parts].join('\n')
}

test('the editor sees the contents in the form of an open bundle', () => {
  expect(access.published).toMatchObject({
    title: 'Secret title',
    page: { type: 'text/markdown', text: `${MARKER} page` },
    items: [
      { path: 'a.txt', mimetype: 'application/octet-stream' },
      { path: 'b.txt', mimetype: 'application/octet-stream' },
    ],
  })
})

test('another title, path and order send no file, and keep the key of the bundle under its title', async () => {
  const edit = unchanged()
  const items = edit.items.map((item) => ({ ...item, path: `papers/${item.path}` })).toReversed()
  await access.publish({ ...edit, title: 'Other title', items }, 1)
  expect(await openPublished()).toEqual({
    ...made.manifest,
    title: 'Other title',
    items: made.manifest.items.map((item) => ({ ...item, path: `papers/${item.path}` })).toReversed(),
  })
  expect(server.bytes.size).toBe(0)
  expect(await findKey(id)).toEqual(made.share.secret)
  expect((await listKeys()).find(({ bundleId }) => bundleId === id)?.name).toBe('Other title')
  expect(seenRevision(id)).toBe(2)
  const left = await allThatLeft()
  for (const secret of [MARKER, 'title', 'papers', made.share.linkKey]) expect(left).not.toContain(secret)
})

test('a removed file leaves with its object; what shared the object is sent again with another key', async () => {
  const edit = unchanged()
  const [, b] = edit.items
  const started = access.start([{ path: 'c.txt', file: fileOf('c') }])
  const c = { path: 'c.txt', source: { object: started?.[0]?.number ?? -1 } }
  await access.publish({ ...edit, items: [c, ...(b ? [b] : [])] }, 1)
  const manifest = await openPublished()
  expect(manifest.items.map(({ path }) => path)).toEqual(['c.txt', 'b.txt'])
  expect(manifest.objects.map(({ dek }) => dek)).not.toContain(made.manifest.objects[0]?.dek)
  expect(manifest.objects.map(({ n }) => n)).not.toContain(0)
  expect(await readSent(manifest, 'b.txt')).toBe(`${MARKER} b`)
  expect(await readSent(manifest, 'c.txt')).toBe(`${MARKER} c`)
  expect(await allThatLeft()).not.toContain(MARKER)
})

test('a file that is added and removed again leaves nothing in what is published', async () => {
  const [c, d] =
    access.start([
      { path: 'c.txt', file: fileOf('c') },
      { path: 'd.txt', file: fileOf('removed again') },
    ]) ?? []
  access.uploads.drop([d?.upload ?? ''])
  const edit = unchanged()
  await access.publish(
    { ...edit, items: [...edit.items, { path: 'c.txt', source: { object: c?.number ?? -1 } }] },
    1,
  )
  const manifest = await openPublished()
  expect(await readSent(manifest, 'c.txt')).toBe(`${MARKER} c`)
  const sizes = manifest.objects.map(({ size }) => size)
  expect(sizes).toEqual([made.manifest.objects[0]?.size, bytesOf('c').length])
})

test('if the rest of an object cannot be read, nothing is published and the reason is told', async () => {
  const edit = unchanged()
  const refuse = server.refuse
  server.refuse = (one) =>
    one.path.endsWith('/addresses') ? { status: 409, code: 'bundle.object_missing' } : refuse(one)
  const publishing = access.publish({ ...edit, items: edit.items.slice(0, 1) }, 1)
  await expect(publishing).rejects.toThrow(/a\.txt/)
  expect(server.published).toHaveLength(1)
})

test('a long text is sent as an object, once for several attempts', async () => {
  const text = `${MARKER} ${'x'.repeat(300_000)}`
  const edit: ManifestInput = { ...unchanged(), page: { type: 'text/plain', text } }
  server.published.push({})
  await expect(access.publish(edit, 1)).rejects.toMatchObject({ code: 'bundle.changed' })
  await access.publish(edit, 2)
  const { page, objects } = await openPublished()
  expect(page).toMatchObject({ type: 'text/plain', size: text.length })
  expect(objects).toHaveLength(2)
  expect(server.bytes.size).toBe(1)
  expect(await allThatLeft()).not.toContain(MARKER)
})

test('a revision of somebody else is a conflict, and one of a lost answer is not', async () => {
  const edit = { ...unchanged(), title: 'Mine' }
  const sealed: string[] = []
  server.refuse = ({ method, path, body }) => {
    if (path.endsWith('/own')) return { data: { revision: 2, sealed_manifest: sealed[0] ?? null } }
    if (method !== 'POST' || !path.endsWith('/revisions')) return null
    sealed.push(String(body['manifest']))
    return { status: 409, code: 'bundle.changed' }
  }
  // The server has stored the revision of the first attempt.
  await access.publish(edit, 1)
  await expect(access.publish({ ...edit, title: 'Other' }, 1)).rejects.toMatchObject({
    code: 'bundle.changed',
  })
})

test('an earlier revision is published again under the new number', async () => {
  server.published.push({})
  server.refuse = ({ path }) =>
    path.endsWith('/revisions/1')
      ? { data: { revision: 1, ticket: 'old', manifest: null, sealed_manifest: base64(made.sealedManifest) } }
      : null
  expect(await access.readRevision(1)).toEqual(access.published)
  await access.restore(1, 2)
  expect(await openPublished()).toEqual(made.manifest)
  expect(server.published).toHaveLength(3)
})

test('an older revision than this browser has seen is not edited, and another key opens nothing', async () => {
  await access.publish({ ...unchanged(), title: 'Newer' }, 1)
  const detail = detailOf()
  const share = await unlockOwn(detail, { secret: made.share.secret, password: null })
  await expect(openDetail(detail, share)).rejects.toMatchObject({ name: 'OlderRevisionError' })
  const other = await unlockOwn(detail, { secret: new Uint8Array(32), password: null })
  await expect(openDetail({ ...detail, revision: 2 }, other)).rejects.toMatchObject({
    code: 'manifest.refused',
  })
})
