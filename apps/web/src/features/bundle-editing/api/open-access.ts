import type { BundleDetail } from '@dropleaf/contract'
import { fileUrl } from '../../../domains/bundles/bundle-urls.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { BundleAccess } from '../models/bundle-access.ts'
import { freeNumbers } from '../models/edited-items.ts'
import { dropObjects, openUploads, startObjects, whenStored } from './object-uploads.ts'
import { publishRevision, readOwnBundle, readOwnRevision, restoreRevision } from './own-bundles.queries.ts'

/** Reads and writes a bundle whose contents the server can read. */
export function openAccess(detail: BundleDetail): BundleAccess {
  const { id, slug, ticket, revision, manifest } = detail
  let used: readonly number[] = detail.object_numbers
  /** All uploads that this editor started, including uploads of items that were removed or replaced again. */
  let started: readonly string[] = []
  return {
    id,
    isSealed: false,
    revision,
    published: manifest,
    uploads: openUploads,
    start(files) {
      const numbers = freeNumbers(used, files.length)
      if (numbers === null) return null
      const objects = files.map(({ path, file }, index) => ({ number: numbers[index] ?? 0, path, file }))
      const keys = startObjects(id, objects)
      used = [...used, ...numbers]
      started = [...started, ...keys]
      return objects.map(({ number }, index) => ({ number, upload: keys[index] ?? '' }))
    },
    whenStored: (_, waiting) => whenStored(waiting),
    publish: (input, expected) => publishRevision(id, input, expected),
    async readNewest(signal) {
      const newest = await readOwnBundle(id, signal)
      return { revision: newest.revision, manifest: newest.manifest }
    },
    readRevision: async (number, signal) => (await readOwnRevision(id, number, signal)).manifest,
    restore: (number, expected) => restoreRevision(id, number, expected),
    async urlOf(item) {
      if (ticket === null) throw new ApiError({ kind: 'http', code: 'bundle.item_not_found', message: '' })
      return fileUrl({ slug, ticket }, item.path)
    },
    close: () => dropObjects(started),
  }
}
