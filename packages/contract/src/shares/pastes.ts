import * as z from 'zod/mini'
import { defineErrors, requestErrors } from '../core/errors.ts'
import {
  MAX_VIEWS_LIMIT,
  PASSWORD_MAX_LENGTH,
  PASTE_CONTENT_MAX_BYTES,
  REMARK_MAX_LENGTH,
  SHOWN_PASSWORD_MAX_LENGTH,
} from '../core/limits.ts'
import { PASTE_CONTENT_TYPES } from './content-types.ts'
import { openingOwnerFields, openingWords, shareErrors } from './opening-fields.ts'
import { route } from '../core/route.ts'
import { optionalSlug } from './slugs.ts'
import {
  bit,
  idParams,
  instant,
  optionalBoolean,
  optionalInstant,
  optionalInt,
  optionalSecret,
  optionalText,
  requiredText,
  slugParams,
  whenPresent,
} from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const pasteErrors = defineErrors('paste', {
  not_found: 404,
  expired: 410,
  /** The view limit is reached. */
  used_up: 410,
  slug_taken: 409,
  password_missing: 401,
  password_wrong: 401,
  /** A password was sent for a share that has no password. */
  no_password: 400,
  content_empty: 400,
  content_too_large: 413,
  /** The bytes are not valid UTF-8. */
  not_text: 400,
  /** The edited version is no longer the current version. */
  changed: 409,
  revision_not_found: 404,
})

const contentType = z.enum(PASTE_CONTENT_TYPES)

const encoder = new TextEncoder()
const fitsContent = (text: string) =>
  // A UTF-16 code unit takes at most 3 bytes in UTF-8, so short texts do not have to be encoded.
  text.length * 3 <= PASTE_CONTENT_MAX_BYTES || encoder.encode(text).length <= PASTE_CONTENT_MAX_BYTES

/** Content of a text share: not blank, at most 10 MiB in UTF-8, and without NUL. */
export const pasteContent = z.string().check(
  z.refine((text) => text.trim() !== '', rules.contentEmpty),
  z.refine(fitsContent, rules.contentTooLarge),
  z.refine((text) => !text.includes('\u0000'), rules.noNul),
)
const maxViews = optionalInt({ min: 0, max: MAX_VIEWS_LIMIT })

const createPasteBody = z.object({
  content: pasteContent,
  content_type: z._default(contentType, 'text/markdown'),
  slug: optionalSlug,
  remark: optionalText(REMARK_MAX_LENGTH),
  password: optionalSecret(PASSWORD_MAX_LENGTH),
  expiresAt: optionalInstant,
  maxViews,
  ...openingWords,
})

const updatePasteBody = z.object({
  content: pasteContent,
  content_type: z.optional(contentType),
  remark: optionalText(REMARK_MAX_LENGTH),
  expiresAt: optionalInstant,
  maxViews,
  password: optionalSecret(PASSWORD_MAX_LENGTH),
  clearPassword: optionalBoolean,
  /** If absent, the setting is unchanged. */
  opening: whenPresent(openingWords.opening),
  /** If absent, the PIN is unchanged. `null` or blank removes it. */
  pin: whenPresent(openingWords.pin),
  /** If absent, the slug is unchanged. If `null` or blank, the share gets a new random slug. */
  newSlug: z.optional(z.nullable(z.string())),
  /** `updated_at` of the edited version. The update fails if a newer version exists. */
  expectedUpdatedAt: optionalInstant,
})

const readPasteBody = z.object({ password: requiredText(SHOWN_PASSWORD_MAX_LENGTH) })
const rawQuery = z.object({ password: z.optional(z.string().check(z.maxLength(SHOWN_PASSWORD_MAX_LENGTH))) })

const createdPaste = z.object({
  id: z.string(),
  slug: z.string(),
  content_type: contentType,
  remark: z.optional(z.string()),
  expiresAt: z.optional(instant),
  maxViews: z.optional(z.number()),
  hasPassword: z.boolean(),
  createdAt: instant,
  authorizedBy: z.enum(['admin', 'apikey', 'basic']),
})

const openPaste = {
  slug: z.string(),
  hasPassword: z.boolean(),
  remark: z.nullable(z.string()),
  expiresAt: z.nullable(instant),
  maxViews: z.nullable(z.number()),
  views: z.number(),
  createdAt: instant,
  created_by: z.nullable(z.string()),
}
export const readablePaste = z.object({
  ...openPaste,
  content: z.string(),
  content_type: contentType,
  updatedAt: instant,
})
/** A protected share before its password is entered. `requiresPassword` distinguishes it from a readable share. */
const lockedPaste = z.object({ ...openPaste, requiresPassword: z.literal(true) })
const pasteView = z.union([readablePaste, lockedPaste])

export type ReadablePaste = z.infer<typeof readablePaste>
export type LockedPaste = z.infer<typeof lockedPaste>

/** Fields of a share in lists for its owner. */
export const pasteOwnerFields = {
  id: z.string(),
  slug: z.string(),
  content_type: contentType,
  remark: z.nullable(z.string()),
  expires_at: z.nullable(instant),
  max_views: z.nullable(z.number()),
  created_by: z.nullable(z.string()),
  created_at: instant,
  updated_at: instant,
  key_name: z.optional(z.string()),
  ...openingOwnerFields,
}
const pasteDetail = z.object({
  ...pasteOwnerFields,
  content: z.string(),
  has_password: z.union([bit, z.boolean()]),
  views: z.number(),
  plain_password: z.nullable(z.string()),
})
export type PasteDetail = z.infer<typeof pasteDetail>

const endErrors = [pasteErrors.not_found, pasteErrors.expired, pasteErrors.used_up] as const
const readErrors = [...endErrors, shareErrors.ask_first] as const

const readOne = {
  method: 'GET',
  params: idParams,
  reply: z.object({ data: pasteDetail }),
  errors: [pasteErrors.not_found],
} as const
const update = {
  method: 'PUT',
  params: idParams,
  body: updatePasteBody,
  reply: z.object({ data: z.object({ id: z.string(), slug: z.string(), updated_at: instant }) }),
  isRepeatable: true,
  errors: [
    ...endErrors,
    pasteErrors.slug_taken,
    pasteErrors.content_empty,
    pasteErrors.changed,
    shareErrors.pin_needs_ask,
    shareErrors.must_be_sealed,
  ],
} as const

export const pasteRoutes = {
  create: route({
    method: 'POST',
    path: '/api/paste',
    access: 'text',
    summary: 'Share a text.',
    body: createPasteBody,
    reply: createdPaste,
    isBare: true,
    status: 201,
    isRepeatable: true,
    errors: [
      pasteErrors.slug_taken,
      pasteErrors.content_empty,
      pasteErrors.content_too_large,
      shareErrors.pin_needs_ask,
      shareErrors.must_be_sealed,
    ],
  }),
  read: route({
    method: 'GET',
    path: '/api/paste/:slug',
    access: 'share',
    summary:
      'Read a shared text; counts one view. A protected one is returned without its text and counts no view.',
    params: slugParams,
    reply: pasteView,
    isBare: true,
    errors: readErrors,
  }),
  unlock: route({
    method: 'POST',
    path: '/api/paste/:slug',
    access: 'share',
    summary: 'Read a protected text with its password; counts one view.',
    params: slugParams,
    body: readPasteBody,
    reply: readablePaste,
    isBare: true,
    errors: [...readErrors, pasteErrors.password_wrong, pasteErrors.no_password, requestErrors.rate_limited],
  }),
  raw: route({
    method: 'GET',
    path: '/api/raw/:slug',
    access: 'share',
    summary: 'The plain text; counts one view. Errors are plain text too.',
    params: slugParams,
    query: rawQuery,
    replyType: 'text/plain; charset=utf-8',
    errors: [...readErrors, pasteErrors.password_wrong, requestErrors.rate_limited],
  }),
  adminRead: route({
    ...readOne,
    path: '/api/admin/pastes/:id',
    access: 'admin',
    summary: 'One shared text by id or slug, for its owner; counts no view.',
  }),
  adminUpdate: route({
    ...update,
    path: '/api/admin/pastes/:id',
    access: 'admin',
    summary: 'Replace a shared text by id or slug. Absent remark, expiry and view limit are cleared.',
  }),
  userRead: route({
    ...readOne,
    path: '/api/user/pastes/:id',
    access: 'text',
    summary: 'One of the caller’s own texts by id or slug; counts no view.',
  }),
  userUpdate: route({
    ...update,
    path: '/api/user/pastes/:id',
    access: 'text',
    summary: 'Replace one of the caller’s own texts by id or slug.',
  }),
}
