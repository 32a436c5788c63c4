import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { requestErrors } from '../core/errors.ts'
import { fileErrors, uploadErrors } from './file-errors.ts'
import {
  commitBody,
  committedFile,
  filename,
  presignBody,
  presigned,
  shareWords,
  uploadOptions,
} from './file-uploads.ts'
import {
  FILES_PAGE_SIZE,
  PAGE_SIZE_MAX,
  PASSWORD_MAX_LENGTH,
  REMARK_MAX_LENGTH,
  SHOWN_PASSWORD_MAX_LENGTH,
} from '../core/limits.ts'
import { openingOwnerFields, openingWords, shareErrors } from './opening-fields.ts'
import { route } from '../core/route.ts'
import {
  batchDeleteBody,
  creatorFilter,
  fileOrder,
  matchingDeletion,
  offsetPagination,
  shareFilter,
} from './share-lists.ts'
import { optionalSlug } from './slugs.ts'
import {
  bit,
  idParams,
  instant,
  offsetPage,
  optionalInstant,
  optionalText,
  requiredText,
  slugParams,
  whenPresent,
  wireBoolean,
} from '../core/wire.ts'

const configId = optionalText(200)

const links = {
  previewUrl: z.optional(z.string()),
  downloadUrl: z.optional(z.string()),
  s3_direct_preview_url: z.optional(z.string()),
  s3_direct_download_url: z.optional(z.string()),
  proxy_preview_url: z.optional(z.string()),
  proxy_download_url: z.optional(z.string()),
}

const publicFields = {
  id: z.string(),
  slug: z.string(),
  filename: z.string(),
  mimetype: z.string(),
  size: z.number(),
  sha256: z.nullable(z.string()),
  remark: z.nullable(z.string()),
  created_at: instant,
  requires_password: z.boolean(),
  views: z.number(),
  max_views: z.nullable(z.number()),
  expires_at: z.nullable(instant),
  ...links,
  use_proxy: bit,
  created_by: z.nullable(z.string()),
}
export const publicFile = z.object(publicFields)

const uploadedFile = z.object({
  ...publicFields,
  remark: z.string(),
  created_by: z.string(),
  used_original_filename: z.boolean(),
  /** URL of the share page. */
  url: z.string(),
})
export type PublicFile = z.infer<typeof publicFile>

const fileRow = {
  id: z.string(),
  filename: z.string(),
  slug: z.string(),
  storage_path: z.string(),
  s3_url: z.string(),
  mimetype: z.string(),
  size: z.number(),
  remark: z.nullable(z.string()),
  created_at: instant,
  views: z.number(),
  max_views: z.nullable(z.number()),
  expires_at: z.nullable(instant),
  etag: z.nullable(z.string()),
  sha256: z.nullable(z.string()),
  created_by: z.nullable(z.string()),
  use_proxy: bit,
  s3_config_id: z.string(),
  s3_config_name: z.nullable(z.string()),
  s3_provider_type: z.nullable(z.string()),
  plain_password: z.nullable(z.string()),
  key_name: z.optional(z.string()),
  /** Whether the share refers to a file in a mount, which is not deleted with the share. */
  is_linked: z.boolean(),
  ...openingOwnerFields,
}
const fileListItem = z.object({ ...fileRow, has_password: z.boolean() })
const fileDetail = z.object({
  ...fileRow,
  has_password: bit,
  updated_at: instant,
  urls: z.object({
    previewUrl: z.string(),
    downloadUrl: z.string(),
    proxyPreviewUrl: z.string(),
    proxyDownloadUrl: z.string(),
    use_proxy: bit,
  }),
})
export type FileListItem = z.infer<typeof fileListItem>
export type FileDetail = z.infer<typeof fileDetail>

const updateFileBody = z.object({
  remark: whenPresent(optionalText(REMARK_MAX_LENGTH)),
  /** If absent, the slug is unchanged. If `null` or blank, the share gets a new random slug. */
  slug: whenPresent(optionalSlug),
  expires_at: whenPresent(optionalInstant),
  use_proxy: z.optional(wireBoolean),
  /** Changing the limit resets the view count. */
  max_views: whenPresent(shareWords.max_views),
  /** `null` or blank removes the password. */
  password: z.optional(z.nullable(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH)))),
  opening: whenPresent(openingWords.opening),
  /** `null` or blank removes the PIN. */
  pin: whenPresent(openingWords.pin),
})

/**
 * `password` opens a protected share. URLs that this server returns contain `ticket` instead of the password. The
 * ticket expires after a short time.
 */
const bytesQuery = z.object({
  password: z.optional(z.string().check(z.maxLength(SHOWN_PASSWORD_MAX_LENGTH))),
  ticket: z.optional(z.string().check(z.maxLength(500))),
})

const readErrors = [
  fileErrors.not_found,
  fileErrors.expired,
  fileErrors.used_up,
  shareErrors.ask_first,
] as const
const byteErrors = [
  ...readErrors,
  fileErrors.password_missing,
  fileErrors.link_password_wrong,
  fileErrors.link_invalid,
  requestErrors.rate_limited,
] as const
const filePage = z.object({ files: z.array(fileListItem), pagination: offsetPagination })
const listQuery = { ...offsetPage(FILES_PAGE_SIZE, PAGE_SIZE_MAX), ...shareFilter, ...fileOrder }

const readOne = {
  method: 'GET',
  params: idParams,
  reply: z.object({ data: fileDetail }),
  errors: [fileErrors.not_found],
} as const
const update = {
  method: 'PUT',
  params: idParams,
  body: updateFileBody,
  reply: z.object({}),
  errors: [fileErrors.not_found, fileErrors.slug_taken, shareErrors.pin_needs_ask],
} as const
const batchDelete = {
  method: 'DELETE',
  body: batchDeleteBody,
  reply: z.object({
    data: z.object({ success: z.number(), failed: z.array(z.object({ id: z.string(), error: z.string() })) }),
  }),
  errors: [],
} as const
const clearExpired = { method: 'POST', reply: matchingDeletion, errors: [] } as const

export const fileRoutes = {
  presign: route({
    method: 'POST',
    path: '/api/s3/presign',
    access: 'file',
    summary: 'Reserve a share and get a signed URL to PUT its bytes to.',
    body: presignBody,
    reply: z.object({ data: presigned }),
    errors: uploadErrors,
  }),
  commit: route({
    method: 'POST',
    path: '/api/s3/commit',
    access: 'file',
    summary: 'Turn an upload into a share. Size and ETag are read from the storage, not from the caller.',
    body: commitBody,
    reply: z.object({ data: committedFile }),
    errors: [
      ...uploadErrors,
      fileErrors.not_found,
      fileErrors.not_uploaded,
      fileErrors.upload_expired,
      fileErrors.size_mismatch,
      authErrors.forbidden,
    ],
  }),
  uploadForm: route({
    method: 'POST',
    path: '/api/upload',
    access: 'file',
    summary: 'Share a file in one form: field "file", and the share options as fields or query.',
    query: uploadOptions,
    bodyType: 'multipart/form-data',
    reply: z.object({ data: uploadedFile }),
    status: 201,
    errors: [...uploadErrors, fileErrors.empty_upload],
  }),
  uploadDirect: route({
    method: 'PUT',
    path: '/api/upload-direct/:filename',
    access: 'file',
    summary: 'Share the raw body as a file. A key may also come in X-Custom-Auth-Key.',
    params: z.object({ filename }),
    query: uploadOptions,
    bodyType: '*',
    reply: z.object({ data: uploadedFile }),
    errors: uploadErrors,
  }),
  adminList: route({
    method: 'GET',
    path: '/api/admin/files',
    access: 'admin',
    summary: 'All shared files, newest first unless told otherwise.',
    query: z.object({ ...listQuery, ...creatorFilter, s3_config_id: configId }),
    reply: z.object({ data: filePage }),
    errors: [],
  }),
  adminRead: route({
    ...readOne,
    path: '/api/admin/files/:id',
    access: 'admin',
    summary: 'One shared file with its links.',
  }),
  adminUpdate: route({
    ...update,
    path: '/api/admin/files/:id',
    access: 'admin',
    summary: 'Change a shared file; absent fields keep their value.',
  }),
  adminBatchDelete: route({
    ...batchDelete,
    path: '/api/admin/files/batch-delete',
    access: 'admin',
    summary: 'Delete many shares and their bytes; failures are listed one by one.',
  }),
  adminDeleteMatching: route({
    method: 'POST',
    path: '/api/admin/files/delete-matching',
    access: 'admin',
    summary: 'Delete every shared file that matches, and its bytes, as a task.',
    body: z.object({ ...creatorFilter, ...shareFilter, s3_config_id: configId }),
    reply: matchingDeletion,
    errors: [],
  }),
  adminClearExpired: route({
    ...clearExpired,
    path: '/api/admin/files/clear-expired',
    access: 'admin',
    summary: 'Delete every expired or used-up file, and its bytes, as a task.',
  }),
  userList: route({
    method: 'GET',
    path: '/api/user/files',
    access: 'file',
    summary: 'The caller’s own files, newest first unless told otherwise.',
    query: z.object(listQuery),
    reply: z.object({
      data: filePage,
      key_info: z.nullable(z.object({ id: z.string(), name: z.string(), basicPath: z.string() })),
    }),
    errors: [],
  }),
  userRead: route({
    ...readOne,
    path: '/api/user/files/:id',
    access: 'file',
    summary: 'One of the caller’s own files with its links.',
  }),
  userUpdate: route({
    ...update,
    path: '/api/user/files/:id',
    access: 'file',
    summary: 'Change one of the caller’s own files; absent fields keep their value.',
  }),
  userBatchDelete: route({
    ...batchDelete,
    path: '/api/user/files/batch-delete',
    access: 'file',
    summary: 'Delete many of the caller’s own files.',
  }),
  userDeleteMatching: route({
    method: 'POST',
    path: '/api/user/files/delete-matching',
    access: 'file',
    summary: 'Delete every shared file of the caller that matches, and its bytes, as a task.',
    body: z.object({ ...shareFilter }),
    reply: matchingDeletion,
    errors: [],
  }),
  userClearExpired: route({
    ...clearExpired,
    path: '/api/user/files/clear-expired',
    access: 'file',
    summary: 'Delete every expired or used-up file of the caller, and its bytes, as a task.',
  }),
  publicRead: route({
    method: 'GET',
    path: '/api/public/files/:slug',
    access: 'share',
    summary: 'A shared file by slug; counts one view unless it is protected.',
    params: slugParams,
    reply: z.object({ data: publicFile }),
    errors: readErrors,
  }),
  publicVerify: route({
    method: 'POST',
    path: '/api/public/files/:slug/verify',
    access: 'share',
    summary: 'Open a protected file with its password; counts one view.',
    params: slugParams,
    body: z.object({ password: requiredText(SHOWN_PASSWORD_MAX_LENGTH) }),
    reply: z.object({ data: publicFile }),
    errors: [...readErrors, fileErrors.password_wrong, fileErrors.no_password, requestErrors.rate_limited],
  }),
  view: route({
    method: 'GET',
    path: '/api/file-view/:slug',
    access: 'share',
    summary:
      'The bytes, for display in the browser. Office files redirect to the online viewer. Supports Range and If-None-Match.',
    params: slugParams,
    query: bytesQuery,
    replyType: '*/*',
    errors: byteErrors,
  }),
  download: route({
    method: 'GET',
    path: '/api/file-download/:slug',
    access: 'share',
    summary: 'The bytes, as a download. Supports Range and If-None-Match.',
    params: slugParams,
    query: bytesQuery,
    replyType: '*/*',
    errors: byteErrors,
  }),
  officePreview: route({
    method: 'GET',
    path: '/api/office-preview/:slug',
    access: 'share',
    summary: 'A short-lived URL of an Office file for an online viewer.',
    params: slugParams,
    query: bytesQuery,
    reply: z.object({
      url: z.string(),
      filename: z.string(),
      mimetype: z.string(),
      expires_in: z.number(),
      is_temporary: z.literal(true),
    }),
    isBare: true,
    errors: [...byteErrors, fileErrors.not_office],
  }),
}
