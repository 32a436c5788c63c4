import type { ListedShare, OpeningKind } from '@dropleaf/contract'
import type { SharePlace } from './device.ts'

/** The page that lists shares of a kind for their owner; `null` if there is none. */
export const KINDS_OF_LISTS = {
  paste: { kind: 'text', permission: 'text', module: 'text-management' },
  file: { kind: 'file', permission: 'file', module: 'file-management' },
  bundle: null,
} as const satisfies Record<OpeningKind, object | null>

/**
 * Whether a list of the user's shares contains exactly this share. The list can also contain shares with similar
 * slugs, because the search finds them.
 */
export const listsShare = (
  shares: readonly Pick<ListedShare, 'kind' | 'slug'>[],
  { kind, slug }: SharePlace,
): boolean => shares.some((share) => share.kind === KINDS_OF_LISTS[kind]?.kind && share.slug === slug)
