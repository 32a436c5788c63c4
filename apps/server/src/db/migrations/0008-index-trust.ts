import type { Migration } from 'kysely/migration'

/** From which of its changes on an index is about the place that its storage leads to now. */
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
