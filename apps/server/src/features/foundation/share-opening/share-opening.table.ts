import type { Opening } from '@dropleaf/contract'
import type { Generated, Selectable } from 'kysely'

/** Columns of a share that determine how it opens. */
export interface OpeningColumns {
  opening: Generated<Opening>
  /** Only a hash of the PIN is stored. The owner sees whether there is a PIN, but not the PIN itself. */
  pin_hash: string | null
  /**
   * Time until which devices are allowed to reopen the share. A used-up share keeps its contents and its link suffix
   * until then.
   */
  grace_until_ms: number | null
}

/** A device that has opened a share, and is allowed to reopen it without using a view. */
export interface OpeningDevicesTable {
  /** Id of a text, a file or a bundle. */
  share_id: string
  /** SHA-256 of the device's token in hex. */
  device_hash: string
  opened_at_ms: number
  expires_at_ms: number
}

/** What the owner sees about the openings of a share. */
export interface OpeningNotesTable {
  share_id: string
  previews: Generated<number>
  previewed_at_ms: number | null
  previewed_by: string | null
  opened_at_ms: number | null
  wrong_pins: Generated<number>
}

export type OpeningNoteRow = Selectable<OpeningNotesTable>
