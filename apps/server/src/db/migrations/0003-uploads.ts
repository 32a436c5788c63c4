import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const TABLES = ['storage_reservations', 'fs_uploads']

async function createUploads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fs_uploads')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('storage_config_id', 'text', (c) =>
      c.notNull().references('storage_configs.id').onDelete('cascade'),
    )
    .addColumn('mount_id', 'text', (c) => c.notNull())
    .addColumn('storage_key', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('storage_upload_id', 'text')
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint')
    .addColumn('part_size_bytes', 'bigint')
    .addColumn('part_count', 'integer')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('replaced_etag', 'text')
    .addColumn('stored_size_bytes', 'bigint')
    .addColumn('etag', 'text')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('fs_uploads_expires_at').on('fs_uploads').column('expires_at_ms').execute()
  await db.schema
    .createIndex('fs_uploads_created_by')
    .on('fs_uploads')
    .columns(['created_by', 'created_at_ms', 'id'])
    .execute()
  await db.schema
    .createIndex('fs_uploads_config')
    .on('fs_uploads')
    .columns(['storage_config_id', 'state'])
    .execute()
}

/** Creates the table for space that writes in progress have reserved. */
async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('storage_reservations')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('storage_config_id', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute()
}

export const migration0003: Migration = {
  async up(db) {
    await createUploads(db)
    await createReservations(db)
  },
  async down(db) {
    for (const table of TABLES) await sql`drop table ${sql.table(table)}`.execute(db)
  },
}
