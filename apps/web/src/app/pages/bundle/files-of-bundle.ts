import { fileUrl } from '../../../domains/bundles/bundle-urls.ts'
import {
  itemPathOf,
  keyedUrl,
  pageUrl,
  searchFor,
} from '../../../features/bundle-reading/models/bundle-place.ts'
import type { EarlyBundle } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { type RelativeFiles, resolvePath } from '../../../domains/markdown/render/relative-links.ts'

/** Resolves relative URLs in a text against a folder of the bundle. */
export function filesOfBundle(
  { slug, ticket, decrypted }: Pick<EarlyBundle, 'slug' | 'ticket' | 'decrypted'>,
  { folder, open }: { folder: string; open: (path: string) => void },
): RelativeFiles {
  return {
    pageOf: (address) => {
      const path = resolvePath(folder, address)
      if (path === null) return null
      if (decrypted) return keyedUrl(slug, decrypted.linkKey)
      const end = path.lastIndexOf('/') + 1
      return pageUrl(slug, searchFor(path.slice(0, end), path.slice(end) || undefined))
    },
    open: (address) => {
      const path = resolvePath(folder, address)
      if (path !== null) open(path)
    },
    findBytes: (address) => {
      const path = resolvePath(folder, address)
      if (path === null || path.endsWith('/'))
        return Promise.reject(new Error('The address is no file of the bundle.'))
      if (decrypted) return decrypted.urlOf(itemPathOf(path))
      return Promise.resolve(fileUrl({ slug, ticket }, itemPathOf(path)))
    },
  }
}
