import { basePath } from './browser/base-path.ts'
import { readStored, writeStored } from './browser/storage.ts'

/** The name that older web clients keep it under. */
const BACKEND_KEY = 'vite-api-base-url'

/**
 * The server that an address names: its origin and the path below which it lies, without a slash at the end. `null` when it
 * is not one that a page can speak to.
 */
export function backendOf(address: string): string | null {
  const url = URL.parse(address.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.origin + url.pathname.replace(/\/(?:api\/?)?$/, '')
}

/** The server that the pages come from. */
export const ownServer = (): string => window.location.origin + basePath

function readOther(): string | null {
  const chosen = backendOf(readStored(BACKEND_KEY) ?? '')
  return chosen === null || chosen === ownServer() ? null : chosen
}

/** The other server that an administrator has chosen. */
export const otherServer: string | null = readOther()

/** What every address of the server begins with. */
export const backend: string = otherServer ?? basePath

/** Where the server is: without a slash at its end. */
export const serverAddress = (): string => otherServer ?? ownServer()

/** Holds from the next load of the page on; `null` for the server that the pages come from. */
export const chooseBackend = (origin: string | null): boolean => writeStored(BACKEND_KEY, origin)
