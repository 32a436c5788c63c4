import { PASTE_PREVIEW_CHARACTERS } from '@dropleaf/contract'
import { catalogueOf, languageOf } from '../../../messages/index.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { presentOpening } from '../../foundation/share-opening/share-opening.presenters.ts'
import type { OpeningNoteRow } from '../../foundation/share-opening/share-opening.table.ts'
import type { PasteRow, VisitedPaste } from './pastes.table.ts'
import type { ListedPaste } from './pastes.usecases.ts'

export function presentCreated(row: PasteRow, actor: Actor) {
  return {
    id: row.id,
    slug: row.slug,
    content_type: row.content_type,
    ...(row.remark === null ? {} : { remark: row.remark }),
    ...(row.expires_at_ms === null ? {} : { expiresAt: toInstant(row.expires_at_ms) }),
    ...(row.max_views === null ? {} : { maxViews: row.max_views }),
    hasPassword: row.password_hash !== null,
    createdAt: toInstant(row.created_at_ms),
    authorizedBy:
      actor.kind === 'key'
        ? ('apikey' as const)
        : actor.via === 'basic'
          ? ('basic' as const)
          : ('admin' as const),
  }
}

export const presentOutside = (row: Omit<VisitedPaste, 'content'>) => ({
  slug: row.slug,
  hasPassword: row.password_hash !== null,
  remark: row.remark,
  expiresAt: toInstantOrNull(row.expires_at_ms),
  maxViews: row.max_views,
  views: row.views,
  createdAt: toInstant(row.created_at_ms),
  created_by: row.created_by,
})

export const presentReadable = (row: VisitedPaste) => ({
  ...presentOutside(row),
  content: row.content,
  content_type: row.content_type,
  updatedAt: toInstant(row.updated_at_ms),
})

/** A text as its owner sees it, without content and secrets. */
export type OwnedRow = Omit<ListedPaste, 'content' | 'has_password' | 'password_sealed'>

/** Facts about shares from other tables. */
export interface OwnerFacts {
  readonly keyName: (creator: string | null) => string | undefined
  readonly notes: ReadonlyMap<string, OpeningNoteRow>
}

export const presentOwned = (row: OwnedRow, { keyName, notes }: OwnerFacts) => {
  const name = keyName(row.created_by)
  return {
    id: row.id,
    slug: row.slug,
    content_type: row.content_type,
    remark: row.remark,
    expires_at: toInstantOrNull(row.expires_at_ms),
    max_views: row.max_views,
    created_by: row.created_by,
    created_at: toInstant(row.created_at_ms),
    updated_at: toInstant(row.updated_at_ms),
    ...(name === undefined ? {} : { key_name: name }),
    ...presentOpening(row, notes),
  }
}

/** Truncates a text for a list. Counts code points, not UTF-16 units, so that no surrogate pair is split. */
export function preview(content: string): string {
  const characters = [...content]
  return characters.length <= PASTE_PREVIEW_CHARACTERS
    ? content
    : `${characters.slice(0, PASTE_PREVIEW_CHARACTERS).join('')}...`
}

/** Describes the API key, but does not contain the key itself. */
export function presentKeyInfo(actor: Actor) {
  if (actor.kind !== 'key') return null
  return {
    id: actor.id,
    name: actor.name,
    basicPath: actor.basicPath,
    permissions: { text: actor.canText, file: actor.canFile, mount: actor.canMount, admin: false },
  }
}

export const deletedMessage = (acceptLanguage: string | undefined, count: number): string =>
  catalogueOf(languageOf(acceptLanguage)).deletedTexts(count)

export const presentUpdated = ({
  id,
  slug,
  updatedAtMs,
}: {
  id: string
  slug: string
  updatedAtMs: number
}) => ({
  id,
  slug,
  updated_at: toInstant(updatedAtMs),
})
