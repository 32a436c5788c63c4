import * as z from 'zod/mini'
import { fileErrors } from '../shares/file-errors.ts'
import { fsWriteErrors } from './fs-files.ts'
import { fsErrors, fsPath, pathErrors } from './fs.ts'
import { PAGE_SIZE_MAX } from '../core/limits.ts'
import { route } from '../core/route.ts'
import {
  instant,
  offsetPage,
  optionalBoolean,
  optionalInt,
  optionalText,
  requiredText,
  wireInt,
} from '../core/wire.ts'

const bytes = optionalInt({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** Form fields before the field `file`. */
export const fsUploadFields = z.object({
  /** Path of the folder, or the full path of the file if it ends in the file's name. */
  path: fsPath,
  /** Whether to start a multipart upload instead of storing the file. */
  use_multipart: optionalBoolean,
  fileSize: bytes,
  partSize: bytes,
})

/** A file stored in a mount. It is not shared, so `slug` is null. */
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

/** Signed URLs of parts. Each URL accepts a PUT of one part. The PUT can be repeated. */
const presignedUrls = z.array(z.object({ partNumber: z.number(), url: z.string() }))

const multipartUpload = z.object({
  uploadId: z.string(),
  fileId: z.string(),
  bucket: z.string(),
  key: z.string(),
  partSize: z.number(),
  partCount: z.number(),
  presignedUrls,
  mount_id: z.string(),
  path: z.string(),
  storage_type: z.string(),
})

const fileName = z.string().check(z.minLength(1), z.maxLength(1000))
const uploadId = requiredText(200)
const PARTS_MAX = 10_000
const partNumber = wireInt({ min: 1, max: PARTS_MAX })
const optionalPath = z.optional(z.nullable(fsPath))

const presignBody = z.object({
  /** Path of the folder. */
  path: fsPath,
  fileName,
  /** Ignored, because the server derives the type from the name. */
  contentType: z.optional(z.unknown()),
  fileSize: bytes,
})
/**
 * The reply of the presign call, sent back by the client. `fileId` identifies the upload. If present, `s3Path`,
 * `s3ConfigId`, `mountId` and `targetPath` must match the upload, and `fileSize` the size of the uploaded file. The
 * other fields are ignored.
 */
const presignCommitBody = z.object({
  fileId: uploadId,
  s3Path: optionalPath,
  s3ConfigId: optionalText(200),
  mountId: optionalText(200),
  targetPath: optionalPath,
  fileSize: bytes,
  s3Url: z.optional(z.unknown()),
  etag: z.optional(z.unknown()),
  contentType: z.optional(z.unknown()),
})

const initBody = z.object({
  /** Path of the folder. */
  path: fsPath,
  fileName,
  fileSize: wireInt({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  /** Preferred part size. Ignored unless it is 5 MiB to 5 GiB and gives at most 10,000 parts. */
  partSize: bytes,
  /** Ignored, because the server computes the number of parts from the sizes. */
  partCount: z.optional(z.unknown()),
})
const partQuery = z.object({
  path: optionalPath,
  uploadId,
  partNumber,
  /** Ignored, because the server recognises the last part by its number. */
  isLastPart: z.optional(z.unknown()),
})
const completeBody = z.object({
  path: optionalPath,
  uploadId,
  fileName: z.optional(z.nullable(fileName)),
  fileSize: bytes,
  /** Parts in any order, with or without quotes around etags. If absent or empty, all parts in the storage are used. */
  parts: z.optional(
    z.nullable(
      z
        .array(z.object({ partNumber, etag: z.string().check(z.maxLength(200)) }))
        .check(z.maxLength(PARTS_MAX)),
    ),
  ),
})
const uploadItem = z.object({
  uploadId: z.string(),
  path: z.string(),
  fileName: z.string(),
  fileSize: z.nullable(z.number()),
  partSize: z.nullable(z.number()),
  partCount: z.nullable(z.number()),
  mount_id: z.string(),
  createdAt: instant,
  expiresAt: instant,
})

const sessionErrors = [
  ...pathErrors,
  fsErrors.read_only,
  fsErrors.upload_not_found,
  fsErrors.upload_mismatch,
] as const
const partErrors = [...sessionErrors, fsErrors.part_number_invalid, fsErrors.part_size_wrong] as const
const partReply = z.object({ data: z.object({ partNumber: z.number(), etag: z.string() }) })

export const fsUploadRoutes = {
  form: route({
    method: 'POST',
    path: '/api/fs/upload',
    access: 'mount',
    summary:
      'Store a file in a mount: form fields "path", then "file". Supports If-Match, If-None-Match and If-Unmodified-Since, except with "use_multipart".',
    bodyType: 'multipart/form-data',
    reply: z.object({ data: z.union([storedFile, multipartUpload]) }),
    errors: [...fsWriteErrors, fileErrors.empty_upload],
  }),
  put: route({
    method: 'PUT',
    path: '/api/fs/upload',
    access: 'mount',
    summary:
      'Store the raw body as the file at a path. Supports If-Match, If-None-Match and If-Unmodified-Since: 412 if another version is there.',
    query: z.object({ path: fsPath }),
    bodyType: '*',
    reply: z.object({ data: storedFile }),
    errors: fsWriteErrors,
  }),
  presign: route({
    method: 'POST',
    path: '/api/fs/presign',
    access: 'mount',
    summary: 'Start an upload by one PUT to a signed URL. It is invisible before its commit.',
    body: presignBody,
    reply: z.object({
      data: z.object({
        presignedUrl: z.string(),
        fileId: z.string(),
        s3Path: z.string(),
        s3Url: z.string(),
        mountId: z.string(),
        s3ConfigId: z.string(),
        targetPath: z.string(),
        contentType: z.string(),
      }),
    }),
    errors: fsWriteErrors,
  }),
  commit: route({
    method: 'POST',
    path: '/api/fs/presign/commit',
    access: 'mount',
    summary: 'Turn the upload to a signed URL into the file. A repeated call returns the same.',
    body: presignCommitBody,
    reply: z.object({
      data: z.object({
        fileId: z.string(),
        fileName: z.string(),
        targetPath: z.string(),
        fileSize: z.number(),
        contentType: z.string(),
      }),
    }),
    errors: [
      ...sessionErrors,
      fileErrors.not_uploaded,
      fileErrors.size_mismatch,
      fileErrors.too_large,
      fileErrors.storage_full,
    ],
  }),
  multipartInit: route({
    method: 'POST',
    path: '/api/fs/multipart/init',
    access: 'mount',
    summary:
      'Start an upload in parts, with a URL for each. It can be resumed after a restart of either side.',
    body: initBody,
    reply: z.object({ data: multipartUpload }),
    errors: fsWriteErrors,
  }),
  multipartPart: route({
    method: 'POST',
    path: '/api/fs/multipart/part',
    access: 'mount',
    summary: 'Send one part through the server: the raw body.',
    query: partQuery,
    bodyType: '*',
    reply: partReply,
    errors: partErrors,
  }),
  multipartPutPart: route({
    method: 'PUT',
    path: '/api/fs/multipart/part',
    access: 'mount',
    summary: 'Send one part through the server with PUT.',
    query: partQuery,
    bodyType: '*',
    reply: partReply,
    errors: partErrors,
  }),
  multipartParts: route({
    method: 'GET',
    path: '/api/fs/multipart/parts',
    access: 'mount',
    summary: 'The parts that have arrived, and new URLs for the others.',
    query: z.object({ path: optionalPath, uploadId, fileName: z.optional(z.nullable(fileName)) }),
    reply: z.object({
      data: z.object({
        parts: z.array(z.object({ partNumber: z.number(), size: z.number(), etag: z.string() })),
        partSize: z.number(),
        partCount: z.number(),
        fileSize: z.number(),
        presignedUrls,
        isCompleted: z.boolean(),
        expiresAt: instant,
      }),
    }),
    errors: sessionErrors,
  }),
  multipartUploads: route({
    method: 'GET',
    path: '/api/fs/multipart/uploads',
    access: 'mount',
    summary: 'The caller’s own uploads in parts that can be resumed, newest first.',
    query: z.object(offsetPage(PAGE_SIZE_MAX, PAGE_SIZE_MAX)),
    reply: z.object({ data: z.object({ uploads: z.array(uploadItem) }) }),
    errors: [],
  }),
  multipartComplete: route({
    method: 'POST',
    path: '/api/fs/multipart/complete',
    access: 'mount',
    summary: 'Join the parts into the file. A repeated call returns the same.',
    body: completeBody,
    reply: z.object({ data: z.extend(storedFile, { location: z.string() }) }),
    errors: [
      ...sessionErrors,
      fsErrors.parts_missing,
      fsErrors.part_size_wrong,
      fileErrors.too_large,
      fileErrors.storage_full,
    ],
  }),
  multipartAbort: route({
    method: 'POST',
    path: '/api/fs/multipart/abort',
    access: 'mount',
    summary:
      'Abort an upload, and drop the arrived bytes. For one PUT to a signed URL the id is its `fileId`.',
    body: z.object({ path: optionalPath, uploadId, fileName: z.optional(z.nullable(fileName)) }),
    reply: z.object({ data: z.object({ success: z.literal(true), message: z.string() }) }),
    errors: sessionErrors,
  }),
}
