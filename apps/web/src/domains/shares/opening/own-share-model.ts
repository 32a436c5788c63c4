import type { ListedShare, OpeningKind } from '@dropleaf/contract'
import type { SharePlace } from './device.ts'

/** Where a share is listed for its owner; `null` if no page lists shares of this kind. */
export const KINDS_OF_LISTS = {
  paste: { kind: 'text', permission: 'text', module: 'text-management' },
  file: { kind: 'file', permission: 'file', module: 'file-management' },
  bundle: null,
} as const satisfies Record<OpeningKind, object | null>

/** Whether a list of the caller's shares contains the one at this place. The search also finds similar suffixes. */
export const listsShare = (
  shares: readonly Pick<ListedShare, 'kind' | 'slug'>[],
  { kind, slug }: SharePlace,
): boolean => shares.some((share) => share.kind === KINDS_OF_LISTS[kind]?.kind && share.slug === slug)
