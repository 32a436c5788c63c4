import { basePath } from './browser/base-path.ts'
import { readStored, writeStored } from './browser/storage.ts'

/** Older web clients use the same storage key. */
const BACKEND_KEY = 'vite-api-base-url'

/**
 * Returns the origin and base path of a server, without a trailing slash; `null` if a page cannot send requests to the
 * address.
 */
export function backendOf(address: string): string | null {
  const url = URL.parse(address.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.origin + url.pathname.replace(/\/(?:api\/?)?$/, '')
}

/** Returns the address of the server that serves the page. */
export const ownServer = (): string => window.location.origin + basePath

function readOther(): string | null {
  const chosen = backendOf(readStored(BACKEND_KEY) ?? '')
  return chosen === null || chosen === ownServer() ? null : chosen
}

/** Address of another server that an administrator has chosen; `null` for none. */
export const otherServer: string | null = readOther()

/** Prefix of all URLs of the server. */
export const backend: string = otherServer ?? basePath

/** Returns the address of the server, without a trailing slash. */
export const serverAddress = (): string => otherServer ?? ownServer()

/** Chooses the server that is used after the next load of the page; `null` chooses the server that serves the page. */
export const chooseBackend = (origin: string | null): boolean => writeStored(BACKEND_KEY, origin)
