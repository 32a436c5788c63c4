import * as z from 'zod/mini'
import { fileErrors } from './files.ts'
import { fsWriteErrors } from './fs-files.ts'
import { fsPath } from './fs.ts'
import { route } from './route.ts'
import { optionalBoolean, optionalInt } from './wire.ts'

const bytes = optionalInt({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** Fields of the upload form beside its `file`. They come before it. */
export const fsUploadFields = z.object({
  /** The directory, or the whole path where it ends in the file’s name. */
  path: fsPath,
  /** Begins a multipart upload for the file instead of storing its bytes. */
  use_multipart: optionalBoolean,
  fileSize: bytes,
  partSize: bytes,
})

/** A file that is stored in a mount. It is no share: `slug` is null. */
const storedFile = z.object({
  success: z.literal(true),
  fileId: z.string(),
  fileName: z.string(),
  size: z.number(),
  contentType: z.string(),
  s3Path: z.string(),
  s3Url: z.string(),
  etag: z.string(),
  slug: z.null(),
  sha256: z.optional(z.string()),
  path: z.string(),
  message: z.string(),
})

export const fsUploadRoutes = {
  form: route({
    method: 'POST',
    path: '/api/fs/upload',
    access: 'mount',
    summary: 'Store a file in a mount: form fields "path", then "file".',
    bodyType: 'multipart/form-data',
    reply: z.object({ data: storedFile }),
    status: 201,
    errors: [...fsWriteErrors, fileErrors.empty_upload],
  }),
  put: route({
    method: 'PUT',
    path: '/api/fs/upload',
    access: 'mount',
    summary: 'Store the raw body as the file at a path.',
    query: z.object({ path: fsPath }),
    bodyType: '*',
    reply: z.object({ data: storedFile }),
    status: 201,
    errors: fsWriteErrors,
  }),
}
