import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * This migration uses only types that both engines share: text, 64-bit integers for times (epoch ms) and sizes, and 0/1
 * for booleans.
 */
type Db = Kysely<unknown>
type Table = CreateTableBuilder<string, string>

const timestamps = (table: Table): Table =>
  table
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())

const shareColumns = (table: Table): Table =>
  table
    .addColumn('remark', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('password_sealed', 'text')
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('max_views', 'bigint')
    .addColumn('views', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('purged_at_ms', 'bigint')
    .addColumn('created_by', 'text')

async function createIdentities(db: Db): Promise<void> {
  await timestamps(
    db.schema
      .createTable('admins')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('username', 'text', (c) => c.notNull().unique())
      .addColumn('password_hash', 'text', (c) => c.notNull()),
  ).execute()
  await db.schema
    .createTable('admin_sessions')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('admin_id', 'text', (c) => c.notNull().references('admins.id').onDelete('cascade'))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await timestamps(
    db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('key_fingerprint', 'text', (c) => c.notNull().unique())
      .addColumn('key_sealed', 'text', (c) => c.notNull())
      .addColumn('text_permission', 'integer', (c) => c.notNull())
      .addColumn('file_permission', 'integer', (c) => c.notNull())
      .addColumn('mount_permission', 'integer', (c) => c.notNull())
      .addColumn('mount_read_only', 'integer', (c) => c.notNull())
      .addColumn('basic_path', 'text', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint')
      .addColumn('last_used_at_ms', 'bigint'),
  ).execute()
}

async function createPastes(db: Db): Promise<void> {
  await timestamps(
    shareColumns(
      db.schema
        .createTable('pastes')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('slug', 'text', (c) => c.notNull().unique())
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('content_type', 'text', (c) => c.notNull()),
    ),
  ).execute()
  await db.schema.createIndex('pastes_created_at').on('pastes').columns(['created_at_ms', 'id']).execute()
  await db.schema
    .createIndex('pastes_created_by')
    .on('pastes')
    .columns(['created_by', 'created_at_ms', 'id'])
    .execute()
  await db.schema.createIndex('pastes_expires_at').on('pastes').column('expires_at_ms').execute()
}

async function createStorage(db: Db): Promise<void> {
  await timestamps(
    db.schema
      .createTable('storage_configs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('provider_type', 'text', (c) => c.notNull())
      .addColumn('endpoint_url', 'text', (c) => c.notNull())
      .addColumn('bucket_name', 'text', (c) => c.notNull())
      .addColumn('region', 'text', (c) => c.notNull())
      .addColumn('access_key_id_sealed', 'text')
      .addColumn('secret_access_key_sealed', 'text')
      .addColumn('path_style', 'integer', (c) => c.notNull())
      .addColumn('default_folder', 'text', (c) => c.notNull())
      .addColumn('is_public', 'integer', (c) => c.notNull())
      .addColumn('is_default', 'integer', (c) => c.notNull())
      .addColumn('total_storage_bytes', 'bigint')
      .addColumn('custom_host', 'text')
      .addColumn('signature_expires_in', 'integer', (c) => c.notNull())
      .addColumn('last_used_at_ms', 'bigint'),
  ).execute()
  await timestamps(
    db.schema
      .createTable('mounts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('storage_type', 'text', (c) => c.notNull())
      .addColumn('storage_config_id', 'text', (c) => c.references('storage_configs.id'))
      .addColumn('mount_path', 'text', (c) => c.notNull().unique())
      .addColumn('remark', 'text')
      .addColumn('is_active', 'integer', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull())
      .addColumn('sort_order', 'integer', (c) => c.notNull())
      .addColumn('cache_ttl', 'integer', (c) => c.notNull())
      .addColumn('last_used_at_ms', 'bigint'),
  ).execute()
}

async function createFiles(db: Db): Promise<void> {
  await timestamps(
    shareColumns(
      db.schema
        .createTable('files')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('slug', 'text', (c) => c.notNull().unique())
        .addColumn('filename', 'text', (c) => c.notNull())
        .addColumn('storage_config_id', 'text', (c) => c.notNull().references('storage_configs.id'))
        .addColumn('storage_key', 'text', (c) => c.notNull())
        .addColumn('mimetype', 'text', (c) => c.notNull())
        .addColumn('size_bytes', 'bigint', (c) => c.notNull())
        .addColumn('etag', 'text')
        .addColumn('sha256', 'text')
        .addColumn('use_proxy', 'integer', (c) => c.notNull())
        // Null until the upload is committed. Until then the row is not listed, counted or served.
        .addColumn('committed_at_ms', 'bigint')
        .addColumn('upload_kind', 'text', (c) => c.notNull())
        .addColumn('upload_expires_at_ms', 'bigint')
        // Link suffix of the caller's existing file, which this upload replaces when it is committed.
        .addColumn('takes_slug', 'text')
        // End of the lease of the request that is receiving the bytes. Until then the upload accepts neither a commit
        // nor a second sender.
        .addColumn('receiving_until_ms', 'bigint')
        .addColumn('last_view_at_ms', 'bigint'),
    ),
  )
    .addUniqueConstraint('files_object', ['storage_config_id', 'storage_key'])
    .execute()
  await db.schema.createIndex('files_created_at').on('files').columns(['created_at_ms', 'id']).execute()
  await db.schema
    .createIndex('files_created_by')
    .on('files')
    .columns(['created_by', 'created_at_ms', 'id'])
    .execute()
  await db.schema.createIndex('files_expires_at').on('files').column('expires_at_ms').execute()
  await db.schema.createIndex('files_upload_expires_at').on('files').column('upload_expires_at_ms').execute()
  // Outbox of objects to delete after their row is gone, even if the server crashes between the two deletions.
  await db.schema
    .createTable('object_removals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('storage_config_id', 'text', (c) => c.notNull())
    .addColumn('storage_key', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  // Clients that are allowed to fetch further ranges of a view-limited download.
  await db.schema
    .createTable('view_grants')
    .addColumn('file_id', 'text', (c) => c.notNull().references('files.id').onDelete('cascade'))
    .addColumn('client_hash', 'text', (c) => c.notNull())
    .addColumn('remaining_bytes', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('view_grants_key', ['file_id', 'client_hash'])
    .execute()
}

async function createSystem(db: Db): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('throttles')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('count', 'bigint', (c) => c.notNull())
    .addColumn('window_ends_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('throttles_window').on('throttles').column('window_ends_at_ms').execute()
}

const TABLES = [
  'throttles',
  'settings',
  'view_grants',
  'object_removals',
  'files',
  'mounts',
  'storage_configs',
  'pastes',
  'api_keys',
  'admin_sessions',
  'admins',
]

export const migration0001: Migration = {
  async up(db) {
    await createIdentities(db)
    await createPastes(db)
    await createStorage(db)
    await createFiles(db)
    await createSystem(db)
  },
  async down(db) {
    for (const table of TABLES) await sql`drop table ${sql.table(table)}`.execute(db)
  },
}
