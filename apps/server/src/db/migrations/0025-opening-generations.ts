import type { Migration } from 'kysely/migration'

const SHARES = ['files', 'bundles'] as const

/**
 * Adds the generation of a share. A reset of the share increments the generation, and so does a change to require
 * confirmation. A new generation invalidates links of earlier openings.
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
