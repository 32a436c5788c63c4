import type { BundleDetail, bundleRoutes, InputOf, Opening } from '@dropleaf/contract'
import {
  editedOpening,
  type EditedOpeningChoice,
  startingOpening,
} from '../../../domains/shares/opening-edit.ts'
import { expiryInstant } from '../../../lib/expiry-instant.ts'
import {
  type ExpiryChange,
  isPinValid,
  parseMaxViews,
  type PasswordChange,
  slugProblem,
} from '../../../domains/shares/share-options.ts'

/** Values of the settings form. Only changed values are sent. */
export interface SettingsEdits {
  readonly remark: string
  readonly slug: string
  readonly expiry: ExpiryChange
  /** Maximum number of views, as typed by the user. */
  readonly maxViews: string
  readonly passwordChange: PasswordChange
  readonly password: string
  readonly opening: EditedOpeningChoice
  readonly pinChange: PasswordChange
  readonly pin: string
}

export const settingsOf = (detail: BundleDetail): SettingsEdits => ({
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

/** Returns how the bundle opens after the change. */
export const openingAfter = (
  detail: BundleDetail,
  { opening, pinChange, maxViews }: SettingsEdits,
): Opening =>
  editedOpening({
    chosen: opening,
    current: detail.opening,
    isNowLimited: !detail.max_views && Boolean(parseMaxViews(maxViews)),
    hasPin: pinChange === 'set' || (detail.has_pin && pinChange === 'keep'),
  })

const isMissing = (change: PasswordChange, value: string) => change === 'set' && value === ''

/** Returns the changes to send, or `null` if the form is invalid. */
export function settingChanges(
  edits: SettingsEdits,
  detail: BundleDetail,
  nowMs = Date.now(),
): InputOf<typeof bundleRoutes.update, 'body'> | null {
  const maxViews = parseMaxViews(edits.maxViews)
  const { passwordChange, password, pinChange, pin } = edits
  if (maxViews === null || slugProblem(edits.slug) !== null) return null
  if (isMissing(passwordChange, password) || isMissing(pinChange, pin)) return null
  if (pinChange === 'set' && !isPinValid(pin)) return null
  const opening = openingAfter(detail, edits)
  const remark = edits.remark.trim()
  const slug = edits.slug.trim()
  return {
    ...(remark !== (detail.remark ?? '') && { remark }),
    ...(slug !== detail.slug && { slug: slug === '' ? null : slug }),
    ...(edits.expiry !== 'keep' && { expires_at: expiryInstant(edits.expiry, nowMs) }),
    ...(maxViews !== (detail.max_views ?? 0) && { max_views: maxViews }),
    ...(passwordChange === 'set' && { password }),
    ...(passwordChange === 'remove' && { password: null }),
    ...(opening !== detail.opening && { opening }),
    ...(pinChange === 'set' && { pin }),
    ...(pinChange === 'remove' && { pin: null }),
  }
}
