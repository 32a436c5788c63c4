import type { bundleReadingRoutes, ReplyOf } from '@dropleaf/contract'
import type { RawAnswer } from '../../../domains/api/api-client.ts'
import type { SentRequest } from '../../../lib/api-error.ts'
import type { ItemOrder } from './bundle-tree.ts'

export type ListReply = ReplyOf<typeof bundleReadingRoutes.list>['data']

/** Identifies the first page of a list. */
export interface ListPlace extends ItemOrder {
  readonly ticket: string
  readonly path: string
}

/** A response to a request that was sent before the app was loaded; `null` after a connection error. */
export type EarlyReply = { readonly answer: RawAnswer; readonly sent: SentRequest } | null

interface EarlyList {
  readonly place: ListPlace
  readonly asked: Promise<EarlyReply>
  /** `null` until the response has arrived. */
  reply: ListReply | null
}

let kept: EarlyList | null = null

const isSame = (one: ListPlace, other: ListPlace) =>
  one.ticket === other.ticket &&
  one.path === other.path &&
  one.sort === other.sort &&
  one.order === other.order

/**
 * Keeps the request for the first page of a live folder, so that the app sends no second one.
 * @returns the page; `null` if the request has failed
 */
export async function keepEarlyList(place: ListPlace, asked: Promise<EarlyReply>): Promise<ListReply | null> {
  const list: EarlyList = { place, asked, reply: null }
  kept = list
  const { answer } = (await asked) ?? {}
  if (answer?.status !== 200) return null
  list.reply = (JSON.parse(answer.text) as { data: ListReply }).data
  return list.reply
}

/** Returns and removes the stored page if it has arrived and is of this place. Removes a request for another place. */
export function takeArrivedList(place: ListPlace): ListReply | undefined {
  if (!kept) return undefined
  const { reply, place: keptPlace } = kept
  if (!isSame(keptPlace, place)) kept = null
  if (kept === null || reply === null) return undefined
  kept = null
  return reply
}

/** Returns the stored request if it is for this place, even if its response has arrived. Removes it in any case. */
export function takePendingList(place: ListPlace): Promise<EarlyReply> | null {
  const asked = kept && isSame(kept.place, place) ? kept.asked : null
  kept = null
  return asked
}
