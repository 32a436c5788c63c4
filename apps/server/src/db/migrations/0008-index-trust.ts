import type { Migration } from 'kysely/migration'

/** Adds the number of the first change after which an index describes the current location of its storage. */
export const migration0008: Migration = {
  async up(db) {
    await db.schema
      .alterTable('object_indexes')
      .addColumn('trusted_from', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  },
  async down(db) {
    await db.schema.alterTable('object_indexes').dropColumn('trusted_from').execute()
  },
}
