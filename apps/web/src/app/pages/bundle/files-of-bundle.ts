import { fileUrl, type Opened } from '../../../features/bundle-reading/models/bundle-urls.ts'
import { itemPathOf, queryOf, searchFor } from '../../../features/bundle-reading/models/bundle-place.ts'
import { type RelativeFiles, resolvePath } from '../../../domains/markdown/render/relative-links.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { paths } from '../../../lib/paths.ts'

/** Resolves relative URLs in a text against a folder of the bundle. */
export function filesOfBundle(
  { slug, ticket }: Opened,
  { folder, open }: { folder: string; open: (path: string) => void },
): RelativeFiles {
  return {
    pageOf: (address) => {
      const path = resolvePath(folder, address)
      if (path === null) return null
      const end = path.lastIndexOf('/') + 1
      return hrefOf(paths.bundle(slug) + queryOf(searchFor(path.slice(0, end), path.slice(end) || undefined)))
    },
    open: (address) => {
      const path = resolvePath(folder, address)
      if (path !== null) open(path)
    },
    findBytes: (address) => {
      const path = resolvePath(folder, address)
      if (path === null || path.endsWith('/'))
        return Promise.reject(new ApiError({ kind: 'http', code: 'bundle.item_not_found', message: '' }))
      return Promise.resolve(fileUrl({ slug, ticket }, itemPathOf(path)))
    },
  }
}
