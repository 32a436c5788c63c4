import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds unique indexes, so that even concurrent writers create only one default storage, and one local disk per folder.
 */
export const migration0002: Migration = {
  async up(db) {
    await sql`
      update storage_configs set is_default = 0
      where is_default = 1
        and id <> (select id from storage_configs where is_default = 1 order by created_at_ms, id limit 1)
    `.execute(db)
    await sql`create unique index storage_configs_default on storage_configs (is_default) where is_default = 1`.execute(
      db,
    )
    await sql`
      create unique index storage_configs_disk_folder on storage_configs (lower(bucket_name))
      where provider_type = 'Local disk'
    `.execute(db)
  },
  async down(db) {
    await sql`drop index storage_configs_disk_folder`.execute(db)
    await sql`drop index storage_configs_default`.execute(db)
  },
}
