import { fsThumbnailRoutes } from '@dropleaf/contract'
import type { LinkProps } from '@tanstack/react-router'
import { createContext } from 'react'
import { routeUrl } from '../../../../domains/api/route-url.ts'
import { hrefOf } from '../../../../lib/browser/base-path.ts'
import { paths } from '../../../../lib/paths.ts'
import type { Entry } from '../../models/entries.ts'
import type { ThumbnailPlace } from '../../thumbnails.ts'
import { splatOf } from '../../models/fs-paths.ts'

/** URLs of entries and of their thumbnails. The object must be stable, because a new object renders all rows again. */
export interface EntryUrls {
  readonly hrefOf: (entry: Entry, parent: string) => string
  readonly thumbnailOf: (entry: Entry, edgePx: number) => ThumbnailPlace | null
  readonly folderLink: (path: string) => Pick<LinkProps, 'to' | 'params' | 'search' | 'hash' | 'state'>
}

const ofExplorer: EntryUrls = {
  hrefOf: (entry, parent) =>
    hrefOf(entry.isFolder ? paths.explorer(entry.path) : paths.explorer(parent, entry.name)),
  thumbnailOf: ({ path, etag }, edgePx) =>
    routeUrl(fsThumbnailRoutes.thumbnail.path, { query: { path, size: edgePx, v: etag } }),
  folderLink: (path) => ({ to: '/mount-explorer/$', params: { _splat: splatOf(path) } }),
}

/** The explorer's URLs by default. Other lists of entries supply different URLs. */
export const EntryUrlsContext = createContext(ofExplorer)
