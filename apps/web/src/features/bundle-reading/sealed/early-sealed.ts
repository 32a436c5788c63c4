import type { OpenSealedBundle } from '@dropleaf/contract'
import { openManifest, parseLinkKey, sealedText, unlockShare } from '@dropleaf/seal'
import { manifestBytes } from '../../../domains/sealed/reading/manifest-bytes.ts'
import { seenRevision } from '../../../domains/sealed/reading/seen-revisions.ts'
import { readPlaceState } from '../models/bundle-place.ts'
import { storeTicket } from '../models/stored-ticket.ts'
import type { EarlyBundle } from './shown-bundle.ts'
import { toShownBundle } from './to-shown-bundle.ts'

/**
 * Opens an encrypted bundle before the app is loaded. This module imports neither the API client nor the contract, so
 * that the text shows soon.
 */

/** Version of the format that this page reads. */
const READ_VERSION = 1

type Facts = Pick<OpenSealedBundle, 'id' | 'salt' | 'kdf'> & { readonly sealed: number | null }

interface Early {
  /** The part of the address after `#`. */
  readonly linkKey: string
  /** What anyone may know of the bundle, or what this tab has opened before. */
  readonly first: Promise<Response>
  /** Opens the bundle, and hands the response to the app. @returns its body, `null` unless the bundle is open */
  readonly open: (proof: string) => Promise<string | null>
}

const dataIn = (text: string) => (JSON.parse(text) as { data: unknown }).data

/** Whether the page shows the text first, and not a folder or a file in which this tab was before. */
const startsWithText = () =>
  Object.values(readPlaceState((window.history.state ?? {}) as object)).every((value) => value === undefined)

/** Passwords need a worker, so the app derives their keys. */
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
  // The app opens the newest revision, or says that the server shows an old one.
  if (current > revision || revision < seenRevision(id)) return null
  storeTicket(opened.slug, opened)
  const { page } = manifest
  if (!page || !('text' in page) || !startsWithText()) return null
  // The app replaces addresses of pictures in the text when it can decrypt them.
  const urlOf = () => new Promise<string>(() => undefined)
  return toShownBundle({ opened, pageText: page.text, manifest }, { linkKey, urlOf })
}

/**
 * Opens an encrypted bundle with the key in the address.
 * @returns `null` for everything that the app has to show: a password, a question, an error, a folder, a long text
 */
export const openSealedEarly = (early: Early): Promise<EarlyBundle | null> =>
  openWithKey(early).catch(() => null)
