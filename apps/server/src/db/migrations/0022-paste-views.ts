import type { Migration } from 'kysely/migration'
import { migration0020 } from './0020-paste-views.ts'

/** Moves the view counts of texts back into their rows, on both engines. */
export const migration0022: Migration = {
  /** Adds the values of the separate counters to the texts' rows. */
  up: async (db) => migration0020.down?.(db),
  down: (db) => migration0020.up(db),
}
