import { type Bytes, formatLinkKey, parseLinkKey } from '@dropleaf/seal'
import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { draftOwner } from '../../session/session-owner.ts'
import { type Box, forgetBrowserKey, lockBox, unlockBox } from './browser-key.ts'
import { tellKeysChanged } from './key-changes.ts'
import { markKeys } from './key-mark.ts'

/** The keys of encrypted bundles that this browser stores. Each user of this browser has separate keys. */

interface KeyRecord {
  /** Contains the ids of the bundle and the owner. */
  readonly id: string
  readonly bundleId: string
  readonly owner: string
  readonly box: Box
}

interface Contents {
  readonly linkKey: string
  readonly name: string
  readonly savedAtMs: number
}

/** A stored key, with a name by which its owner recognises the bundle. */
export interface KeptKey extends Contents {
  readonly bundleId: string
}

const table = createBrowserTable<KeyRecord>({
  database: 'dropleaf-sealed-keys',
  table: 'keys',
  keyPath: 'id',
})

const idOf = (owner: string, bundleId: string) => `${owner} ${bundleId}`

const isContents = (value: unknown): value is Contents =>
  typeof value === 'object' &&
  value !== null &&
  'linkKey' in value &&
  typeof value.linkKey === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'savedAtMs' in value &&
  typeof value.savedAtMs === 'number'

async function read({ id, bundleId, owner, box }: KeyRecord): Promise<KeptKey | null> {
  const value = await unlockBox(box, { owner, name: id })
  return isContents(value) ? { ...value, bundleId } : null
}

/**
 * Stores the key of a bundle for the current user.
 * @param name title or slug of the bundle
 * @throws if the browser blocks its storage, or the storage is full
 */
export async function keepKey(bundleId: string, secret: Bytes, name: string): Promise<void> {
  const owner = draftOwner()
  const id = idOf(owner, bundleId)
  const contents: Contents = { linkKey: formatLinkKey(secret), name, savedAtMs: Date.now() }
  markKeys(true)
  await table.put({ id, bundleId, owner, box: await lockBox(contents, { owner, name: id }) })
  tellKeysChanged()
}

/** Returns the secret of a bundle, or `null` if this browser does not store it for the current user. */
export async function findKey(bundleId: string): Promise<Bytes | null> {
  const record = await table.get(idOf(draftOwner(), bundleId)).catch(() => undefined)
  const kept = record && (await read(record))
  return kept ? parseLinkKey(kept.linkKey) : null
}

/** Lists the keys of the current user, newest first. */
export async function listKeys(): Promise<KeptKey[]> {
  const owner = draftOwner()
  const all = await table.getAll().catch(() => [])
  if (all.length > 0) markKeys(true)
  const mine = await Promise.all(all.filter((record) => record.owner === owner).map(read))
  return mine.filter((kept) => kept !== null).sort((a, b) => b.savedAtMs - a.savedAtMs)
}

/** Removes the key of a deleted bundle. */
export async function forgetKey(bundleId: string): Promise<void> {
  await table.remove(idOf(draftOwner(), bundleId)).catch(() => undefined)
  tellKeysChanged()
}

/** Removes all keys of a user. */
export async function forgetKeys(owner = draftOwner()): Promise<void> {
  // Removes the user's key of this browser first. Without it, records that could not be removed are useless.
  await forgetBrowserKey(owner).catch(() => undefined)
  await table.removeFrom(`${owner} `).catch(() => undefined)
  await table.getAll().then(
    (left) => markKeys(left.length > 0),
    () => undefined,
  )
  tellKeysChanged()
}
