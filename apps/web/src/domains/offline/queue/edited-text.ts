import type { PasteDetail, ReadablePaste } from '@dropleaf/contract'

/**
 * Fields that a change to a text sets. An absent remark, expiry or view limit is cleared. Any other absent field stays
 * unchanged.
 */
export interface TextChange {
  readonly content?: string
  readonly content_type?: PasteDetail['content_type'] | undefined
  readonly remark?: string | null | undefined
  readonly expiresAt?: string | null | undefined
  readonly maxViews?: number | null | undefined
  readonly newSlug?: string | null | undefined
  readonly clearPassword?: boolean | null | undefined
  readonly opening?: PasteDetail['opening'] | undefined
}

const limitOf = ({ maxViews }: TextChange) => maxViews || null

/**
 * Returns a text as its owner sees it after a pending change.
 * @param setsPassword whether the change sets a new password
 */
export function changedDetail(detail: PasteDetail, change: TextChange, setsPassword: boolean): PasteDetail {
  const { content = detail.content, content_type = detail.content_type, newSlug } = change
  const hasPassword = setsPassword || (Boolean(detail.has_password) && change.clearPassword !== true)
  return {
    ...detail,
    content,
    content_type,
    remark: change.remark || null,
    expires_at: change.expiresAt ?? null,
    max_views: limitOf(change),
    has_password: hasPassword,
    opening: change.opening ?? detail.opening,
    slug: newSlug || detail.slug,
  }
}

/**
 * Like {@link changedDetail}, for the reading page. Keeps the current slug, because it stays valid until the change
 * is sent.
 */
export const changedText = (paste: ReadablePaste, change: TextChange): ReadablePaste => ({
  ...paste,
  content: change.content ?? paste.content,
  content_type: change.content_type ?? paste.content_type,
  remark: change.remark || null,
  expiresAt: change.expiresAt ?? null,
  maxViews: limitOf(change),
})
