import type { ListOrder, ListSort, OpenBundle } from '@dropleaf/contract'
import { backend } from '../../lib/server-address.ts'

/**
 * URLs of an open bundle. This module imports only types of the contract, because the early page uses it. Paths are in
 * the notation of the API.
 */

/** The credentials for an open bundle. */
export type Opened = Pick<OpenBundle, 'slug' | 'ticket'>

const urlOf = ({ slug, ticket }: Opened, name: string, query: Readonly<Record<string, string>> = {}) =>
  `${backend}/api/bundles/${encodeURIComponent(slug)}/${name}?${new URLSearchParams({ ticket, ...query })}`

/** URL of the bytes of a file. */
export const fileUrl = (opened: Opened, path: string): string => urlOf(opened, 'file', { path })

export const downloadUrl = (opened: Opened, path: string): string =>
  urlOf(opened, 'file', { path, download: '1' })

export const thumbnailUrl = (opened: Opened, path: string, edgePx: number): string =>
  urlOf(opened, 'thumbnail', { path, size: String(edgePx) })

/**
 * Number of entries on the first page of a live folder. It is small, so that the first page loads quickly. The next
 * pages load before the reader scrolls to them.
 */
export const FIRST_PAGE = 200

interface FirstPage {
  readonly path: string
  readonly sort: ListSort
  readonly order: ListOrder
}

/** Returns the URL of the first page of a live folder. */
export const firstPageUrl = (opened: Opened, { path, sort, order }: FirstPage): string =>
  urlOf(opened, 'list', { path, limit: String(FIRST_PAGE), sort, order })

/** Returns the URL that reads the opened bundle again. */
export const openedUrl = (opened: Opened): string => urlOf(opened, 'opened')

/** Returns the URL of the facts that a page needs before it opens a bundle. */
export const lookUrl = (slug: string): string => `${backend}/api/bundles/${encodeURIComponent(slug)}`

export const openUrl = (slug: string): string => `${backend}/api/bundles/${encodeURIComponent(slug)}/open`
