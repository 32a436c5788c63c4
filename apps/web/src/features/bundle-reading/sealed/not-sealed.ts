import { findKey } from '../../../domains/sealed/keys/key-store.ts'
import { seenRevision } from '../../../domains/sealed/reading/seen-revisions.ts'
import { findKnownLook, isKnownId } from './known-looks.ts'

/**
 * How this browser knows that a bundle is encrypted: it has opened or made this bundle, or it has opened another
 * encrypted bundle at the same link.
 */
export type KnownSeal = 'bundle' | 'link'

/**
 * Thrown if the server says that a bundle is not encrypted, but its link has a key or this browser knows it as
 * encrypted. The bundle may have been replaced, so nothing of it may be shown.
 */
export class NotSealedError extends Error {
  override readonly name = 'NotSealedError'
  readonly known: KnownSeal | null

  constructor(known: KnownSeal | null) {
    super('The server says that the bundle is not encrypted.')
    this.known = known
  }
}

/** Returns how this browser knows a bundle as encrypted; `null` if it does not. */
export async function findKnownSeal(slug: string, id: string): Promise<KnownSeal | null> {
  if (isKnownId(id) || seenRevision(id) > 0 || (await findKey(id)) !== null) return 'bundle'
  return findKnownLook(slug) ? 'link' : null
}
