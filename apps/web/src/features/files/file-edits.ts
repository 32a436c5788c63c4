import type { FileDetail, InputOf, Opening, PublicFile, fileRoutes } from '@dropleaf/contract'
import type { ExpiryChange, PasswordChange } from '../../domains/shares/share-options.ts'
import { expiryInstant } from '../../lib/expiry-instant.ts'
import { isPinValid, parseMaxViews, slugProblem } from '../../domains/shares/share-options.ts'
import {
  editedOpening,
  type EditedOpeningChoice,
  startingOpening,
} from '../../domains/shares/opening-edit.ts'

export type FileChanges = InputOf<typeof fileRoutes.adminUpdate, 'body'>

/**
 * Values of the edit form. Unchanged values are not sent, so that editing the remark does not change the expiry or the
 * views.
 */
export interface FileEdits {
  readonly remark: string
  readonly slug: string
  readonly expiry: ExpiryChange
  /** The text that the user has entered. */
  readonly maxViews: string
  readonly passwordMode: PasswordChange
  readonly password: string
  readonly opening: EditedOpeningChoice
  readonly pinMode: PasswordChange
  readonly pin: string
  readonly isProxied: boolean
}

export const editsOf = (detail: FileDetail): FileEdits => ({
  remark: detail.remark ?? '',
  slug: detail.slug,
  expiry: 'keep',
  maxViews: String(detail.max_views ?? 0),
  passwordMode: 'keep',
  password: '',
  opening: startingOpening(detail),
  pinMode: 'keep',
  pin: '',
  isProxied: detail.use_proxy === 1,
})

/** Returns how the share opens after the edit. */
export const openingAfter = (detail: FileDetail, { opening, pinMode, maxViews }: FileEdits): Opening =>
  editedOpening({
    chosen: opening,
    current: detail.opening,
    isNowLimited: !detail.max_views && Boolean(parseMaxViews(maxViews)),
    hasPin: pinMode === 'set' || (detail.has_pin && pinMode === 'keep'),
  })

/** Returns the changes to send, or `null` if the form is invalid. Without changes, returns an empty object. */
export function changesOf(edits: FileEdits, detail: FileDetail, nowMs = Date.now()): FileChanges | null {
  const maxViews = parseMaxViews(edits.maxViews)
  const isPasswordMissing = edits.passwordMode === 'set' && edits.password === ''
  if (maxViews === null || slugProblem(edits.slug) !== null || isPasswordMissing) return null
  if (edits.pinMode === 'set' && (edits.pin === '' || !isPinValid(edits.pin))) return null
  const opening = openingAfter(detail, edits)
  const remark = edits.remark.trim()
  const slug = edits.slug.trim()
  return {
    ...(remark !== (detail.remark ?? '') && { remark }),
    ...(slug !== detail.slug && { slug: slug === '' ? null : slug }),
    ...(edits.expiry !== 'keep' && { expires_at: expiryInstant(edits.expiry, nowMs) }),
    ...(maxViews !== (detail.max_views ?? 0) && { max_views: maxViews }),
    ...(edits.passwordMode === 'set' && { password: edits.password }),
    ...(edits.passwordMode === 'remove' && { password: null }),
    ...(opening !== detail.opening && { opening }),
    ...(edits.pinMode === 'set' && { pin: edits.pin }),
    ...(edits.pinMode === 'remove' && { pin: null }),
    ...(edits.isProxied !== (detail.use_proxy === 1) && { use_proxy: edits.isProxied }),
  }
}

/** Updates the data of the page after the owner has changed the share. The share stays unlocked and gets valid URLs. */
export function showDetail(file: PublicFile, detail: FileDetail): PublicFile {
  const isOpenToAll = detail.has_password === 0 && detail.max_views === null && detail.opening === 'direct'
  const hasLastingLinks = isOpenToAll && detail.use_proxy === 1
  const { urls } = detail
  return {
    ...file,
    slug: detail.slug,
    remark: detail.remark,
    views: detail.views,
    max_views: detail.max_views,
    expires_at: detail.expires_at,
    use_proxy: detail.use_proxy,
    requires_password: false,
    previewUrl: hasLastingLinks ? urls.proxyPreviewUrl : urls.previewUrl,
    downloadUrl: hasLastingLinks ? urls.proxyDownloadUrl : urls.downloadUrl,
    proxy_preview_url: isOpenToAll ? urls.proxyPreviewUrl : undefined,
    proxy_download_url: isOpenToAll ? urls.proxyDownloadUrl : undefined,
  }
}
