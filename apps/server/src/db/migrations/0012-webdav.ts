import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Returns the column type for keys, which both engines compare byte by byte. */
const bytewise = (db: Kysely<unknown>) =>
  db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

/** Adds locks, properties and timestamps that WebDAV clients set on files and folders. */
export const migration0012: Migration = {
  async up(db) {
    await db.schema
      .createTable('dav_locks')
      .addColumn('token', 'text', (c) => c.primaryKey())
      .addColumn('storage_config_id', 'text', (c) =>
        c.notNull().references('storage_configs.id').onDelete('cascade'),
      )
      .addColumn('storage_key', bytewise(db), (c) => c.notNull())
      .addColumn('is_deep', 'integer', (c) => c.notNull())
      .addColumn('is_exclusive', 'integer', (c) => c.notNull())
      .addColumn('owner_xml', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('timeout_seconds', 'integer', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('dav_locks_by_place')
      .on('dav_locks')
      .columns(['storage_config_id', 'storage_key'])
      .execute()
    await db.schema.createIndex('dav_locks_by_expiry').on('dav_locks').columns(['expires_at_ms']).execute()
    await db.schema
      .createTable('dav_properties')
      .addColumn('storage_config_id', 'text', (c) =>
        c.notNull().references('storage_configs.id').onDelete('cascade'),
      )
      .addColumn('storage_key', bytewise(db), (c) => c.notNull())
      .addColumn('parent_key', bytewise(db), (c) => c.notNull())
      .addColumn('namespace', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('xml', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('dav_properties_key', [
        'storage_config_id',
        'storage_key',
        'namespace',
        'name',
      ])
      .execute()
    await db.schema
      .createIndex('dav_properties_by_parent')
      .on('dav_properties')
      .columns(['storage_config_id', 'parent_key'])
      .execute()
    await db.schema
      .createTable('dav_times')
      .addColumn('storage_config_id', 'text', (c) =>
        c.notNull().references('storage_configs.id').onDelete('cascade'),
      )
      .addColumn('storage_key', bytewise(db), (c) => c.notNull())
      .addColumn('parent_key', bytewise(db), (c) => c.notNull())
      .addColumn('etag', 'text', (c) => c.notNull())
      .addColumn('modified_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('dav_times_key', ['storage_config_id', 'storage_key'])
      .execute()
    await db.schema
      .createIndex('dav_times_by_parent')
      .on('dav_times')
      .columns(['storage_config_id', 'parent_key'])
      .execute()
  },
  async down(db) {
    for (const table of ['dav_times', 'dav_properties', 'dav_locks'])
      await db.schema.dropTable(table).execute()
  },
}
