import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds shares that refer to a file in a mount. Deleting such a share does not delete the object. */
export const migration0007: Migration = {
  async up(db) {
    await db.schema
      .alterTable('files')
      .addColumn('owns_object', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
  async down(db) {
    // Deletes linked shares first. Without the column, a later deletion of such a share would delete its object.
    await sql`delete from files where owns_object = 0`.execute(db)
    await db.schema.alterTable('files').dropColumn('owns_object').execute()
  },
}
