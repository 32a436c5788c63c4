import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

async function createBundles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bundles')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('title', 'text')
    .addColumn('item_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('size_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('remark', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('password_sealed', 'text')
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('max_views', 'bigint')
    .addColumn('views', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_view_at_ms', 'bigint')
    .addColumn('opening', 'text', (c) => c.notNull().defaultTo('direct'))
    .addColumn('pin_hash', 'text')
    .addColumn('grace_until_ms', 'bigint')
    .addColumn('purged_at_ms', 'bigint')
    .addColumn('created_by', 'text')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('search_text', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  await db.schema.createIndex('bundles_created_at').on('bundles').columns(['created_at_ms', 'id']).execute()
  await db.schema
    .createIndex('bundles_created_by')
    .on('bundles')
    .columns(['created_by', 'created_at_ms', 'id'])
    .execute()
  await db.schema.createIndex('bundles_expires_at').on('bundles').column('expires_at_ms').execute()
}

async function createRevisions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bundle_revisions')
    .addColumn('bundle_id', 'text', (c) => c.notNull().references('bundles.id').onDelete('cascade'))
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('manifest', 'text', (c) => c.notNull())
    .addColumn('manifest_bytes', 'bigint', (c) => c.notNull())
    .addColumn('objects', 'text', (c) => c.notNull())
    .addColumn('title', 'text')
    .addColumn('item_count', 'integer', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('replaced_at_ms', 'bigint')
    .addPrimaryKeyConstraint('bundle_revisions_pkey', ['bundle_id', 'revision'])
    .execute()
  // With this index, the sweep can sum the sizes without reading the manifests.
  await db.schema
    .createIndex('bundle_revisions_sizes')
    .on('bundle_revisions')
    .columns(['bundle_id', 'manifest_bytes'])
    .execute()
}

/** Adds bundles and their revisions. Rows of `files` get the bundle and number of an object. */
export const migration0024: Migration = {
  async up(db) {
    await createBundles(db)
    await createRevisions(db)
    await db.schema.alterTable('files').addColumn('bundle_id', 'text').execute()
    await db.schema.alterTable('files').addColumn('object_number', 'integer').execute()
    await sql`create unique index files_of_bundle on files (bundle_id, object_number)
      where bundle_id is not null`.execute(db)
  },
  async down(db) {
    await sql`delete from files where bundle_id is not null`.execute(db)
    await sql`drop index files_of_bundle`.execute(db)
    for (const column of ['object_number', 'bundle_id'])
      await db.schema.alterTable('files').dropColumn(column).execute()
    await db.schema.dropTable('bundle_revisions').execute()
    await db.schema.dropTable('bundles').execute()
  },
}
