import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Returns the column type for ids. Both engines compare ids byte by byte, which sorts ids by time. */
const bytewise = (db: Kysely<unknown>) =>
  db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

export const migration0016: Migration = {
  async up(db) {
    await db.schema
      .createTable('audit_log')
      .addColumn('id', bytewise(db), (c) => c.primaryKey())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('actor_kind', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text')
      .addColumn('target', 'text')
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('code', 'text')
      .execute()
    await db.schema.createIndex('audit_log_by_action').on('audit_log').columns(['action', 'id']).execute()
    await db.schema
      .createIndex('audit_log_by_actor')
      .on('audit_log')
      .columns(['actor_kind', 'actor_id', 'id'])
      .execute()
  },
  async down(db) {
    await db.schema.dropTable('audit_log').execute()
  },
}
