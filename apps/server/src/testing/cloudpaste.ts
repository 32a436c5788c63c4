import { createHash, createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { findAdminId } from '../features/foundation/identity/auth.usecases.ts'
import { openCloudPaste } from '../features/operations/cloudpaste/cloudpaste-database.ts'
import {
  type CloudPasteImport,
  importCloudPaste,
} from '../features/operations/cloudpaste/import-cloudpaste.usecases.ts'
import type { TestApp } from './app.ts'

/** The tables of CloudPaste 0.7.0. */
export const SCHEMA = `
  create table admins (id text primary key, username text unique, password text, created_at, updated_at);
  create table admin_tokens (token text primary key, admin_id text, expires_at, created_at);
  create table api_keys (id text primary key, name text unique, key text unique, text_permission integer default 0,
    file_permission integer default 0, mount_permission integer default 0, basic_path text default '/', last_used, created_at,
    expires_at text not null);
  create table pastes (id text primary key, slug text unique, content text, remark text, password text, expires_at, max_views integer,
    views integer default 0, created_by text, created_at, updated_at);
  create table paste_passwords (paste_id text primary key, plain_password text, created_at, updated_at);
  create table files (id text primary key, filename text, storage_path text, s3_url text, mimetype text, size integer,
    s3_config_id text, slug text unique, remark text, password text, expires_at, max_views integer, views integer default 0,
    use_proxy integer default 1, etag text, created_by text, created_at, updated_at);
  create table file_passwords (file_id text primary key, plain_password text, created_at, updated_at);
  create table s3_configs (id text primary key, name text, provider_type text, endpoint_url text, bucket_name text, region text,
    access_key_id text, secret_access_key text, path_style integer default 0, default_folder text default '', is_public integer default 0,
    is_default integer default 0, total_storage_bytes integer, custom_host text, signature_expires_in integer default 3600, created_at,
    updated_at, last_used, admin_id text);
  create table storage_mounts (id text primary key, name text, storage_type text, storage_config_id text, mount_path text, remark text,
    is_active integer default 1, created_by text not null, sort_order integer default 0, cache_ttl integer default 300, created_at,
    updated_at, last_used);
  create table system_settings (key text primary key, value text, description text, created_at, updated_at);
`

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const sealed = (value: string) =>
  `encrypted:${createHmac('sha256', 'default-encryption-key').update(value).digest('base64')}:${Buffer.from(value).toString('base64')}`

type OldRow = Record<string, string | number | null>
export type Insert = (table: string, row: OldRow) => void

export const stamps = { created_at: '2025-05-01T08:00:00.000Z', updated_at: '2025-05-02 08:00:00' }

export const inserter =
  (database: DatabaseSync): Insert =>
  (table, row) =>
    void database
      .prepare(
        `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
          .map(() => '?')
          .join(', ')})`,
      )
      .run(...Object.values(row))

/** Returns a storage config of CloudPaste for a bucket of the gateway. The bucket need not exist. */
export function oldConfig(bucket: string, more: OldRow = {}): OldRow & { id: string } {
  const { endpointUrl, accessKeyId, secretAccessKey } = inject('s3Gateway') ?? {
    endpointUrl: 'http://127.0.0.1:1',
    accessKeyId: '',
    secretAccessKey: '',
  }
  return {
    id: randomUUID(),
    name: 'Gateway',
    provider_type: 'Other S3 Compatible',
    endpoint_url: endpointUrl,
    bucket_name: bucket,
    region: '',
    access_key_id: sealed(accessKeyId),
    secret_access_key: sealed(secretAccessKey),
    path_style: 1,
    is_public: 1,
    is_default: 1,
    ...stamps,
    ...more,
  }
}

/** Creates a database of CloudPaste, filled by the test. */
export function makeOldDatabase(path: string, fill: (insert: Insert) => void): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(SCHEMA)
    database.exec('begin')
    fill(inserter(database))
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** Imports a database of CloudPaste into a test's server. */
export async function importOld(t: TestApp, fill: (insert: Insert) => void): Promise<CloudPasteImport> {
  const path = join(t.dataDir, `${randomUUID()}.db`)
  makeOldDatabase(path, fill)
  using from = openCloudPaste(path)
  return await importCloudPaste(t.ctx, from, { adminId: await findAdminId(t.ctx), isTrial: false })
}
