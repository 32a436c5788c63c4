import type { PasteContentType } from '@dropleaf/contract'
import type { Generated, Selectable } from 'kysely'
import type { OpeningColumns } from '../../foundation/share-opening/share-opening.table.ts'

export interface PastesTable extends OpeningColumns {
  id: string
  slug: string
  /** The text; empty if the share is purged. */
  content: string
  content_type: PasteContentType
  remark: string | null
  password_hash: string | null
  password_sealed: string | null
  expires_at_ms: number | null
  /** View limit; `null` means unlimited. */
  max_views: number | null
  views: number
  /**
   * Time when the content was deleted. The row remains for a while, so that the server can report to visitors that the
   * share has expired or is used up.
   */
  purged_at_ms: number | null
  /** An administrator's id, or `apikey:` and an API key's id. */
  created_by: string | null
  created_at_ms: number
  updated_at_ms: number
  /** Text to search in addition to the other columns, from `pasteSearchText`. */
  search_text: Generated<string>
}

export type PasteRow = Selectable<PastesTable>

/** The columns that visitors see, or that determine what visitors see. */
export type VisitedPaste = Omit<
  PasteRow,
  'password_sealed' | 'purged_at_ms' | 'search_text' | keyof OpeningColumns
>

export const VISITED_COLUMNS = [
  'id',
  'slug',
  'content',
  'content_type',
  'remark',
  'password_hash',
  'expires_at_ms',
  'max_views',
  'views',
  'created_by',
  'created_at_ms',
  'updated_at_ms',
] as const satisfies ReadonlyArray<keyof VisitedPaste>

export interface Viewing {
  readonly slug: string
  readonly nowMs: number
}
