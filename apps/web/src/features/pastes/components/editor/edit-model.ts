import type { Opening, PasteContentType, PasteDetail } from '@dropleaf/contract'
import { PASTE_CONTENT_TYPES } from '@dropleaf/contract'
import type { ExpiryChange, PasswordChange } from '../../../../domains/shares/share-options.ts'
import { expiryInstant } from '../../../../lib/expiry-instant.ts'
import { isPinValid, parseMaxViews, slugProblem } from '../../../../domains/shares/share-options.ts'
import {
  editedOpening,
  type EditedOpeningChoice,
  startingOpening,
} from '../../../../domains/shares/opening-edit.ts'

/** Fields of the form in which an owner changes a share. */

export interface EditFields {
  readonly contentType: PasteContentType
  readonly remark: string
  readonly slug: string
  readonly expiry: ExpiryChange
  readonly maxViews: string
  readonly passwordChange: PasswordChange
  readonly password: string
  readonly opening: EditedOpeningChoice
  readonly pinChange: PasswordChange
  readonly pin: string
}

export const fieldsOf = (detail: PasteDetail): EditFields => ({
  contentType: detail.content_type,
  remark: detail.remark ?? '',
  slug: detail.slug,
  expiry: 'keep',
  maxViews: String(detail.max_views ?? 0),
  passwordChange: 'keep',
  password: '',
  opening: startingOpening(detail),
  pinChange: 'keep',
  pin: '',
})

/** Returns how the share opens after the edit. */
export const openingAfter = (detail: PasteDetail, { opening, pinChange, maxViews }: EditFields): Opening =>
  editedOpening({
    chosen: opening,
    current: detail.opening,
    isNowLimited: !detail.max_views && Boolean(parseMaxViews(maxViews)),
    hasPin: pinChange === 'set' || (detail.has_pin && pinChange === 'keep'),
  })

/** Whether a save would change anything. */
export function isChanged(detail: PasteDetail, fields: EditFields, text: string): boolean {
  const start = fieldsOf(detail)
  const keys = Object.keys(start) as (keyof EditFields)[]
  return text !== detail.content || keys.some((key) => fields[key] !== start[key])
}

export function areFieldsValid(fields: EditFields): boolean {
  const hasPassword = fields.passwordChange !== 'set' || fields.password !== ''
  const hasPin = fields.pinChange !== 'set' || (fields.pin !== '' && isPinValid(fields.pin))
  return slugProblem(fields.slug) === null && parseMaxViews(fields.maxViews) !== null && hasPassword && hasPin
}

/**
 * Body of the update. The server clears most absent fields, so the body contains unchanged fields too. It contains the
 * slug, the opening and the PIN only if they change. A slug of `null` requests a random slug.
 */
export function updateBody(detail: PasteDetail, fields: EditFields, text: string) {
  const slug = fields.slug.trim()
  const opening = openingAfter(detail, fields)
  return {
    content: text,
    content_type: fields.contentType,
    remark: fields.remark.trim() || null,
    expiresAt: fields.expiry === 'keep' ? detail.expires_at : expiryInstant(fields.expiry),
    maxViews: parseMaxViews(fields.maxViews) || null,
    password: fields.passwordChange === 'set' ? fields.password : null,
    clearPassword: fields.passwordChange === 'remove',
    ...(opening !== detail.opening && { opening }),
    ...(fields.pinChange === 'set' && { pin: fields.pin }),
    ...(fields.pinChange === 'remove' && { pin: null }),
    ...(slug !== detail.slug && { newSlug: slug || null }),
  }
}

/** An unsaved edit. `updatedAt` identifies the version that the edit is based on. Passwords and PINs are not stored. */
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
  pin: '',
  pinChange: fields.pinChange === 'set' ? 'keep' : fields.pinChange,
})
