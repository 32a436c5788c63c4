import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { defineErrors } from '../core/errors.ts'
import { fileErrors } from './file-errors.ts'
import { commitBody, committedFile, presigned, shareFields, shareWords } from './file-uploads.ts'
import { fsErrors, fsPath } from '../fs/fs.ts'
import { FILENAME_MAX_BYTES } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { shareErrors } from './opening-fields.ts'
import { optionalSlug } from './slugs.ts'
import { storageErrors } from '../storages/storage-configs.ts'
import { task } from '../administration/tasks.ts'
import { instant, optionalInt, optionalText, requiredText, whenPresent } from '../core/wire.ts'

export const urlErrors = defineErrors('url', {
  /** The URL is not an HTTP URL, or contains a password. */
  invalid: 400,
  /** The URL points to this machine or a private network. */
  refused: 403,
  unreachable: 400,
  timeout: 400,
  too_many_redirects: 400,
  /** The source returns an error. */
  bad_source: 400,
  /** The response of the source ended early or is damaged. */
  broken_off: 400,
  ticket_invalid: 403,
})

const URL_MAX_LENGTH = 8192
const address = requiredText(URL_MAX_LENGTH)
const PARTS_MAX = 10_000
const bytes = optionalInt({ min: 0, max: Number.MAX_SAFE_INTEGER })

const fetchErrors = [
  urlErrors.invalid,
  urlErrors.refused,
  urlErrors.unreachable,
  urlErrors.timeout,
  urlErrors.too_many_redirects,
  urlErrors.bad_source,
] as const
const reserveErrors = [
  storageErrors.not_found,
  authErrors.storage_forbidden,
  authErrors.path_forbidden,
  fileErrors.name_invalid,
  fileErrors.path_invalid,
  fileErrors.slug_taken,
  fileErrors.too_large,
  fileErrors.storage_full,
  shareErrors.must_be_sealed,
] as const

/** Metadata of the source, as determined by the caller. The server uses it only if it contains a name and a type. */
const metadata = z.optional(
  z.nullable(
    z.object({
      filename: z.optional(z.nullable(z.string())),
      contentType: z.optional(z.nullable(z.string())),
      size: z.optional(bytes),
    }),
  ),
)
const target = {
  url: address,
  s3_config_id: requiredText(200),
  filename: optionalText(FILENAME_MAX_BYTES),
  slug: optionalSlug,
  remark: shareFields.remark,
  path: shareFields.path,
  metadata,
}
const fileId = requiredText(200)

const sourceInfo = z.object({
  url: z.string(),
  filename: z.string(),
  contentType: z.string(),
  size: z.nullable(z.number()),
  lastModified: z.nullable(instant),
  method: z.enum(['ENHANCED', 'HEAD', 'GET']),
  corsSupported: z.boolean(),
  /** Whether the server found a file at the URL. A source that refuses the server might still respond to a browser. */
  answered: z.boolean(),
  detectionMethod: z.array(z.string()),
  detectionConfidence: z.number(),
  fileTypeLibraryUsed: z.boolean(),
  /** URL that serves the file through this server for a short time. */
  proxyUrl: z.string(),
})

const given = z.object({ data: z.object({ file_id: z.string(), status: z.string(), message: z.string() }) })

export const urlRoutes = {
  info: route({
    method: 'POST',
    path: '/api/url/info',
    access: 'file',
    summary: 'Name, type and size of the file at a URL. Unknown values are null.',
    body: z.object({ url: address }),
    reply: z.object({ data: sourceInfo }),
    errors: [urlErrors.invalid, urlErrors.refused],
  }),
  proxy: route({
    method: 'GET',
    path: '/api/url/proxy',
    access: 'signed',
    summary: 'The bytes of a URL that was queried shortly before, from the same network or with its ticket.',
    query: z.object({ url: address, ticket: z.optional(z.string()) }),
    replyType: '*/*',
    errors: [...fetchErrors, urlErrors.ticket_invalid],
  }),
  presign: route({
    method: 'POST',
    path: '/api/url/presign',
    access: 'file',
    summary: 'Reserve a share for a file that the client downloads from a URL and PUTs to the returned one.',
    body: z.object(target),
    reply: z.object({
      data: z.object({
        ...presigned.shape,
        filename: z.string(),
        size: z.nullable(z.number()),
        cors_supported: z.boolean(),
      }),
    }),
    errors: [...fetchErrors, ...reserveErrors],
  }),
  commit: route({
    method: 'POST',
    path: '/api/url/commit',
    access: 'file',
    summary: 'Turn an uploaded import into a share.',
    body: z.object({ ...commitBody.shape, slug: whenPresent(optionalSlug) }),
    reply: z.object({ data: committedFile }),
    errors: [
      fileErrors.not_found,
      authErrors.forbidden,
      fileErrors.upload_expired,
      fileErrors.not_uploaded,
      fileErrors.size_mismatch,
      fileErrors.slug_taken,
      fileErrors.too_large,
      fileErrors.storage_full,
      shareErrors.pin_needs_ask,
      shareErrors.must_be_sealed,
    ],
  }),
  cancel: route({
    method: 'POST',
    path: '/api/url/cancel',
    access: 'file',
    summary: 'Abort an upload and remove its bytes.',
    body: z.object({ file_id: fileId }),
    reply: given,
    errors: [fileErrors.not_found, authErrors.forbidden],
  }),
  multipartInit: route({
    method: 'POST',
    path: '/api/url/multipart/init',
    access: 'file',
    summary: 'Reserve a share whose bytes the client downloads and PUTs in parts.',
    body: z.object({
      ...target,
      ...shareWords,
      part_size: optionalInt({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      total_size: bytes,
      part_count: optionalInt({ min: 1, max: PARTS_MAX }),
    }),
    reply: z.object({
      data: z.object({
        file_id: z.string(),
        upload_id: z.string(),
        storage_path: z.string(),
        s3_url: z.string(),
        slug: z.string(),
        presigned_urls: z.array(z.object({ partNumber: z.number(), url: z.string() })),
        part_size: z.number(),
        total_size: z.number(),
        part_count: z.number(),
        provider_type: z.string(),
        filename: z.string(),
        content_type: z.string(),
        cors_supported: z.boolean(),
        has_password: z.boolean(),
        expires_at: z.nullable(instant),
        max_views: z.nullable(z.number()),
        url: z.string(),
      }),
    }),
    errors: [...fetchErrors, ...reserveErrors, shareErrors.pin_needs_ask],
  }),
  multipartComplete: route({
    method: 'POST',
    path: '/api/url/multipart/complete',
    access: 'file',
    summary: 'Join the parts into a share.',
    body: z.object({
      file_id: fileId,
      upload_id: requiredText(1024),
      parts: z
        .array(
          z.object({
            partNumber: z.int().check(z.minimum(1), z.maximum(PARTS_MAX)),
            etag: requiredText(200),
          }),
        )
        .check(z.minLength(1), z.maxLength(PARTS_MAX)),
    }),
    reply: z.object({
      data: z.object({ ...committedFile.shape, status: z.literal('completed'), message: z.string() }),
    }),
    errors: [
      fileErrors.not_found,
      authErrors.forbidden,
      fileErrors.parts_invalid,
      fileErrors.slug_taken,
      fileErrors.too_large,
      fileErrors.storage_full,
      shareErrors.must_be_sealed,
    ],
  }),
  multipartAbort: route({
    method: 'POST',
    path: '/api/url/multipart/abort',
    access: 'file',
    summary: 'Abort an upload in parts and remove its parts.',
    body: z.object({ file_id: fileId, upload_id: requiredText(1024) }),
    reply: given,
    errors: [fileErrors.not_found, authErrors.forbidden],
  }),
  import: route({
    method: 'POST',
    path: '/api/url/import',
    access: 'identity',
    summary: 'Let the server download a URL, into a share or into a folder of a mount. Returns the task.',
    body: z.object({
      url: address,
      filename: optionalText(FILENAME_MAX_BYTES),
      /**
       * Folder of a mount for the file, which requires the mount permission. Without a folder, the import creates a
       * share.
       */
      target_path: z.optional(z.nullable(fsPath)),
      s3_config_id: optionalText(200),
      slug: optionalSlug,
      ...shareFields,
    }),
    status: 201,
    reply: z.object({ data: z.object({ task }) }),
    errors: [
      urlErrors.invalid,
      authErrors.forbidden,
      authErrors.path_forbidden,
      authErrors.storage_forbidden,
      storageErrors.not_found,
      storageErrors.none,
      storageErrors.default_closed,
      fsErrors.no_mount,
      fsErrors.read_only,
      fileErrors.slug_taken,
      shareErrors.pin_needs_ask,
      shareErrors.must_be_sealed,
    ],
  }),
}
