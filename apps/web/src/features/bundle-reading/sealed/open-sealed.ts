import { bundleReadingRoutes, type OpenSealedBundle, type ReplyOf } from '@dropleaf/contract'
import {
  type Bytes,
  type DerivePassword,
  type Manifest,
  openManifest,
  SealError,
  sealedText,
  type ShareKeys,
  unlockShare,
} from '@dropleaf/seal'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import {
  type AskAddresses,
  askAddressesOf,
  createAddresses,
} from '../../../domains/sealed/reading/addresses.ts'
import { manifestBytes } from '../../../domains/sealed/reading/manifest-bytes.ts'
import { createRangeReaders } from '../../../domains/sealed/reading/read-range.ts'
import { toPreviewError } from '../../../domains/sealed/reading/sealed-fault.ts'
import {
  createReading,
  readWhole,
  type SealedReading,
} from '../../../domains/sealed/reading/sealed-reading.ts'
import {
  noteRevision,
  OlderRevisionError,
  seenRevision,
} from '../../../domains/sealed/reading/seen-revisions.ts'
import { peekEarlyAnswer, takeEarlyAnswer } from '../../../domains/shares/early-answer.ts'
import { noteNotOpened, takeDevice } from '../../../domains/shares/opening/device.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { findTicket, forgetTicket, storeTicket } from '../models/stored-ticket.ts'
import { findKnownLook, noteLook } from './known-looks.ts'
import { findKnownSeal, NotSealedError } from './not-sealed.ts'

/** Public facts about an encrypted bundle. */
export interface SealedLook {
  readonly id: string
  readonly salt: string
  readonly kdf: OpenSealedBundle['kdf']
  readonly version: number
}

type Opened = ReplyOf<typeof bundleReadingRoutes.open>['data']

/** The bundle that {@link lookAt} has read again with the ticket of this tab, for the next {@link requestSealed}. */
let readBefore: OpenSealedBundle | null = null

/**
 * Returns the bundle that the page opened before the app was loaded, or throws the error of that attempt. The response
 * is reused, because each opening uses a view.
 */
function takeEarly(slug: string): Opened | null {
  const early = takeEarlyAnswer(slug)
  if (!early) return null
  return (interpretReply(early.answer, early.sent) as ReplyOf<typeof bundleReadingRoutes.open>).data
}

/** Returns `null` for an open bundle, of which nothing may be shown. The caller then sends another request. */
const sealedOrNull = (opened: Opened) => (opened.sealed === null ? null : opened)

/**
 * Returns the facts that are needed to open a bundle. A tab that has opened the bundle before sends its ticket, because
 * the server shows a used-up bundle to nobody else. For a used-up bundle, returns the facts that this browser stores.
 * @throws {ApiError}
 * @throws {NotSealedError} if the server says that the bundle is not encrypted
 */
export async function lookAt(slug: string, signal?: AbortSignal): Promise<SealedLook> {
  const early = peekEarlyAnswer(slug)?.answer.status === 200 ? takeEarly(slug) : null
  const known = findTicket(slug)
  const again = (early && sealedOrNull(early)) ?? (known && (await readAgain(slug, known.ticket, signal)))
  if (again) {
    readBefore = again
    return { id: again.id, salt: again.salt, kdf: again.kdf, version: again.sealed }
  }
  try {
    const { data } = await api(bundleReadingRoutes.look, { params: { slug }, signal })
    const { id, sealed, salt, kdf } = data
    if (sealed === null || salt === null) throw new NotSealedError(await findKnownSeal(slug, id))
    return { id, salt, kdf, version: sealed }
  } catch (error) {
    const known = hasCode(error, 'bundle.used_up') ? findKnownLook(slug) : null
    if (known) return known
    throw error
  }
}

/** Facts and keys that open one bundle. They stay in the memory of the page. */
export interface Unlocked {
  readonly look: SealedLook
  readonly keys: ShareKeys
}

/** Version of the format that this app reads. */
const READ_VERSION = 1

/**
 * Derives the keys of a bundle.
 * @throws {SealError} `manifest.version`, `kdf.refused`, `password.missing`, `share.malformed`
 */
export async function unlock({
  look,
  secret,
  password,
  derivePassword,
}: {
  readonly look: SealedLook
  readonly secret: Bytes
  readonly password: string | null
  readonly derivePassword: DerivePassword
}): Promise<Unlocked> {
  if (look.version > READ_VERSION) throw new SealError('manifest.version')
  return { look, keys: await unlockShare({ secret, salts: look, password, derivePassword }) }
}

export const proofOf = ({ keys }: Unlocked) => sealedText(keys.proof)

/** Whether a request got no response. */
const isUnreachable = (error: unknown) =>
  error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout')

/**
 * Requests the encrypted manifest. Uses one view. If this tab has opened the bundle before, uses a view only if there
 * is a newer revision and no view limit.
 * @throws {ApiError}
 * @throws {SealError} `manifest.refused` if the server returns an open bundle
 */
export async function requestSealed(
  slug: string,
  unlocked: Unlocked,
  signal?: AbortSignal,
): Promise<OpenSealedBundle> {
  const early = takeEarly(slug)
  if (early) return requireSealed(early)
  const known = findTicket(slug)
  const before = readBefore?.ticket === known?.ticket ? readBefore : null
  readBefore = null
  const again = before ?? (known && (await readAgain(slug, known.ticket, signal)))
  if (!again) return openAnew(slug, unlocked)
  const isNewest = again.current_revision <= again.revision
  if (isNewest || again.max_views !== null) return again
  try {
    return await openAnew(slug, unlocked)
  } catch (error) {
    // Without a network, this tab still shows what it has opened. A refusal, such as the end of the bundle, is shown.
    if (isUnreachable(error)) return again
    throw error
  }
}

/** @returns `null` if the ticket is no longer valid, or belongs to a bundle that is not encrypted */
async function readAgain(
  slug: string,
  ticket: string,
  signal?: AbortSignal,
): Promise<OpenSealedBundle | null> {
  try {
    const { data } = await api(bundleReadingRoutes.opened, { params: { slug }, query: { ticket }, signal })
    return sealedOrNull(data)
  } catch (error) {
    if (!hasCode(error, 'bundle.ticket_invalid')) throw error
    forgetTicket(slug)
    return null
  }
}

async function openAnew(slug: string, unlocked: Unlocked): Promise<OpenSealedBundle> {
  const place = { kind: 'bundle', slug } as const
  const body = { device: await takeDevice(place), proof: proofOf(unlocked) }
  try {
    const { data } = await api(bundleReadingRoutes.open, { params: { slug }, body })
    return requireSealed(data)
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'http' && error.status < 500) await noteNotOpened(place)
    throw error
  }
}

/**
 * An encrypted bundle never becomes an open bundle: the page shows nothing of an open bundle that the server returns
 * instead, here or in {@link lookAt}.
 * @throws {SealError} `manifest.refused`
 */
export function requireSealed(opened: Opened): OpenSealedBundle {
  if (opened.sealed === null) throw new SealError('manifest.refused')
  return opened
}

/**
 * Requests the addresses of objects, and opens the bundle again when its ticket has expired. The new opening uses a
 * view, as for open bundles.
 */
function askWithTicket(slug: string, opened: OpenSealedBundle, unlocked: Unlocked): AskAddresses {
  let { ticket } = opened
  let renewing: Promise<OpenSealedBundle> | null = null
  // Several requests can fail at once because of an expired ticket. They share one new opening, because each opening
  // can use a view.
  const renew = () => {
    renewing ??= openAnew(slug, unlocked).finally(() => {
      renewing = null
    })
    return renewing
  }
  return async (objects) => {
    const usedTicket = ticket
    try {
      return await askAddressesOf({ slug, ticket: usedTicket })(objects)
    } catch (error) {
      if (!hasCode(error, 'bundle.ticket_invalid')) throw error
      if (ticket !== usedTicket) return askAddressesOf({ slug, ticket })(objects)
      forgetTicket(slug)
      const again = await renew()
      // A newer revision has other objects, so the page must show that revision first.
      if (again.revision !== opened.revision) throw error
      storeTicket(slug, again)
      ticket = again.ticket
      return askAddressesOf({ slug, ticket })(objects)
    }
  }
}

async function readPage({ page }: Manifest, reading: SealedReading): Promise<string | null> {
  if (!page) return null
  if ('text' in page) return page.text
  const bytes = await readWhole(reading.open(page)).catch((error: unknown) => {
    throw toPreviewError(error)
  })
  return new TextDecoder().decode(bytes)
}

/** A decrypted bundle. Its keys stay in the memory of the page. */
export interface Decrypted {
  readonly opened: OpenSealedBundle
  /** The text of the page, which can be stored as an object; `null` if the bundle has no text. */
  readonly pageText: string | null
  readonly reading: SealedReading
}

/**
 * Decrypts the bundle that the server returned.
 * @throws {OlderRevisionError} if this browser has seen a newer revision
 * @throws {SealError} `manifest.refused` and the other codes of manifests
 * @throws {ApiError, PreviewError} if the text is an object that cannot be read
 */
export async function decryptBundle(
  slug: string,
  opened: OpenSealedBundle,
  unlocked: Unlocked,
): Promise<Decrypted> {
  const { look, keys } = unlocked
  const { id: bundleId, revision, ticket } = opened
  const known = findTicket(slug)
  // After a reload, a tab may show the same revision as before, even if it is not the newest.
  const isSameTab = known?.ticket === ticket && known.revision === revision
  if (!isSameTab && revision < seenRevision(bundleId)) throw new OlderRevisionError()
  const salts = { salt: look.salt, kdf: look.kdf }
  const sealedManifest = manifestBytes(opened.manifest)
  const manifest = await openManifest({
    sealed: sealedManifest,
    manifestKey: keys.manifestKey,
    place: { bundleId, revision, salts },
  })
  const addresses = createAddresses({
    ask: askWithTicket(slug, opened, unlocked),
    numbers: manifest.objects.map(({ n }) => n),
  })
  const reading = createReading({
    bundleId,
    revision,
    salts,
    manifest,
    sealedManifest,
    readRange: createRangeReaders({ addresses }),
  })
  const pageText = await readPage(manifest, reading)
  noteRevision(bundleId, revision)
  noteLook(slug, look)
  storeTicket(slug, opened)
  return { opened, pageText, reading }
}
