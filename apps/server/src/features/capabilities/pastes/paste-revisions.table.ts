import type { PasteContentType } from '@dropleaf/contract'
import type { Selectable } from 'kysely'

export interface PasteRevisionsTable {
  id: string
  paste_id: string
  content: string
  content_type: PasteContentType
  size_bytes: number
  /** Time when this version was saved. */
  created_at_ms: number
  replaced_at_ms: number
}

export type PasteRevisionRow = Selectable<PasteRevisionsTable>
