import { hrefOf } from '../../../lib/browser/base-path.ts'

/**
 * Paths in the page of an open bundle start with a slash, and those of folders end with one, as in the explorer. The API
 * has neither.
 */
export const ROOT = '/'

/** Path of the API. */
export const itemPathOf = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '')

/** Path of the page. */
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

/** Reads the search parameters. Ignores invalid ones, and returns them too, because an absent one would stay in the URL. */
export function readBundleSearch(search: Record<string, unknown>): BundleSearch {
  return { at: textOf(search['at']), preview: textOf(search['preview']), find: textOf(search['find']) }
}

export const folderOf = ({ at }: BundleSearch): string =>
  at?.startsWith('/') ? `${at.replace(/\/+$/, '')}/` : ROOT

export const searchFor = (folder: string, preview?: string): BundleSearch => ({
  at: folder === ROOT ? undefined : folder,
  preview,
})

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The query of a URL that no router makes, in the notation of the router. */
export function queryOf(search: BundleSearch): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string') query.set(name, isParsed(value) ? JSON.stringify(value) : value)
  const text = query.toString()
  return text && `?${text}`
}

/** URL of the page, for links outside of the router. */
export const pageUrl = (slug: string, search: BundleSearch): string =>
  hrefOf(`/s/${encodeURIComponent(slug)}${queryOf(search)}`)
