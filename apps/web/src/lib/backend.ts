import { readStored, writeStored } from './storage.ts'

/** The name that older web clients keep it under. */
const BACKEND_KEY = 'vite-api-base-url'

/** The origin that an address names, or `null` when it is not one that a page can speak to. */
export function backendOf(address: string): string | null {
  const url = URL.parse(address.trim())
  return url && /^https?:$/.test(url.protocol) ? url.origin : null
}

function readBackend(): string {
  const origin = backendOf(readStored(BACKEND_KEY) ?? '')
  return origin === null || origin === window.location.origin ? '' : origin
}

/** What every address of the server begins with: nothing, unless an administrator has chosen another server. */
export const backend: string = readBackend()

/** Where the server is. */
export const serverOrigin = (): string => backend || window.location.origin

/** Holds from the next load of the page on; `null` for the server that the pages come from. */
export const chooseBackend = (origin: string | null): boolean => writeStored(BACKEND_KEY, origin)
