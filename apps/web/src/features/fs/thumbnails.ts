import { requestHeaders } from '../../domains/api/request-headers.ts'
import { onSessionGone } from '../../domains/session/session.ts'

/**
 * Thumbnail of a file, as an object URL. A request for a thumbnail needs the credential, so the app fetches the
 * thumbnail itself.
 */
export interface Thumbnail {
  readonly url: string
  /** Width divided by height. */
  readonly ratio: number
}

/**
 * Source of a thumbnail: a URL, or a function that creates the picture in this page. The key identifies the picture.
 */
export type ThumbnailPlace = string | { readonly key: string; readonly load: () => Promise<Blob | null> }

export const keyOfThumbnail = (place: ThumbnailPlace): string =>
  typeof place === 'string' ? place : place.key

const AT_ONCE = 6
const KEPT = 400

interface Slot {
  readonly key: string
  readonly place: ThumbnailPlace
  readonly listeners: Set<() => void>
  state: 'waiting' | 'loading' | 'ready' | 'none'
  thumbnail: Thumbnail | null
}

const slots = new Map<string, Slot>()
const queue: Slot[] = []
let loadingCount = 0

const tell = ({ listeners }: Slot) => {
  for (const listener of listeners) listener()
}

/** @returns `null` if there is no thumbnail */
async function fetchBlob(url: string): Promise<Blob | null> {
  const response = await fetch(url, { headers: requestHeaders() })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return response.status === 204 ? null : response.blob()
}

async function load(slot: Slot): Promise<void> {
  const { place } = slot
  const blob = await (typeof place === 'string' ? fetchBlob(place) : place.load())
  if (!blob) return
  const bitmap = await createImageBitmap(blob)
  const ratio = bitmap.width / bitmap.height
  bitmap.close()
  slot.thumbnail = { url: URL.createObjectURL(blob), ratio }
}

/** Removes the oldest thumbnails that are not visible. */
function forgetOld() {
  for (const slot of slots.values()) {
    if (slots.size <= KEPT) return
    if (slot.listeners.size === 0 && slot.state !== 'loading') forget(slot)
  }
}

function forget(slot: Slot) {
  if (slot.thumbnail) URL.revokeObjectURL(slot.thumbnail.url)
  if (slots.get(slot.key) === slot) slots.delete(slot.key)
  const at = queue.indexOf(slot)
  if (at >= 0) queue.splice(at, 1)
  slot.thumbnail = null
}

async function work(slot: Slot): Promise<void> {
  loadingCount += 1
  slot.state = 'loading'
  try {
    await load(slot)
    // The session has ended meanwhile.
    if (slots.get(slot.key) !== slot) forget(slot)
    slot.state = slot.thumbnail ? 'ready' : 'none'
  } catch {
    // After a failure, the icon of the file is shown. The preview explains the error.
    slot.state = 'none'
  }
  loadingCount -= 1
  tell(slot)
  forgetOld()
  pump()
}

function pump() {
  while (loadingCount < AT_ONCE) {
    // Starts with the latest request, because its entry is visible now.
    const slot = queue.pop()
    if (!slot) return
    // Skips a thumbnail that has scrolled out of view before its request.
    if (slot.listeners.size === 0) forget(slot)
    else void work(slot)
  }
}

function slotFor(place: ThumbnailPlace): Slot {
  const key = keyOfThumbnail(place)
  const known = slots.get(key)
  if (known) return known
  const slot: Slot = { key, place, listeners: new Set(), state: 'waiting', thumbnail: null }
  slots.set(key, slot)
  queue.push(slot)
  return slot
}

/**
 * Requests a thumbnail, and calls the listener when it has loaded or failed to load.
 * @returns a function that unsubscribes. A request that has not started by then is not sent.
 */
export function watchThumbnail(place: ThumbnailPlace, listener: () => void): () => void {
  const slot = slotFor(place)
  slot.listeners.add(listener)
  // Moves the slot to the end of the eviction order.
  slots.delete(slot.key)
  slots.set(slot.key, slot)
  pump()
  return () => slot.listeners.delete(listener)
}

/** Returns the thumbnail; `null` if there is none, `undefined` while it loads and before it is requested. */
export function readThumbnail(key: string): Thumbnail | null | undefined {
  const slot = slots.get(key)
  if (!slot || slot.state === 'waiting' || slot.state === 'loading') return undefined
  return slot.thumbnail
}

onSessionGone(() => {
  for (const slot of slots.values()) forget(slot)
})
