import { OFFLINE_COPY_HEADER } from './copy-header.ts'

/** Times at which the shown offline copies were cached. */
const times = new Map<string, number>()
const listeners = new Set<() => void>()

/** Returns the key of a URL: its path, and the folder of a listing. The pages of a listing therefore share one key. */
function thingAt(address: string): string {
  const { pathname, searchParams } = new URL(address, location.origin)
  return `${pathname}?${searchParams.get('path') ?? ''}`
}

/** Records whether a response is an offline copy. */
export function noteCopy(url: string, headers: Headers): void {
  const header = headers.get(OFFLINE_COPY_HEADER)
  const thing = thingAt(url)
  if (header === null && !times.has(thing)) return
  if (header === null) times.delete(thing)
  else times.set(thing, Date.parse(header))
  for (const listener of listeners) listener()
}

/** Returns when the shown copy was cached, or `null` if the server has responded. */
export const copyTimeOf = (url: string): number | null => times.get(thingAt(url)) ?? null

export const hasCopies = (): boolean => times.size > 0

export function subscribeCopies(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
