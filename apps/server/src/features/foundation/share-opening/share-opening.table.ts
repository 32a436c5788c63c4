import type { Opening } from '@dropleaf/contract'
import type { Generated, Selectable } from 'kysely'

/** The columns of texts and files that say how they open. */
export interface OpeningColumns {
  opening: Generated<Opening>
  /** A PIN has only a hash: its owner sees whether there is one, not which. */
  pin_hash: string | null
  /** Until when a device may come back; a used-up share keeps its contents and its suffix until then. */
  grace_until_ms: number | null
}

/** A device that opened a share, and may come back without a view. */
export interface OpeningDevicesTable {
  /** Of a text or a file. */
  share_id: string
  /** SHA-256 of the device's token, hex. */
  device_hash: string
  opened_at_ms: number
  expires_at_ms: number
}

/** What the owner of a share sees of its opening. */
export interface OpeningNotesTable {
  share_id: string
  previews: Generated<number>
  previewed_at_ms: number | null
  previewed_by: string | null
  opened_at_ms: number | null
  wrong_pins: Generated<number>
}

export type OpeningNoteRow = Selectable<OpeningNotesTable>
