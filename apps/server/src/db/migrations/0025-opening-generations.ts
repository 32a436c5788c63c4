import type { Migration } from 'kysely/migration'

const SHARES = ['files', 'bundles'] as const

/**
 * Adds the generation. A reset, or a change to require confirmation, increments it and invalidates links of earlier
 * openings.
 */
export const migration0025: Migration = {
  async up(db) {
    for (const table of SHARES)
      await db.schema
        .alterTable(table)
        .addColumn('generation', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
  },
  async down(db) {
    for (const table of SHARES) await db.schema.alterTable(table).dropColumn('generation').execute()
  },
}
