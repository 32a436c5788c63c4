import type { Migration } from 'kysely/migration'
import { migration0020 } from './0020-paste-views.ts'

/** Views of texts are counted in the row of the text again, on both engines. */
export const migration0022: Migration = {
  /** Adds the separate counters to the texts. */
  up: async (db) => migration0020.down?.(db),
  down: (db) => migration0020.up(db),
}
