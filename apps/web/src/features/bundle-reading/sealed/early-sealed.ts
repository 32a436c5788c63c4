import type { OpenSealedBundle } from '@dropleaf/contract'
import { openManifest, parseLinkKey, sealedText, unlockShare } from '@dropleaf/seal'
import { manifestBytes } from '../../../domains/sealed/reading/manifest-bytes.ts'
import { seenRevision } from '../../../domains/sealed/reading/seen-revisions.ts'
import { readPlaceState } from '../models/bundle-place.ts'
import { storeTicket } from '../models/stored-ticket.ts'
import { noteLook } from './known-looks.ts'
import type { EarlyBundle } from './shown-bundle.ts'
import { toShownBundle } from './to-shown-bundle.ts'

/**
 * Opens an encrypted bundle before the app is loaded. This module imports neither the API client nor the contract, so
 * that the text is visible sooner.
 */

/** Version of the format that this page reads. */
const READ_VERSION = 1

type Facts = Pick<OpenSealedBundle, 'id' | 'salt' | 'kdf'> & { readonly sealed: number | null }

interface Early {
  /** The part of the address after `#`. */
  readonly linkKey: string
  /** Response with the public facts of the bundle, or with the bundle if this tab has opened it before. */
  readonly first: Promise<Response>
  /**
   * Opens the bundle, and hands the response to the app.
   * @returns the body of the response; `null` unless the bundle is open
   */
  readonly open: (proof: string) => Promise<string | null>
}

const dataIn = (text: string) => (JSON.parse(text) as { data: unknown }).data

/** Whether the page first shows the text. Otherwise it shows the folder or file that was open in this tab before. */
const startsWithText = () =>
  Object.values(readPlaceState((window.history.state ?? {}) as object)).every((value) => value === undefined)

/** The derivation of keys from a password needs a worker, so the app does it. */
const noPassword = () => Promise.reject(new Error('The bundle has a password.'))

async function openWithKey({ linkKey, first, open }: Early): Promise<EarlyBundle | null> {
  const response = await first
  if (!response.ok) return null
  const text = await response.text()
  const facts = dataIn(text) as Facts
  const { id, sealed, salt, kdf } = facts
  if (sealed === null || sealed > READ_VERSION || kdf !== null) return null
  const salts = { salt, kdf }
  const secret = parseLinkKey(linkKey)
  const { proof, manifestKey } = await unlockShare({
    secret,
    salts,
    password: null,
    derivePassword: noPassword,
  })
  const wasOpen = 'manifest' in facts
  const reply = wasOpen ? text : await open(sealedText(proof))
  if (reply === null) return null
  const opened = dataIn(reply) as OpenSealedBundle
  const { revision, current_revision: current } = opened
  const place = { bundleId: id, revision, salts }
  const manifest = await openManifest({ sealed: manifestBytes(opened.manifest), manifestKey, place })
  // If there is a newer revision, the app opens it. If this browser has seen a newer revision, the app warns that the
  // server shows an old one.
  if (current > revision || revision < seenRevision(id)) return null
  storeTicket(opened.slug, opened)
  // From now on, this browser refuses an open bundle at this link, even if the page reloads before the app runs.
  noteLook(opened.slug, { id, salt, kdf, version: sealed })
  const { page } = manifest
  if (!page || !('text' in page) || !startsWithText()) return null
  // The app replaces the URLs of pictures in the text when it can decrypt the pictures.
  const urlOf = () => new Promise<string>(() => undefined)
  return toShownBundle({ opened, pageText: page.text, manifest }, { linkKey, urlOf })
}

/**
 * Opens an encrypted bundle with the key in the address.
 * @returns `null` if the app has to show the bundle, for example because of a password, a confirmation, an error, a
 * newer revision, an open folder or a text in an object
 */
export const openSealedEarly = (early: Early): Promise<EarlyBundle | null> =>
  openWithKey(early).catch(() => null)
