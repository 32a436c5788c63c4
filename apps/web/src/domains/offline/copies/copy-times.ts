import { OFFLINE_COPY_HEADER } from './copy-header.ts'

/** Which of the things on the screen are copies from this device, and of when. */
const times = new Map<string, number>()
const listeners = new Set<() => void>()

/** Pages of a folder are one thing, and so are calls that differ in nothing else. */
function thingAt(address: string): string {
  const { pathname, searchParams } = new URL(address, location.origin)
  return `${pathname}?${searchParams.get('path') ?? ''}`
}

/** Notes whether an answer is a copy. */
export function noteCopy(url: string, headers: Headers): void {
  const header = headers.get(OFFLINE_COPY_HEADER)
  const thing = thingAt(url)
  if (header === null && !times.has(thing)) return
  if (header === null) times.delete(thing)
  else times.set(thing, Date.parse(header))
  for (const listener of listeners) listener()
}

/** When the copy was made that is shown of an address; `null` for what the server has answered. */
export const copyTimeOf = (url: string): number | null => times.get(thingAt(url)) ?? null

export const hasCopies = (): boolean => times.size > 0

export function subscribeCopies(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
