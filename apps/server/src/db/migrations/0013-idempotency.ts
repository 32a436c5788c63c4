import type { Migration } from 'kysely/migration'

/** Stores responses to requests with an idempotency key, so that a repeated request changes nothing. */
export const migration0013: Migration = {
  async up(db) {
    await db.schema
      .createTable('idempotent_requests')
      .addColumn('key_hash', 'text', (c) => c.primaryKey())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('started_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('answer', 'text')
      .execute()
    await db.schema
      .createIndex('idempotent_requests_by_age')
      .on('idempotent_requests')
      .columns(['started_at_ms'])
      .execute()
  },
  async down(db) {
    await db.schema.dropTable('idempotent_requests').execute()
  },
}
