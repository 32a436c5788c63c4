import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '../testing/app.ts'
import { openBundle, publishedBundle } from '../testing/bundles.ts'
import { openDatabase } from './database.ts'
import { migrateToLatest, migrateToNothing, migrateToVersion, migrations } from './migrate.ts'
import type { Schema } from '../schema.ts'

/** All columns of the table types. The compiler rejects missing and additional names. */
const COLUMNS: { readonly [Table in keyof Schema]: Readonly<Record<keyof Schema[Table], true>> } = {
  admins: { id: true, username: true, password_hash: true, created_at_ms: true, updated_at_ms: true },
  admin_sessions: {
    id: true,
    token_hash: true,
    admin_id: true,
    created_at_ms: true,
    expires_at_ms: true,
    last_used_at_ms: true,
    address: true,
    user_agent: true,
  },
  audit_log: {
    id: true,
    at_ms: true,
    action: true,
    actor_kind: true,
    actor_id: true,
    actor_name: true,
    target: true,
    address: true,
    status: true,
    code: true,
  },
  api_keys: {
    id: true,
    name: true,
    key_fingerprint: true,
    key_sealed: true,
    text_permission: true,
    file_permission: true,
    mount_permission: true,
    mount_read_only: true,
    basic_path: true,
    created_at_ms: true,
    updated_at_ms: true,
    expires_at_ms: true,
    last_used_at_ms: true,
  },
  pastes: {
    id: true,
    slug: true,
    content: true,
    content_type: true,
    remark: true,
    password_hash: true,
    password_sealed: true,
    expires_at_ms: true,
    max_views: true,
    views: true,
    purged_at_ms: true,
    created_by: true,
    created_at_ms: true,
    updated_at_ms: true,
    search_text: true,
    opening: true,
    pin_hash: true,
    grace_until_ms: true,
  },
  bundles: {
    id: true,
    slug: true,
    revision: true,
    title: true,
    item_count: true,
    size_bytes: true,
    remark: true,
    password_hash: true,
    password_sealed: true,
    expires_at_ms: true,
    max_views: true,
    views: true,
    last_view_at_ms: true,
    purged_at_ms: true,
    created_by: true,
    created_at_ms: true,
    updated_at_ms: true,
    search_text: true,
    generation: true,
    opening: true,
    pin_hash: true,
    grace_until_ms: true,
    sealed: true,
    salt: true,
    kdf: true,
    verifier: true,
    owner_box: true,
  },
  bundle_revisions: {
    bundle_id: true,
    revision: true,
    manifest: true,
    manifest_bytes: true,
    objects: true,
    title: true,
    item_count: true,
    size_bytes: true,
    created_at_ms: true,
    replaced_at_ms: true,
  },
  dav_locks: {
    token: true,
    storage_config_id: true,
    storage_key: true,
    is_deep: true,
    is_exclusive: true,
    owner_xml: true,
    created_by: true,
    timeout_seconds: true,
    expires_at_ms: true,
  },
  dav_properties: {
    storage_config_id: true,
    storage_key: true,
    parent_key: true,
    namespace: true,
    name: true,
    xml: true,
  },
  dav_times: {
    storage_config_id: true,
    storage_key: true,
    parent_key: true,
    etag: true,
    modified_at_ms: true,
  },
  paste_revisions: {
    id: true,
    paste_id: true,
    content: true,
    content_type: true,
    size_bytes: true,
    created_at_ms: true,
    replaced_at_ms: true,
  },
  storage_configs: {
    id: true,
    name: true,
    provider_type: true,
    endpoint_url: true,
    bucket_name: true,
    region: true,
    access_key_id_sealed: true,
    secret_access_key_sealed: true,
    path_style: true,
    default_folder: true,
    is_public: true,
    is_default: true,
    total_storage_bytes: true,
    custom_host: true,
    signature_expires_in: true,
    last_used_at_ms: true,
    created_at_ms: true,
    updated_at_ms: true,
  },
  mounts: {
    id: true,
    name: true,
    storage_type: true,
    storage_config_id: true,
    mount_path: true,
    remark: true,
    is_active: true,
    created_by: true,
    sort_order: true,
    cache_ttl: true,
    last_used_at_ms: true,
    created_at_ms: true,
    updated_at_ms: true,
  },
  files: {
    id: true,
    slug: true,
    filename: true,
    storage_config_id: true,
    storage_key: true,
    mimetype: true,
    size_bytes: true,
    etag: true,
    sha256: true,
    remark: true,
    password_hash: true,
    password_sealed: true,
    expires_at_ms: true,
    max_views: true,
    views: true,
    use_proxy: true,
    purged_at_ms: true,
    created_by: true,
    created_at_ms: true,
    updated_at_ms: true,
    committed_at_ms: true,
    upload_kind: true,
    upload_expires_at_ms: true,
    takes_slug: true,
    receiving_until_ms: true,
    last_view_at_ms: true,
    owns_object: true,
    search_text: true,
    opening: true,
    pin_hash: true,
    grace_until_ms: true,
    bundle_id: true,
    object_number: true,
    part_size_bytes: true,
    generation: true,
  },
  object_removals: {
    id: true,
    storage_config_id: true,
    storage_key: true,
    attempts: true,
    due_at_ms: true,
  },
  view_grants: { file_id: true, client_hash: true, expires_at_ms: true, remaining_bytes: true },
  opening_devices: { share_id: true, device_hash: true, opened_at_ms: true, expires_at_ms: true },
  opening_notes: {
    share_id: true,
    previews: true,
    previewed_at_ms: true,
    previewed_by: true,
    opened_at_ms: true,
    wrong_pins: true,
  },
  fs_uploads: {
    id: true,
    storage_config_id: true,
    mount_id: true,
    storage_key: true,
    path: true,
    created_by: true,
    kind: true,
    storage_upload_id: true,
    content_type: true,
    size_bytes: true,
    part_size_bytes: true,
    part_count: true,
    state: true,
    replaced_etag: true,
    stored_size_bytes: true,
    etag: true,
    created_at_ms: true,
    expires_at_ms: true,
  },
  storage_reservations: { id: true, storage_config_id: true, size_bytes: true, expires_at_ms: true },
  unfinished_uploads: { id: true, storage_config_id: true, storage_key: true, expires_at_ms: true },
  object_indexes: {
    id: true,
    config_id: true,
    sequence: true,
    state: true,
    trusted_from: true,
    crawl_sequence: true,
    crawl_after: true,
    crawl_cursor: true,
    crawled_objects: true,
    started_at_ms: true,
    finished_at_ms: true,
    completed_at_ms: true,
    error: true,
  },
  object_folders: {
    id: true,
    index_id: true,
    key: true,
    parent_id: true,
    sort_key: true,
    tree_objects: true,
    tree_bytes: true,
    tree_modified_at_ms: true,
    is_marked: true,
    modified_at_ms: true,
    changed_sequence: true,
    listed_at_ms: true,
  },
  objects: {
    id: true,
    index_id: true,
    folder_id: true,
    key: true,
    sort_key: true,
    size_bytes: true,
    modified_at_ms: true,
    etag: true,
    changed_sequence: true,
  },
  object_tombstones: { index_id: true, key: true, sequence: true, removed_at_ms: true },
  object_names: { object_id: true, index_id: true, folded: true },
  settings: { key: true, value: true, updated_at_ms: true },
  url_uploads: {
    file_id: true,
    storage_config_id: true,
    storage_key: true,
    storage_upload_id: true,
    wishes_sealed: true,
    created_at_ms: true,
  },
  key_holds: { storage_config_id: true, storage_key: true, holder: true, owner: true, expires_at_ms: true },
  tickets: { token_hash: true, kind: true, payload: true, expires_at_ms: true },
  tasks: {
    id: true,
    type: true,
    owner: true,
    subject: true,
    state: true,
    payload: true,
    checkpoint: true,
    progress: true,
    failures: true,
    result: true,
    error_code: true,
    cancel_requested: true,
    attempts: true,
    lease_owner: true,
    lease_until_ms: true,
    created_at_ms: true,
    started_at_ms: true,
    finished_at_ms: true,
    updated_at_ms: true,
  },
  throttles: { key: true, count: true, window_ends_at_ms: true },
  idempotent_requests: {
    key_hash: true,
    fingerprint: true,
    started_at_ms: true,
    status: true,
    answer: true,
  },
}

const LATEST = '0026-sealed-bundles'

describeEachDatabase('migrations', ({ startApp, engine }) => {
  test('run from an empty database to the newest version, back, and forward again', async () => {
    await using t = await startApp()
    const { database } = t.ctx
    expect(await migrateToLatest(database)).toEqual([])
    await migrateToNothing(database)
    const left = (await database.db.introspection.getTables()).map((table) => table.name)
    expect(left.filter((name) => name in COLUMNS && engine === 'sqlite')).toEqual([])
    await expect(sql`select count(*) from pastes`.execute(database.db)).rejects.toThrow(/pastes/)
    expect(await migrateToLatest(database)).toEqual(Object.keys(migrations))
    await expect(sql`select count(*) from pastes`.execute(database.db)).resolves.toBeDefined()
  })

  test.runIf(engine === 'sqlite')(
    'move views that were counted in another table into the texts',
    async () => {
      await using t = await startApp()
      const { slug } = (await t.admin.call('POST', '/api/paste', { body: { content: 'seen' } })).body
      await t.visitor.call('GET', `/api/paste/${slug}`)
      const { database } = t.ctx
      await migrateToVersion(database, '0021-shares-out-of-mounts')
      await sql`insert into paste_views select id, 41 from pastes where slug = ${slug}`.execute(database.db)
      expect(await migrateToLatest(database)).toEqual([
        '0022-paste-views',
        '0023-opening',
        '0024-bundles',
        '0025-opening-generations',
        LATEST,
      ])
      expect((await t.visitor.call('GET', `/api/paste/${slug}`)).body.views).toBe(43)
    },
  )

  test('let existing shares open directly as before, and keep their views', async () => {
    await using t = await startApp()
    const body = { content: 'of before', maxViews: 2 }
    const { slug } = (await t.admin.call('POST', '/api/paste', { body })).body
    const file = await t.admin.call('PUT', '/api/upload-direct/a.txt', {
      payload: 'bytes of before',
      query: { slug: 'before', max_views: '2' },
    })
    expect(file.status).toBe(200)
    await t.visitor.call('GET', `/api/paste/${slug}`)
    const { database } = t.ctx
    // Migrates down to a version without the column `opening`, and up again.
    await migrateToVersion(database, '0022-paste-views')
    const before = await sql<{ views: number }>`select * from pastes`.execute(database.db)
    expect(before.rows).toEqual([expect.not.objectContaining({ opening: expect.anything() })])
    expect(await migrateToLatest(database)).toEqual([
      '0023-opening',
      '0024-bundles',
      '0025-opening-generations',
      LATEST,
    ])
    for (const table of ['pastes', 'files'] as const)
      expect(
        await database.db.selectFrom(table).select(['opening', 'pin_hash', 'grace_until_ms']).execute(),
      ).toEqual([{ opening: 'direct', pin_hash: null, grace_until_ms: null }])
    const statuses = async (url: string) => [
      (await t.visitor.call('GET', url)).status,
      (await t.visitor.call('GET', url)).status,
    ]
    expect(await statuses(`/api/paste/${slug}`)).toEqual([200, 410])
    expect(await statuses('/api/public/files/before')).toEqual([200, 200])
    expect((await t.visitor.call('GET', '/api/public/files/before')).status).toBe(410)
    const listed = (await t.admin.call('GET', '/api/admin/files')).body.data.files
    expect(listed).toMatchObject([{ opening: 'direct', has_pin: false, opening_note: null }])
  })

  test('keep existing files as shares that belong to no bundle', async () => {
    await using t = await startApp()
    const { database } = t.ctx
    await migrateToVersion(database, '0023-opening')
    const config = await database.db.selectFrom('storage_configs').select('id').executeTakeFirstOrThrow()
    await sql`insert into files
      (id, slug, filename, storage_config_id, storage_key, mimetype, size_bytes, views, use_proxy, created_at_ms,
        updated_at_ms, committed_at_ms, upload_kind, owns_object, search_text)
      values ('f1', 'before', 'a.txt', ${config.id}, 'a-key', 'text/plain', 5, 0, 1, 1, 1, 1, 'streamed', 1, 'a.txt')`.execute(
      database.db,
    )
    expect(await migrateToLatest(database)).toEqual(['0024-bundles', '0025-opening-generations', LATEST])
    expect(await database.db.selectFrom('files').select(['bundle_id', 'object_number']).execute()).toEqual([
      { bundle_id: null, object_number: null },
    ])
    const { files, pagination } = (await t.admin.call('GET', '/api/admin/files')).body.data
    expect([files.length, files[0].slug, pagination.total]).toEqual([1, 'before', 1])
    const object = { storage_config_id: config.id, mimetype: 'text/plain', upload_kind: 'streamed' as const }
    const insert = (id: string) =>
      database.db
        .insertInto('files')
        .values({
          ...object,
          id,
          slug: id,
          filename: id,
          storage_key: id,
          size_bytes: 1,
          etag: null,
          sha256: null,
          remark: null,
          password_hash: null,
          password_sealed: null,
          expires_at_ms: null,
          max_views: null,
          views: 0,
          use_proxy: 1,
          purged_at_ms: null,
          created_by: null,
          created_at_ms: 2,
          updated_at_ms: 2,
          committed_at_ms: 2,
          upload_expires_at_ms: null,
          takes_slug: null,
          receiving_until_ms: null,
          last_view_at_ms: null,
          opening: 'direct',
          pin_hash: null,
          grace_until_ms: null,
          bundle_id: 'b1',
          object_number: 0,
          part_size_bytes: null,
        })
        .execute()
    await insert('o1')
    await expect(insert('o2')).rejects.toThrow()
    // The migration down deletes objects of bundles, because an older version would show them as shares.
    await migrateToVersion(database, '0023-opening')
    const { rows } = await sql<{ id: string }>`select id from files`.execute(database.db)
    expect(rows).toEqual([{ id: 'f1' }])
    await migrateToLatest(database)
  })

  test('leave earlier bundles unencrypted and readable', async () => {
    await using t = await startApp()
    const { slug } = await publishedBundle(t.admin)
    const { database } = t.ctx
    await migrateToVersion(database, '0025-opening-generations')
    expect(await migrateToLatest(database)).toEqual([LATEST])
    const opened = await openBundle(t, slug)
    expect([opened.status, opened.body.data.sealed, opened.body.data.title]).toEqual([200, null, 'Trip'])
    expect((await t.visitor.call('GET', `/api/bundles/${slug}`)).body.data).toMatchObject({
      sealed: null,
      salt: null,
    })
  })

  test('create exactly the columns that the code uses', async () => {
    await using t = await startApp()
    const { rows } =
      engine === 'postgres'
        ? await sql<{
            t: string
            c: string
          }>`select table_name as t, column_name as c from information_schema.columns
            where table_schema = current_schema() and table_name not like 'kysely%'`.execute(t.ctx.db)
        : await sql<{
            t: string
            c: string
          }>`select m.name as t, c.name as c from sqlite_master m, pragma_table_info(m.name) c
            where m.type = 'table' and m.name not like 'kysely%' and m.name not like 'sqlite%'`.execute(
            t.ctx.db,
          )
    // Columns that only one engine has: the search index (an array or a full-text table), and totals that SQLite
    // maintains.
    const isOfEngine = (name: string) => /^object_names\.grams$|^object_grams|^share_sums\./.test(name)
    const made = rows
      .map((row) => `${row.t}.${row.c}`)
      .filter((name) => !isOfEngine(name))
      .sort()
    const used = Object.entries(COLUMNS).flatMap(([table, columns]) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    )
    expect(made).toEqual(used.sort())
  })
})

test('[sqlite] a database file is created once by two concurrent starts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-migrate-'))
  const settings = { url: null, sqliteFile: join(folder, 'db.sqlite'), poolSize: 1 }
  const [one, two] = await Promise.all([openDatabase<Schema>(settings), openDatabase<Schema>(settings)])
  const applied = [await migrateToLatest(one), await migrateToLatest(two)]
  expect(applied.flat()).toEqual(Object.keys(migrations))
  await Promise.all([one.close(), two.close()])
  await rm(folder, { recursive: true })
})
