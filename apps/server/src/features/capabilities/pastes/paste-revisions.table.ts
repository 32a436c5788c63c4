import type { PasteContentType } from '@dropleaf/contract'
import type { Selectable } from 'kysely'

/** An earlier version of a text. Deleted with the text. */
export interface PasteRevisionsTable {
  id: string
  paste_id: string
  content: string
  content_type: PasteContentType
  size_bytes: number
  /** When this version was last saved. */
  created_at_ms: number
  replaced_at_ms: number
}

export type PasteRevisionRow = Selectable<PasteRevisionsTable>
