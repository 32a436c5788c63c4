import type { Migration } from 'kysely/migration'

/** Adds an index for the total size of a storage's shares. Every upload with a limit needs this total. */
export const migration0018: Migration = {
  async up(db) {
    await db.schema
      .createIndex('files_sizes')
      .on('files')
      .columns(['storage_config_id', 'purged_at_ms', 'committed_at_ms', 'size_bytes'])
      .execute()
  },
  async down(db) {
    await db.schema.dropIndex('files_sizes').execute()
  },
}
