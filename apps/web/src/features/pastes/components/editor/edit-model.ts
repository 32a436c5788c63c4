import type { PasteContentType, PasteDetail } from '@dropleaf/contract'
import { PASTE_CONTENT_TYPES } from '@dropleaf/contract'
import type { ExpiryChange, PasswordChange } from '../../../../domains/shares/share-options.ts'
import { expiryInstant, parseMaxViews, slugProblem } from '../../../../domains/shares/share-options.ts'

/** Fields of the form in which an owner changes a share. */

export interface EditFields {
  readonly contentType: PasteContentType
  readonly remark: string
  readonly slug: string
  readonly expiry: ExpiryChange
  readonly maxViews: string
  readonly passwordChange: PasswordChange
  readonly password: string
}

export const fieldsOf = (detail: PasteDetail): EditFields => ({
  contentType: detail.content_type,
  remark: detail.remark ?? '',
  slug: detail.slug,
  expiry: 'keep',
  maxViews: String(detail.max_views ?? 0),
  passwordChange: 'keep',
  password: '',
})

/** Whether a save would change anything. */
export function isChanged(detail: PasteDetail, fields: EditFields, text: string): boolean {
  const start = fieldsOf(detail)
  const keys = Object.keys(start) as (keyof EditFields)[]
  return text !== detail.content || keys.some((key) => fields[key] !== start[key])
}

export function areFieldsValid(fields: EditFields): boolean {
  const hasPassword = fields.passwordChange !== 'set' || fields.password !== ''
  return slugProblem(fields.slug) === null && parseMaxViews(fields.maxViews) !== null && hasPassword
}

/**
 * Body of the update. The server clears absent fields, so the body contains unchanged fields too. It contains the slug
 * only when the slug changes; `null` requests a random one.
 */
export function updateBody(detail: PasteDetail, fields: EditFields, text: string) {
  const slug = fields.slug.trim()
  return {
    content: text,
    content_type: fields.contentType,
    remark: fields.remark.trim() || null,
    expiresAt: fields.expiry === 'keep' ? detail.expires_at : expiryInstant(fields.expiry),
    maxViews: parseMaxViews(fields.maxViews) || null,
    password: fields.passwordChange === 'set' ? fields.password : null,
    clearPassword: fields.passwordChange === 'remove',
    ...(slug !== detail.slug && { newSlug: slug || null }),
  }
}

/** An unsaved edit. `updatedAt` identifies the version it is based on. Passwords are not stored. */
export interface EditDraft {
  readonly text: string
  readonly fields: EditFields
  readonly updatedAt: string
}

export const isEditDraft = (value: unknown): value is EditDraft => {
  const draft = value as Partial<EditDraft> | null
  return (
    typeof draft === 'object' &&
    typeof draft?.text === 'string' &&
    typeof draft.updatedAt === 'string' &&
    typeof draft.fields === 'object' &&
    PASTE_CONTENT_TYPES.includes(draft.fields.contentType)
  )
}

export const withoutPassword = (fields: EditFields): EditFields => ({
  ...fields,
  password: '',
  passwordChange: fields.passwordChange === 'set' ? 'keep' : fields.passwordChange,
})
