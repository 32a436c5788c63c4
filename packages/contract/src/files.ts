import * as z from 'zod/mini'
import { authErrors } from './auth.ts'
import { defineErrors, requestErrors } from './errors.ts'
import {
  EXPIRES_IN_MAX_HOURS,
  FILES_PAGE_SIZE,
  FILENAME_MAX_BYTES,
  FOLDER_MAX_LENGTH,
  MAX_VIEWS_LIMIT,
  PAGE_SIZE_MAX,
  PASSWORD_MAX_LENGTH,
  REMARK_MAX_LENGTH,
  SHOWN_PASSWORD_MAX_LENGTH,
} from './limits.ts'
import { route } from './route.ts'
import {
  batchDeleteBody,
  creatorFilter,
  fileOrder,
  matchingDeletion,
  offsetPagination,
  shareFilter,
} from './share-lists.ts'
import { optionalSlug } from './slugs.ts'
import { storageErrors } from './storage-configs.ts'
import {
  bit,
  idParams,
  instant,
  offsetPage,
  optionalInstant,
  optionalInt,
  optionalSecret,
  optionalText,
  requiredText,
  slugParams,
  whenPresent,
  wireBoolean,
} from './wire.ts'
import { rules } from './rules.ts'

export const fileErrors = defineErrors('file', {
  not_found: 404,
  expired: 410,
  used_up: 410,
  slug_taken: 409,
  /** The file is shared already; `details` has the suffix for callers who may manage the share. */
  already_shared: 409,
  /** An object of that name exists. */
  path_taken: 409,
  path_invalid: 400,
  name_invalid: 400,
  /** Larger than `max_upload_size`. */
  too_large: 413,
  /** The capacity of the storage config is used up. */
  storage_full: 400,
  empty_upload: 400,
  /** Commit was called before the bytes arrived. */
  not_uploaded: 409,
  /** The named parts are not the uploaded ones. */
  parts_invalid: 400,
  upload_expired: 410,
  /** The size in the storage differs from the announced size. */
  size_mismatch: 400,
  /** The body ended or failed before all bytes had arrived. */
  incomplete: 400,
  password_missing: 401,
  password_wrong: 401,
  /** A wrong password at the direct links, with the status that older clients expect. */
  link_password_wrong: 403,
  no_password: 400,
  not_office: 400,
  link_invalid: 403,
})

export const filename = z.string().check(
  z.minLength(1),
  z.refine((text) => new TextEncoder().encode(text).length <= FILENAME_MAX_BYTES, rules.filenameTooLong),
  z.refine((text) => !text.includes('\u0000'), rules.noNul),
)
const bytes = optionalInt({ min: 0, max: Number.MAX_SAFE_INTEGER })
const maxViews = optionalInt({ min: 0, max: MAX_VIEWS_LIMIT })
/** Hours; 0 and absent mean never. */
const expiresIn = optionalInt({ min: -1, max: EXPIRES_IN_MAX_HOURS })
const configId = optionalText(200)
const override = z.optional(z.nullable(z.union([z.string(), z.boolean()])))

const presignBody = z.object({
  s3_config_id: requiredText(200),
  filename,
  size: bytes,
  path: optionalText(FOLDER_MAX_LENGTH),
  slug: optionalSlug,
  /** `"true"` replaces the caller's own file with this slug, once the new one is committed. */
  override,
  /** Ignored; the type is derived from the name. */
  mimetype: z.optional(z.unknown()),
})

/** Fields of a share that the sharer sets. */
export const shareWords = {
  remark: optionalText(REMARK_MAX_LENGTH),
  password: optionalSecret(PASSWORD_MAX_LENGTH),
  expires_in: expiresIn,
  max_views: maxViews,
}

export const commitBody = z.object({
  file_id: requiredText(200),
  etag: optionalText(200),
  size: bytes,
  ...shareWords,
})

/** The fields of `shareWords`, and the folder for the bytes. */
export const shareFields = { path: optionalText(FOLDER_MAX_LENGTH), ...shareWords }

/** Options of a one-request upload, as query or form fields. */
export const uploadOptions = z.object({
  s3_config_id: configId,
  slug: optionalSlug,
  ...shareFields,
  override,
  /** `"true"` keeps the file name, without the random prefix of the object key. */
  original_filename: z.optional(z.nullable(z.string())),
  /** `"0"` returns direct links by default. */
  use_proxy: z.optional(z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
})
export type UploadOptions = z.output<typeof uploadOptions>

export const presigned = z.object({
  file_id: z.string(),
  upload_url: z.string(),
  storage_path: z.string(),
  s3_url: z.string(),
  slug: z.string(),
  provider_type: z.string(),
  contentType: z.string(),
})

export const committedFile = z.object({
  id: z.string(),
  slug: z.string(),
  filename: z.string(),
  storage_path: z.string(),
  s3_url: z.string(),
  mimetype: z.string(),
  size: z.number(),
  etag: z.nullable(z.string()),
  sha256: z.nullable(z.string()),
  remark: z.nullable(z.string()),
  created_at: instant,
  updated_at: instant,
  hasPassword: z.boolean(),
  expiresAt: z.nullable(instant),
  maxViews: z.nullable(z.number()),
  url: z.string(),
})

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
const publicFile = z.object(publicFields)

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
  /** Whether the share refers to a file in a mount; the file then stays when the share is deleted. */
  is_linked: z.boolean(),
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
  /** Absent: unchanged. `null` or blank: a new random one. */
  slug: whenPresent(optionalSlug),
  expires_at: whenPresent(optionalInstant),
  use_proxy: z.optional(wireBoolean),
  /** A limit below the used views restarts the count. */
  max_views: whenPresent(maxViews),
  /** Blank or `null` removes the password. */
  password: z.optional(z.nullable(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH)))),
})

/** `password` opens a protected share; `ticket` is the short-lived signature that our own replies contain instead. */
const bytesQuery = z.object({
  password: z.optional(z.string().check(z.maxLength(SHOWN_PASSWORD_MAX_LENGTH))),
  ticket: z.optional(z.string().check(z.maxLength(500))),
})

export const uploadErrors = [
  fileErrors.slug_taken,
  fileErrors.path_taken,
  fileErrors.path_invalid,
  fileErrors.name_invalid,
  fileErrors.too_large,
  fileErrors.storage_full,
  storageErrors.not_found,
  storageErrors.none,
  storageErrors.default_closed,
  authErrors.storage_forbidden,
  authErrors.path_forbidden,
] as const
const readErrors = [fileErrors.not_found, fileErrors.expired, fileErrors.used_up] as const
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
  errors: [fileErrors.not_found, fileErrors.slug_taken],
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
