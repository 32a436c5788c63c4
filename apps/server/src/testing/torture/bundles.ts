import { newDevice } from '../opening-load.ts'
import { certain, Change } from './ledger.ts'
import { bytesOf, sha256 } from './random.ts'
import type { Client } from './client.ts'
import type { OwnBundle, Worker } from './worker.ts'

/** Operations on bundles: objects, revisions, restoring and reading. */

const BUNDLES = 3
const NEW_OBJECTS_MAX = 3
/** Length of long pages, with which bundles reach the size limit of stored revisions. */
const LONG_PAGE_BYTES = 190_000

interface Item {
  readonly path: string
  readonly source: { readonly object: number }
}

interface Contents {
  readonly page: string
  readonly items: readonly { readonly path: string; readonly hash: string }[]
}

/** Returns the hash of what readers of one revision see. */
function hashOf({ page, items }: Contents): string {
  const files = items.map(({ path, hash }) => `${path} ${hash}`)
  return sha256(Buffer.from([page, ...files.toSorted()].join('\n')))
}

/**
 * Reads a bundle as a visitor does: its page, and the bytes of all files. Returns `null` if there is no such bundle.
 */
export async function hashOfBundle(client: Client, slug: string): Promise<string | null> {
  const o = { json: { device: newDevice() }, isAnonymous: true, allowed: [404] }
  const opened = await client.call('POST', `/bundles/${slug}/open`, o)
  if (opened.status === 404) return null
  const { ticket, manifest } = opened.data
  const items = []
  for (const { path } of manifest.items as Item[]) {
    const query = new URLSearchParams({ ticket, path }).toString()
    const { bytes } = await client.call('GET', `/bundles/${slug}/file?${query}`, { isAnonymous: true })
    items.push({ path, hash: sha256(bytes) })
  }
  return hashOf({ page: manifest.page.text, items })
}

/** Picks a bundle that exists and whose contents are known, because each of its changes was acknowledged. */
const ownBundle = (w: Worker) =>
  w.random.pick(w.own.bundles.filter(({ slug }) => typeof certain(w.ledger.bundles, slug) === 'string'))

/** Uploads an object in one request, or to signed URLs. */
async function uploadObject(w: Worker, bundle: OwnBundle): Promise<number> {
  const bytes = bytesOf(w.newName('object'), w.newSize())
  const n = bundle.nextNumber
  bundle.nextNumber += 1
  const place = { s3_config_id: w.storage.configId, path: 'shared' }
  if (w.random.next() < 0.5) {
    const query = new URLSearchParams({ filename: 'object.bin', ...place }).toString()
    await w.client.call('PUT', `/bundles/${bundle.id}/objects/${n}?${query}`, { body: bytes })
  } else {
    const objects = [{ n, filename: 'object.bin', size: bytes.length }]
    const { data } = await w.client.call('POST', `/bundles/${bundle.id}/objects`, {
      json: { objects, ...place },
    })
    for (const { url } of data.objects[0].presigned_urls as Array<{ url: string }>)
      await w.client.at('PUT', url, { body: bytes })
    await w.client.call('POST', `/bundles/${bundle.id}/objects/${n}/complete`)
  }
  bundle.hashes.set(n, sha256(bytes))
  return n
}

const newPage = (w: Worker): string => {
  const isLong = w.random.next() < 0.2
  return bytesOf(w.newName('page'), isLong ? LONG_PAGE_BYTES : 300).toString('base64')
}

async function publish(w: Worker, bundle: OwnBundle, numbers: readonly number[]): Promise<void> {
  const items = numbers.map((object): Item => ({ path: `files/${object}.bin`, source: { object } }))
  const text = newPage(w)
  const hash = hashOf({
    page: text,
    items: items.map(({ path, source }) => ({ path, hash: bundle.hashes.get(source.object) ?? '' })),
  })
  const change = new Change().expect(w.ledger.bundles, bundle.slug, hash)
  const body = { manifest: { page: { text }, items }, expected_revision: bundle.revision }
  const { data } = await w.client.call('POST', `/bundles/${bundle.id}/revisions`, { json: body })
  change.acknowledge()
  bundle.revision = data.revision
  bundle.current = numbers
  bundle.published.set(data.revision, { hash, numbers })
}

async function uploadSome(w: Worker, bundle: OwnBundle): Promise<number[]> {
  const numbers = []
  for (let count = w.random.between(0, NEW_OBJECTS_MAX); count > 0; count -= 1)
    numbers.push(await uploadObject(w, bundle))
  return numbers
}

async function createBundle(w: Worker): Promise<void> {
  const slug = w.newName('b')
  const { data } = await w.client.call('POST', '/bundles', { json: { slug } })
  const bundle: OwnBundle = {
    id: data.id,
    slug,
    revision: 0,
    nextNumber: 0,
    hashes: new Map(),
    current: [],
    published: new Map(),
  }
  await publish(w, bundle, await uploadSome(w, bundle))
  w.own.bundles.push(bundle)
}

async function editBundle(w: Worker): Promise<void> {
  const bundle = ownBundle(w)
  if (!bundle || w.own.bundles.length < BUNDLES) return createBundle(w)
  const kept = bundle.current.filter(() => w.random.next() < 0.7)
  await publish(w, bundle, [...kept, ...(await uploadSome(w, bundle))])
}

async function restoreRevision(w: Worker): Promise<void> {
  const bundle = ownBundle(w)
  if (!bundle) return createBundle(w)
  const { data } = await w.client.call('GET', `/bundles/${bundle.id}/revisions`)
  const revision = w.random.pick((data as Array<{ revision: number }>).map((one) => one.revision))
  const earlier = bundle.published.get(revision ?? 0)
  if (!earlier) return editBundle(w)
  const change = new Change().expect(w.ledger.bundles, bundle.slug, earlier.hash)
  const restored = await w.client.call('POST', `/bundles/${bundle.id}/revisions/${revision}/restore`, {
    json: { expected_revision: bundle.revision },
  })
  change.acknowledge()
  bundle.revision = restored.data.revision
  bundle.current = earlier.numbers
  bundle.published.set(bundle.revision, earlier)
}

/** Uploads an object that no revision will use, and sometimes deletes it immediately. */
async function abandonObject(w: Worker): Promise<void> {
  const bundle = ownBundle(w)
  if (!bundle) return createBundle(w)
  const n = await uploadObject(w, bundle)
  if (w.random.next() < 0.5) await w.client.call('DELETE', `/bundles/${bundle.id}/objects/${n}`)
}

async function readBundle(w: Worker): Promise<void> {
  const bundle = ownBundle(w)
  if (!bundle) return createBundle(w)
  const hash = await hashOfBundle(w.client, bundle.slug)
  if (hash !== certain(w.ledger.bundles, bundle.slug))
    w.ledger.faults.push(`bundle ${bundle.slug}: read as another revision`)
}

async function deleteBundle(w: Worker): Promise<void> {
  const bundle = ownBundle(w)
  if (!bundle) return createBundle(w)
  w.own.bundles = w.own.bundles.filter((one) => one !== bundle)
  const change = new Change().expect(w.ledger.bundles, bundle.slug, null)
  await w.client.call('POST', '/bundles/delete', { json: { ids: [bundle.id] } })
  change.acknowledge()
}

/** Stops editing bundles whose last change got no response, because their current revision is unknown. */
export function forgetUncertainBundles(w: Worker): void {
  w.own.bundles = w.own.bundles.filter(({ slug }) => certain(w.ledger.bundles, slug) !== undefined)
}

/** Operations with their weights in the random choice. */
export const BUNDLE_OPERATIONS: ReadonlyArray<readonly [string, number, (w: Worker) => Promise<void>]> = [
  ['edit bundle', 6, editBundle],
  ['restore revision', 2, restoreRevision],
  ['abandon object', 1, abandonObject],
  ['read bundle', 2, readBundle],
  ['delete bundle', 0.3, deleteBundle],
]
