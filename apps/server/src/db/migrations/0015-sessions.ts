import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds details of an administrator's sessions, and an id that is not the token. */
export const migration0015: Migration = {
  async up(db) {
    await db.schema
      .alterTable('admin_sessions')
      .addColumn('id', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('admin_sessions').addColumn('last_used_at_ms', 'bigint').execute()
    await db.schema.alterTable('admin_sessions').addColumn('address', 'text').execute()
    await db.schema.alterTable('admin_sessions').addColumn('user_agent', 'text').execute()
    // The id is half of the token's hash. Half of the hash neither reveals the token nor is sufficient to look up the
    // token.
    await sql`update admin_sessions set id = substr(token_hash, 1, 32)`.execute(db)
    await db.schema
      .createIndex('admin_sessions_by_id')
      .on('admin_sessions')
      .columns(['id'])
      .unique()
      .execute()
  },
  async down(db) {
    await db.schema.dropIndex('admin_sessions_by_id').execute()
    for (const column of ['user_agent', 'address', 'last_used_at_ms', 'id'])
      await db.schema.alterTable('admin_sessions').dropColumn(column).execute()
  },
}
