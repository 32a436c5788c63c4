import type { Opening } from '@dropleaf/contract'
import { toInstantOrNull } from '../../../lib/clock.ts'
import type { OpeningNoteRow } from './share-opening.table.ts'

interface OpeningOfOwner {
  readonly id: string
  readonly opening: Opening
  readonly pin_hash: string | null
  readonly purged_at_ms: number | null
}

/** Presents how a share opens, and the record of its previews, its opening and wrong PINs, to its owner. */
export function presentOpening(
  { id, opening, pin_hash, purged_at_ms }: OpeningOfOwner,
  notes: ReadonlyMap<string, OpeningNoteRow>,
) {
  const note = notes.get(id)
  return {
    opening,
    has_pin: pin_hash !== null,
    opening_note: note
      ? {
          previews: note.previews,
          previewed_at: toInstantOrNull(note.previewed_at_ms),
          previewed_by: note.previewed_by,
          opened_at: toInstantOrNull(note.opened_at_ms),
          wrong_pins: note.wrong_pins,
        }
      : null,
    purged_at: toInstantOrNull(purged_at_ms),
  }
}
