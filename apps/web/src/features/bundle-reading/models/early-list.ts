import type { bundleReadingRoutes, ReplyOf } from '@dropleaf/contract'
import type { ItemOrder } from './bundle-tree.ts'

export type ListReply = ReplyOf<typeof bundleReadingRoutes.list>['data']

/** Identifies the first page of a list. */
export interface ListPlace extends ItemOrder {
  readonly ticket: string
  readonly path: string
}

let kept: { place: ListPlace; reply: ListReply } | null = null

/** Keeps the first page of a live folder that was shown before the app was loaded. */
export function keepEarlyList(place: ListPlace, reply: ListReply): void {
  kept = { place, reply }
}

/** Returns the kept page if it is from this place, and removes it. The first screen of the app then shows its rows. */
export function takeEarlyList({ ticket, path, sort, order }: ListPlace): ListReply | undefined {
  if (!kept) return undefined
  const { place, reply } = kept
  kept = null
  const isSame =
    place.ticket === ticket && place.path === path && place.sort === sort && place.order === order
  return isSame ? reply : undefined
}
