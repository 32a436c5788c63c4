import * as z from 'zod/mini'
import { requestErrors } from '../core/errors.ts'
import { fsErrors, namedPath, pathErrors } from './fs.ts'
import { route } from '../core/route.ts'
import { storageFailures } from '../storages/storage-configs.ts'
import { defaultInt } from '../core/wire.ts'

/**
 * Available thumbnail sizes: longest edges in pixels. A requested size is rounded up to an available size. A size above
 * the largest becomes the largest.
 */
export const THUMBNAIL_EDGES_PX = [160, 320, 640, 1280] as const

const DEFAULT_EDGE_PX = 320
const EDGE_MAX_PX = 4096
const ETAG_MAX_LENGTH = 200

export const fsThumbnailRoutes = {
  thumbnail: route({
    method: 'GET',
    path: '/api/fs/thumbnail',
    access: 'mount',
    summary: 'A small WebP picture of a JPEG, PNG, WebP, GIF, AVIF or TIFF file; 204 for files without one.',
    query: z.object({
      path: namedPath,
      /** Longest width or height in pixels. */
      size: defaultInt({ min: 1, max: EDGE_MAX_PX }, DEFAULT_EDGE_PX),
      /** Etag of the file from the listing. If it is still the file's etag, the reply can be cached forever. */
      v: z.optional(z.string().check(z.maxLength(ETAG_MAX_LENGTH))),
    }),
    replyType: 'image/webp',
    errors: [
      ...pathErrors,
      fsErrors.not_found,
      fsErrors.not_a_file,
      requestErrors.unavailable,
      ...storageFailures,
    ],
  }),
}
