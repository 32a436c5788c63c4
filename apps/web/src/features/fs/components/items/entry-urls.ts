import { fsThumbnailRoutes } from '@dropleaf/contract'
import type { LinkProps } from '@tanstack/react-router'
import { createContext } from 'react'
import { routeUrl } from '../../../../domains/api/route-url.ts'
import { hrefOf } from '../../../../lib/browser/base-path.ts'
import { paths } from '../../../../lib/paths.ts'
import type { Entry } from '../../models/entries.ts'
import { splatOf } from '../../models/fs-paths.ts'

/** Where entries lead, and where their thumbnails are. Stable, because rows are rendered again when it changes. */
export interface EntryUrls {
  readonly hrefOf: (entry: Entry, parent: string) => string
  readonly thumbnailOf: (entry: Entry, edgePx: number) => string
  readonly folderLink: (path: string) => Pick<LinkProps, 'to' | 'params' | 'search'>
}

const ofExplorer: EntryUrls = {
  hrefOf: (entry, parent) =>
    hrefOf(entry.isFolder ? paths.explorer(entry.path) : paths.explorer(parent, entry.name)),
  thumbnailOf: ({ path, etag }, edgePx) =>
    routeUrl(fsThumbnailRoutes.thumbnail.path, { query: { path, size: edgePx, v: etag } }),
  folderLink: (path) => ({ to: '/mount-explorer/$', params: { _splat: splatOf(path) } }),
}

/** The explorer's own URLs, unless entries of something else are shown. */
export const EntryUrlsContext = createContext(ofExplorer)
