import type { Migration } from 'kysely/migration'

/** Adds multipart uploads of files that a client fetches from a URL. */
export const migration0006: Migration = {
  async up(db) {
    await db.schema
      .createTable('url_uploads')
      .addColumn('file_id', 'text', (c) => c.primaryKey())
      .addColumn('storage_config_id', 'text', (c) => c.notNull())
      .addColumn('storage_key', 'text', (c) => c.notNull())
      .addColumn('storage_upload_id', 'text', (c) => c.notNull())
      .addColumn('wishes_sealed', 'text', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
  async down(db) {
    await db.schema.dropTable('url_uploads').execute()
  },
}
