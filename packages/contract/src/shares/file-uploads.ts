import * as z from 'zod/mini'
import {
  EXPIRES_IN_MAX_HOURS,
  FILENAME_MAX_BYTES,
  FOLDER_MAX_LENGTH,
  MAX_VIEWS_LIMIT,
  PASSWORD_MAX_LENGTH,
  REMARK_MAX_LENGTH,
} from '../core/limits.ts'
import { rules } from '../core/rules.ts'
import { openingWords } from './opening-fields.ts'
import { optionalSlug } from './slugs.ts'
import { instant, optionalInt, optionalSecret, optionalText, requiredText } from '../core/wire.ts'

export const filename = z.string().check(
  z.minLength(1),
  z.refine((text) => new TextEncoder().encode(text).length <= FILENAME_MAX_BYTES, rules.filenameTooLong),
  z.refine((text) => !text.includes('\u0000'), rules.noNul),
)
const bytes = optionalInt({ min: 0, max: Number.MAX_SAFE_INTEGER })
const maxViews = optionalInt({ min: 0, max: MAX_VIEWS_LIMIT })
/** Time until the expiry, in hours. If 0, negative or absent, the share never expires. */
const expiresIn = optionalInt({ min: -1, max: EXPIRES_IN_MAX_HOURS })
const override = z.optional(z.nullable(z.union([z.string(), z.boolean()])))

export const presignBody = z.object({
  s3_config_id: requiredText(200),
  filename,
  size: bytes,
  path: optionalText(FOLDER_MAX_LENGTH),
  slug: optionalSlug,
  /** If `"true"`, the upload replaces the caller's existing file with this slug when it is committed. */
  override,
  /** Ignored, because the server derives the type from the name. */
  mimetype: z.optional(z.unknown()),
})

/** Fields of a share that the user sets. */
export const shareWords = {
  remark: optionalText(REMARK_MAX_LENGTH),
  password: optionalSecret(PASSWORD_MAX_LENGTH),
  expires_in: expiresIn,
  max_views: maxViews,
  ...openingWords,
}

export const commitBody = z.object({
  file_id: requiredText(200),
  etag: optionalText(200),
  size: bytes,
  ...shareWords,
})

/** The fields of {@link shareWords}, and the folder for the bytes. */
export const shareFields = { path: optionalText(FOLDER_MAX_LENGTH), ...shareWords }

/** Options of an upload in a single request, as query parameters or form fields. */
export const uploadOptions = z.object({
  s3_config_id: optionalText(200),
  slug: optionalSlug,
  ...shareFields,
  override,
  /** If `"true"`, the object key is the file name without a random prefix. */
  original_filename: z.optional(z.nullable(z.string())),
  /** If `"0"` or false, direct links are the default. */
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
