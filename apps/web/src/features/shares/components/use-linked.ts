import type { ListedShare } from '@dropleaf/contract'
import { useKeptKey } from '../../../domains/sealed/keys/use-kept-keys.ts'
import { addressOf, nameOf, sharePath } from './share-link.ts'

/**
 * Returns the name and the links of a share. The links of an encrypted share contain its key if this browser has stored
 * it.
 */
export function useLinked(share: ListedShare) {
  const kept = useKeptKey(share.sealed === null ? null : share.id)
  const hash = kept ? `#${kept.linkKey}` : ''
  return {
    name: kept?.name || nameOf(share),
    path: `${sharePath(share)}${hash}`,
    address: `${addressOf(share)}${hash}`,
    linkKey: kept?.linkKey ?? null,
  }
}
