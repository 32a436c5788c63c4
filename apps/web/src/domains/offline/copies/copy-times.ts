import { OFFLINE_COPY_HEADER } from './copy-header.ts'

/** Which parts of the page are offline copies, and their age. */
const times = new Map<string, number>()
const listeners = new Set<() => void>()

/** Pages of a folder count as one, as do calls that differ in nothing else. */
function thingAt(address: string): string {
  const { pathname, searchParams } = new URL(address, location.origin)
  return `${pathname}?${searchParams.get('path') ?? ''}`
}

/** Records whether a response is a copy. */
export function noteCopy(url: string, headers: Headers): void {
  const header = headers.get(OFFLINE_COPY_HEADER)
  const thing = thingAt(url)
  if (header === null && !times.has(thing)) return
  if (header === null) times.delete(thing)
  else times.set(thing, Date.parse(header))
  for (const listener of listeners) listener()
}

/** The age of the copy that is shown; `null` for a response of the server. */
export const copyTimeOf = (url: string): number | null => times.get(thingAt(url)) ?? null

export const hasCopies = (): boolean => times.size > 0

export function subscribeCopies(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
