import type { Migration } from 'kysely/migration'

/** What the shares of a storage sum up to is asked by every upload with a limit: from this alone, without looking at the rows. */
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
