import { type BundleDetail, SEAL_VERSION } from '@dropleaf/contract'
import {
  type Bytes,
  formatLinkKey,
  type Manifest,
  openManifest,
  SealError,
  unlockShare,
} from '@dropleaf/seal'
import { derivePassword } from '../../../domains/sealed/kdf/derive-password.ts'
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
import type { SealedShare } from '../../../domains/sealed/sending/sealed-calls.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { readOwnBundle, readOwnRevision } from '../api/own-bundles.queries.ts'

interface Unlocking {
  readonly secret: Bytes
  /** Password of the bundle; `null` if it has none. */
  readonly password: string | null
  readonly onProgress?: (share: number) => void
}

type Seal = Pick<BundleDetail, 'sealed' | 'salt' | 'kdf'>

/**
 * Derives the keys of a bundle.
 * @throws {SealError} `manifest.version`, `kdf.refused`, `password.missing`, `share.malformed`
 */
export async function unlockOwn(
  { sealed, salt, kdf }: Seal,
  { secret, password, onProgress }: Unlocking,
): Promise<SealedShare> {
  if ((sealed ?? 0) > SEAL_VERSION) throw new SealError('manifest.version')
  const salts = { salt: salt ?? '', kdf }
  const { manifestKey } = await unlockShare({
    secret,
    salts,
    password,
    derivePassword: (text, parameters) => derivePassword(text, parameters, onProgress),
  })
  return { linkKey: formatLinkKey(secret), manifestKey, salts }
}

/** A decrypted revision. */
export interface OpenedRevision {
  readonly manifest: Manifest
  readonly reading: SealedReading
}

interface RevisionPlace {
  readonly id: string
  readonly slug: string
  readonly revision: number
  readonly ticket: string
}

/**
 * Returns a function that requests the addresses of objects. If the ticket has expired or the slug has changed during
 * the edit, the function requests the current ticket and slug, and tries again.
 */
function askAsOwner({ id, revision, ...first }: RevisionPlace): AskAddresses {
  let place: Pick<RevisionPlace, 'slug' | 'ticket'> = first
  return async (objects) => {
    try {
      return await askAddressesOf(place)(objects)
    } catch (error) {
      if (!hasCode(error, 'bundle.ticket_invalid', 'bundle.not_found')) throw error
      const [{ slug }, { ticket }] = await Promise.all([readOwnBundle(id), readOwnRevision(id, revision)])
      place = { slug, ticket }
      return askAddressesOf(place)(objects)
    }
  }
}

/**
 * Decrypts a revision.
 * @param sealed the manifest as the server returned it
 * @throws {SealError} `manifest.refused` if the key is wrong, and the other codes of manifests
 */
export async function openRevision(
  place: RevisionPlace & { readonly sealed: string },
  { manifestKey, salts }: SealedShare,
): Promise<OpenedRevision> {
  const { id: bundleId, revision } = place
  const sealedManifest = manifestBytes(place.sealed)
  const manifest = await openManifest({
    sealed: sealedManifest,
    manifestKey,
    place: { bundleId, revision, salts },
  })
  const numbers = manifest.objects.map(({ n }) => n)
  const addresses = createAddresses({ ask: askAsOwner(place), numbers })
  const readRange = createRangeReaders({ addresses })
  const reading = createReading({ bundleId, revision, salts, manifest, sealedManifest, readRange })
  return { manifest, reading }
}

/**
 * Returns the text of the page, which can be stored as an object; `null` if the bundle has no text.
 * @throws {ApiError, PreviewError} if the object cannot be read
 */
export async function readPageText({ manifest, reading }: OpenedRevision): Promise<string | null> {
  const { page } = manifest
  if (!page) return null
  if ('text' in page) return page.text
  try {
    return new TextDecoder().decode(await readWhole(reading.open(page)))
  } catch (error) {
    throw toPreviewError(error)
  }
}

/** The revision that the owner edits. */
export interface OpenedDetail extends OpenedRevision {
  readonly detail: BundleDetail
  readonly share: SealedShare
  readonly pageText: string | null
}

/**
 * Decrypts the current revision of a bundle.
 * @throws {OlderRevisionError} if this browser has seen a newer revision. An edit would publish the older contents as
 * the newest revision.
 * @throws as {@link openRevision} and {@link readPageText}
 */
export async function openDetail(detail: BundleDetail, share: SealedShare): Promise<OpenedDetail> {
  const { id, slug, revision, ticket, sealed_manifest: sealed } = detail
  if (revision < seenRevision(id)) throw new OlderRevisionError()
  if (sealed === null || ticket === null) throw new SealError('manifest.refused')
  const opened = await openRevision({ id, slug, revision, ticket, sealed }, share)
  noteRevision(id, revision)
  return { ...opened, pageText: await readPageText(opened), detail, share }
}
