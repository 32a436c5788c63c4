import type { Migration } from 'kysely/migration'

/** Adds leases on object keys, for copies and moves. */
export const migration0009: Migration = {
  async up(db) {
    await db.schema
      .createTable('key_holds')
      .addColumn('storage_config_id', 'text', (c) => c.notNull())
      .addColumn('storage_key', 'text', (c) => c.notNull())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('key_holds_pkey', ['storage_config_id', 'storage_key'])
      .execute()
    await db.schema.createIndex('key_holds_holder').on('key_holds').column('holder').execute()
  },
  async down(db) {
    await db.schema.dropTable('key_holds').execute()
  },
}
