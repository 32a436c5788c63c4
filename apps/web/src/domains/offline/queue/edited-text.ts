import type { PasteDetail, ReadablePaste } from '@dropleaf/contract'

/** The fields that a change of a text sets; `undefined` leaves a field unchanged. */
export interface TextChange {
  readonly content?: string
  readonly content_type?: PasteDetail['content_type'] | undefined
  readonly remark?: string | null | undefined
  readonly expiresAt?: string | null | undefined
  readonly maxViews?: number | null | undefined
  readonly newSlug?: string | null | undefined
  readonly clearPassword?: boolean | null | undefined
}

const limitOf = ({ maxViews }: TextChange) => maxViews || null

/** A text as its owner sees it with a pending change. @param setsPassword the change has a new one */
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
    slug: newSlug || detail.slug,
  }
}

/** Like {@link changedDetail} for readers, with the slug that is valid now. */
export const changedText = (paste: ReadablePaste, change: TextChange): ReadablePaste => ({
  ...paste,
  content: change.content ?? paste.content,
  content_type: change.content_type ?? paste.content_type,
  remark: change.remark || null,
  expiresAt: change.expiresAt ?? null,
  maxViews: limitOf(change),
})
