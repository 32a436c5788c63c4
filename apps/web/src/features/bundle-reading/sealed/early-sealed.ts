import type { OpenSealedBundle } from '@dropleaf/contract'
import { derivePassword } from '../../../domains/sealed/kdf/derive-password.ts'
import { findAddressKey } from '../../../domains/sealed/link/link-keys.ts'
import { lookAt, requestSealed, type SealedLook, unlock } from './open-sealed.ts'

/** A bundle that is being opened while the app loads, so that its one view is not used twice. */
interface EarlyOpening {
  readonly slug: string
  /** The part of the address after `#`. */
  readonly linkKey: string
  readonly look: Promise<SealedLook | null>
  /** `null` if the app has to open the bundle: it is not encrypted, or has a password. */
  readonly opened: Promise<OpenSealedBundle | null>
}

let early: EarlyOpening | null = null

async function openEarly(
  slug: string,
  linkKey: string,
  looking: Promise<SealedLook | null>,
): Promise<OpenSealedBundle | null> {
  const look = await looking
  const secret = findAddressKey(linkKey)
  if (!look || look.kdf !== null || !secret) return null
  const unlocked = await unlock({ look, secret, password: null, derivePassword })
  return requestSealed(slug, unlocked)
}

/** Starts to open a bundle whose URL may contain the key. The app later uses the result, and shows errors. */
export function openSealedEarly(slug: string, fragment: string): void {
  const linkKey = fragment.replace(/^#/, '')
  const look = lookAt(slug)
  const opened = openEarly(slug, linkKey, look)
  // The app awaits them later, or never.
  look.catch(() => undefined)
  opened.catch(() => undefined)
  early = { slug, linkKey, look, opened }
}

/** Returns what anyone may know of a bundle, from the early request for the first page. @throws {ApiError} */
export async function lookOnce(slug: string, signal?: AbortSignal): Promise<SealedLook | null> {
  const looking = early?.slug === slug ? early.look : null
  // A retry asks again.
  return looking ? looking.catch(() => lookAt(slug, signal)) : lookAt(slug, signal)
}

/** Returns the early opening of this bundle with this key, and removes it. */
export function takeEarlySealed(slug: string, linkKey: string): Promise<OpenSealedBundle | null> | null {
  const taken = early?.slug === slug && early.linkKey === linkKey ? early.opened : null
  early = null
  return taken
}
