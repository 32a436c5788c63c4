import type { Migration } from 'kysely/migration'

/** Records multipart uploads of a process, so that another process can clean them up if the first process dies. */
export const migration0017: Migration = {
  async up(db) {
    await db.schema
      .createTable('unfinished_uploads')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('storage_config_id', 'text', (c) =>
        c.notNull().references('storage_configs.id').onDelete('cascade'),
      )
      .addColumn('storage_key', 'text', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('unfinished_uploads_key')
      .on('unfinished_uploads')
      .columns(['storage_config_id', 'storage_key'])
      .execute()
  },
  async down(db) {
    await db.schema.dropTable('unfinished_uploads').execute()
  },
}
