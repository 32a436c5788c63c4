import type { OpeningKind } from '@dropleaf/contract'
import { createBrowserTable } from '../../../lib/browser/indexed-db-table.ts'
import { otherServer } from '../../../lib/server-address.ts'

/**
 * The random identity of this browser for one share. Each share has a different identity, so that the server cannot
 * link the shares.
 */
interface KnownShare {
  /** See {@link keyOf}. */
  readonly share: string
  /** 32 random bytes in base64url. */
  readonly device: string
  /** Whether the share was opened with this identity, as far as this browser knows. */
  readonly isOpened: boolean
  readonly usedAtMs: number
}

export interface SharePlace {
  readonly kind: OpeningKind
  readonly slug: string
}

/** The longest time in which a device can reopen a share, plus a margin. */
const KEPT_MS = 25 * 3_600_000
const BYTES = 32

const table = createBrowserTable<KnownShare>({
  database: 'dropleaf-opening',
  table: 'shares',
  keyPath: 'share',
})
/**
 * The identities of this tab, in addition to the table. If the browser blocks storage, only this copy exists, and a
 * share cannot be reopened after a reload.
 */
const inMemory = new Map<string, KnownShare>()

const keyOf = ({ kind, slug }: SharePlace) => `${otherServer ?? ''}/${kind}/${slug}`

function randomDevice(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

async function find(place: SharePlace): Promise<KnownShare | undefined> {
  const share = keyOf(place)
  const known = inMemory.get(share) ?? (await table.get(share).catch(() => undefined))
  return known && known.usedAtMs > Date.now() - KEPT_MS ? known : undefined
}

async function store(known: KnownShare): Promise<void> {
  inMemory.set(known.share, known)
  await table.put(known).catch(() => undefined)
}

/**
 * Returns the identity with which this browser has opened a share; `null` if this browser has not opened the share.
 */
export async function findOpenedDevice(place: SharePlace): Promise<string | null> {
  const known = await find(place)
  return known?.isOpened ? known.device : null
}

/**
 * Returns the identity for an opening. Marks the identity as used at once, because the server can count the view even
 * if its response is lost.
 */
export async function takeDevice(place: SharePlace): Promise<string> {
  const device = (await find(place))?.device ?? randomDevice()
  await store({ share: keyOf(place), device, isOpened: true, usedAtMs: Date.now() })
  return device
}

/** Records that the share was not opened, so that the next visit does not try to reopen it. */
export async function noteNotOpened(place: SharePlace): Promise<void> {
  const known = await find(place)
  if (known) await store({ ...known, isOpened: false })
}

/** Deletes identities that the server no longer accepts. */
export async function forgetOldDevices(): Promise<void> {
  const startMs = Date.now() - KEPT_MS
  const all = await table.getAll().catch(() => [])
  for (const { share, usedAtMs } of all) {
    if (usedAtMs <= startMs) await table.remove(share).catch(() => undefined)
  }
}
