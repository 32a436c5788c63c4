import { basePath } from './browser/base-path.ts'
import { readStored, writeStored } from './browser/storage.ts'

/** Storage key of older web clients. */
const BACKEND_KEY = 'vite-api-base-url'

/** The server at an address: origin and base path, without a trailing slash. `null` if a page cannot request it. */
export function backendOf(address: string): string | null {
  const url = URL.parse(address.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.origin + url.pathname.replace(/\/(?:api\/?)?$/, '')
}

/** The server of the page. */
export const ownServer = (): string => window.location.origin + basePath

function readOther(): string | null {
  const chosen = backendOf(readStored(BACKEND_KEY) ?? '')
  return chosen === null || chosen === ownServer() ? null : chosen
}

/** The other server that an administrator has chosen. */
export const otherServer: string | null = readOther()

/** Prefix of every URL of the server. */
export const backend: string = otherServer ?? basePath

/** Address of the server, without a trailing slash. */
export const serverAddress = (): string => otherServer ?? ownServer()

/** Applies after the next load of the page; `null` for the server of the page. */
export const chooseBackend = (origin: string | null): boolean => writeStored(BACKEND_KEY, origin)
