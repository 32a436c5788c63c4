import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Shares of what lies in a mount: the object stays when they go. */
export const migration0007: Migration = {
  async up(db) {
    await db.schema
      .alterTable('files')
      .addColumn('owns_object', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
  async down(db) {
    // Without the column each share would take its object with it.
    await sql`delete from files where owns_object = 0`.execute(db)
    await db.schema.alterTable('files').dropColumn('owns_object').execute()
  },
}
