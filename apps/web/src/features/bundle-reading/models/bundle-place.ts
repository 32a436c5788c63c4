import { hrefOf } from '../../../lib/browser/base-path.ts'

/**
 * Paths of the page start with a slash, and paths of folders also end with a slash, as in the explorer. Paths of the
 * API have no slash at either end.
 */
export const ROOT = '/'

/** Converts a page path to an API path. */
export const itemPathOf = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '')

/** Converts an API path to a page path. */
export const pagePathOf = ({ path, isDirectory }: { path: string; isDirectory: boolean }): string =>
  `/${path}${isDirectory ? '/' : ''}`

/** Search parameters of the page. */
export interface BundleSearch {
  /** The open folder; absent for the root. */
  readonly at?: string | undefined
  /** Path of the shown file below the folder. */
  readonly preview?: string | undefined
  /** Text of the search below the folder. */
  readonly find?: string | undefined
}

/** The router parses texts such as `2030` and `true` as numbers and booleans. */
const textOf = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined

/**
 * Reads the search parameters. Returns invalid parameters as `undefined`, because a missing property would leave them
 * in the URL.
 */
export function readBundleSearch(search: Record<string, unknown>): BundleSearch {
  return { at: textOf(search['at']), preview: textOf(search['preview']), find: textOf(search['find']) }
}

export const folderOf = ({ at }: BundleSearch): string =>
  at?.startsWith('/') ? `${at.replace(/\/+$/, '')}/` : ROOT

export const searchFor = (folder: string, preview?: string): BundleSearch => ({
  at: folder === ROOT ? undefined : folder,
  preview,
})

/**
 * State of the history for the page of an encrypted bundle. Its URL contains no paths, because a reload would send them
 * to the server.
 */
export interface PlaceState {
  readonly sealedPlace?: BundleSearch
}

export const placeState = (place: BundleSearch): PlaceState => ({ sealedPlace: place })

/** Another version of the page can have stored the state, so its fields are checked. */
export function readPlaceState(state: object): BundleSearch {
  const { sealedPlace } = state as { sealedPlace?: unknown }
  return typeof sealedPlace === 'object' && sealedPlace !== null
    ? readBundleSearch(sealedPlace as Record<string, unknown>)
    : {}
}

/** Matches every valid start of JSON. This check avoids a slow exception for each name in a list. */
const JSON_START = /^\s*(?:["[{\d-]|true|false|null)/

function isParsed(text: string): boolean {
  if (!JSON_START.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Builds a query in the router's notation, for URLs that are made without the router. */
export function queryOf(search: BundleSearch): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string') query.set(name, isParsed(value) ? JSON.stringify(value) : value)
  const text = query.toString()
  return text && `?${text}`
}

const parsed = (value: string): unknown => (isParsed(value) ? JSON.parse(value) : value)

/** Reads a query in the router's notation, for code that runs before the router. */
export const parseQuery = (text: string): BundleSearch =>
  readBundleSearch(
    Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, parsed(value)])),
  )

/** Returns the URL of the page, for links outside the router. */
export const pageUrl = (slug: string, search: BundleSearch): string =>
  hrefOf(`/s/${encodeURIComponent(slug)}${queryOf(search)}`)

/**
 * Returns the URL of the page of an encrypted bundle with its key. The URL contains no paths, because they would reveal
 * names of files to the server.
 */
export const keyedUrl = (slug: string, linkKey: string): string => `${pageUrl(slug, {})}#${linkKey}`
