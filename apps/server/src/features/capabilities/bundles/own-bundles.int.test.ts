import { randomUUID } from 'node:crypto'
import { BUNDLE_REVISIONS_MAX } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import {
  draftBundle,
  objectItems,
  objectRows,
  publishBundle,
  publishedBundle,
  putObject,
  type TestBundle,
} from '../../../testing/bundles.ts'
import { filesOnDisk, setCapacity } from '../../../testing/files.ts'
import { putFile } from '../../../testing/fs.ts'

const own = async (client: TestClient, { id }: TestBundle) =>
  (await client.call('GET', `/api/bundles/${id}/own`)).body.data
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
]
const revisionsOf = async (t: TestApp, { id }: TestBundle): Promise<number[]> =>
  (await t.admin.call('GET', `/api/bundles/${id}/revisions`)).body.data.map(
    ({ revision }: { revision: number }) => revision,
  )

describeEachDatabase('bundles of their owner', ({ startApp }) => {
  test('a repeated creation with one id creates nothing, and the id of another owner is refused', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    const id = randomUUID()
    const body = { id, slug: 'trip', remark: 'note', password: 'open sesame', expires_in: 2 }
    const made = await draftBundle(key, body)
    expect(made).toEqual({ id, slug: 'trip', url: '/s/trip' })
    const repeated = await Promise.all([draftBundle(key, body), draftBundle(key, { ...body, slug: null })])
    expect(repeated).toEqual([made, made])
    expect(codeOf(await t.admin.call('POST', '/api/bundles', { body }))).toEqual([409, 'bundle.id_taken'])
    const taken = await t.admin.call('POST', '/api/bundles', { body: { slug: 'trip' } })
    expect(codeOf(taken)).toEqual([409, 'bundle.slug_taken'])
    expect(await own(key, made)).toMatchObject({
      revision: 0,
      manifest: null,
      has_password: true,
      plain_password: 'open sesame',
      opening: 'direct',
    })
    const { password_hash, password_sealed } = await t.ctx.db
      .selectFrom('bundles')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect([password_hash?.includes('sesame'), password_sealed?.includes('sesame')]).toEqual([false, false])
  })

  test('a repeated creation gives its settings to the draft, and changes no published bundle', async () => {
    await using t = await startApp()
    const id = randomUUID()
    const create = (body: object) => t.admin.call('POST', '/api/bundles', { body: { id, ...body } })
    expect((await create({ slug: 'first', remark: 'r', pin: '1234' })).status).toBe(201)
    t.clock.advance({ hours: 1 })
    const body = { slug: 'second', remark: null, password: 'pw', max_views: 1, expires_in: 2 }
    const again = await create(body)
    expect([again.status, again.body.data]).toEqual([201, { id, slug: 'second', url: '/s/second' }])
    expect(await own(t.admin, { id, slug: '' })).toMatchObject({
      slug: 'second',
      remark: null,
      plain_password: 'pw',
      max_views: 1,
      opening: 'ask',
      has_pin: false,
      expires_at: new Date(t.clock.nowMs() + 2 * 3600_000).toISOString(),
    })
    await draftBundle(t.admin, { slug: 'taken' })
    expect(codeOf(await create({ ...body, slug: 'taken' }))).toEqual([409, 'bundle.slug_taken'])

    await publishBundle(t.admin, { id }, { page: { text: 'x' }, expected: 0 })
    t.clock.advance({ hours: 0.5 })
    expect((await create(body)).body.data).toEqual(again.body.data)
    const before = await own(t.admin, { id, slug: '' })
    for (const other of [
      { slug: 'third' },
      { remark: 'r' },
      { password: null },
      { password: 'other' },
      { max_views: 2 },
      { max_views: null, opening: 'ask' },
      { opening: 'direct' },
      { pin: '1234' },
      { expires_in: 1 },
      { expires_in: 9 },
      { expires_in: 0 },
    ])
      expect([other, ...codeOf(await create({ ...body, ...other }))]).toEqual([other, 409, 'bundle.id_taken'])
    expect(await own(t.admin, { id, slug: '' })).toEqual(before)
  })

  test('a bundle with a view limit requires confirmation, unless its owner chooses otherwise', async () => {
    await using t = await startApp()
    const openingOf = async (body: object) => (await own(t.admin, await draftBundle(t.admin, body))).opening
    expect(await openingOf({ max_views: 3 })).toBe('ask')
    expect(await openingOf({ max_views: 3, opening: 'direct' })).toBe('direct')
    expect(await openingOf({ pin: '1234' })).toBe('ask')
    expect(await openingOf({})).toBe('direct')
  })

  test('a publication records the current size and time of its files', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/photos/a.jpg', 'a picture')
    const bundle = await draftBundle(t.admin)
    expect(
      (await putObject(t.admin, bundle, { n: 7, filename: 'notes.md', bytes: '12345' })).body.data,
    ).toMatchObject({
      n: 7,
      filename: 'notes.md',
      size: 5,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const items = [
      { path: 'notes.md', source: { object: 7 } },
      { path: 'pictures/a.jpg', source: { ref: { path: '/local/photos/a.jpg', mode: 'pin' } } },
      { path: 'live', source: { folder: { path: '/local/photos/' } } },
    ]
    const page = { type: 'text/plain', text: 'Look' }
    const published = await publishBundle(t.admin, bundle, { title: 'Summer', page, items, expected: 0 })
    expect([published.status, published.body.data.revision]).toEqual([201, 1])
    const detail = await own(t.admin, bundle)
    expect(detail).toMatchObject({ revision: 1, title: 'Summer', item_count: 3, size: 5 })
    expect(detail.object_numbers).toEqual(
      detail.manifest.items.flatMap(({ source }: { source: { object?: number } }) => source.object ?? []),
    )
    expect(detail.manifest).toEqual({
      title: 'Summer',
      page,
      items: [
        {
          path: 'notes.md',
          size: 5,
          mimetype: 'text/markdown',
          modified: expect.any(String),
          source: { object: 7 },
        },
        {
          path: 'pictures/a.jpg',
          size: 9,
          mimetype: 'image/jpeg',
          modified: expect.any(String),
          source: { ref: { path: '/local/photos/a.jpg', mode: 'pin' } },
        },
        { path: 'live', source: { folder: { path: '/local/photos' } } },
      ],
    })
    const again = await publishBundle(t.admin, bundle, { title: 'Summer', page, items, expected: 0 })
    expect([again.status, again.body.data.revision]).toEqual([201, 1])
  })

  test('an empty, incomplete, misnamed, too large or outdated publication is refused and changes nothing', async () => {
    await using t = await startApp()
    const bundle = await draftBundle(t.admin)
    await putObject(t.admin, bundle, { n: 0 })
    await t.admin.call('POST', `/api/bundles/${bundle.id}/objects`, {
      body: { objects: [{ n: 1, filename: 'b.txt', size: 3 }] },
    })
    const other = await draftBundle(t.admin)
    await putObject(t.admin, other, { n: 5 })
    const publish = async (items: object[], more: { expected?: number; page?: object } = {}) =>
      codeOf(await publishBundle(t.admin, bundle, { expected: 0, ...more, items }))
    expect(await publish([])).toEqual([400, 'bundle.empty'])
    expect(await publish(objectItems(1))).toEqual([409, 'bundle.object_missing'])
    expect(await publish(objectItems(5))).toEqual([409, 'bundle.object_missing'])
    expect(await publish([{ path: 'a', source: { ref: { path: '/local/none' } } }])).toEqual([
      410,
      'bundle.item_gone',
    ])
    expect(await publish([{ path: 'a', source: { folder: { path: '/local/none' } } }])).toEqual([
      410,
      'bundle.item_gone',
    ])
    expect(await publish(objectItems(0), { expected: 1 })).toEqual([409, 'bundle.changed'])
    const bad = await publishBundle(t.admin, bundle, {
      items: ['../x', 'A', 'a', 'ok'].map((path) => ({ path, source: { object: 0 } })),
      expected: 0,
    })
    expect(codeOf(bad)).toEqual([400, 'bundle.path_invalid'])
    expect(bad.body.error.details).toEqual([
      { path: 'body.manifest.items.0.path', message: 'name' },
      { path: 'body.manifest.items.2.path', message: 'duplicate' },
    ])
    const text = 'x'.repeat(8 * 1024 * 1024)
    expect(await publish([], { page: { text } })).toEqual([413, 'bundle.manifest_too_large'])
    expect(await t.ctx.db.selectFrom('bundle_revisions').select('revision').execute()).toEqual([])
  })

  test('of two publications of one revision one succeeds', async () => {
    await using t = await startApp()
    const bundle = await draftBundle(t.admin)
    for (let expected = 0; expected < 4; expected += 1) {
      const both = await Promise.all(
        ['one', 'two', 'three'].map((text) => publishBundle(t.admin, bundle, { page: { text }, expected })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409])
      const winner = ['one', 'two', 'three'][both.findIndex(({ status }) => status === 201)]
      expect(await own(t.admin, bundle)).toMatchObject({
        revision: expected + 1,
        manifest: { page: { text: winner } },
      })
    }
    expect(await revisionsOf(t, bundle)).toEqual([4, 3, 2, 1])
    const rows = await t.ctx.db
      .selectFrom('bundle_revisions')
      .select(['revision', 'replaced_at_ms'])
      .execute()
    expect(rows.filter((row) => row.replaced_at_ms === null)).toEqual([{ revision: 4, replaced_at_ms: null }])
  })

  test('a revision that tickets can still read is kept, then deleted with its objects; a stored revision can be restored', async () => {
    await using t = await startApp()
    const bundle = await draftBundle(t.admin)
    await putObject(t.admin, bundle, { n: 0, bytes: 'only in the first' })
    await putObject(t.admin, bundle, { n: 1, bytes: 'in all' })
    await publishBundle(t.admin, bundle, { items: objectItems(0, 1), expected: 0 })
    for (let expected = 1; expected <= BUNDLE_REVISIONS_MAX; expected += 1)
      await publishBundle(t.admin, bundle, { items: objectItems(1), page: { text: `${expected}` }, expected })
    expect((await revisionsOf(t, bundle)).length).toBe(BUNDLE_REVISIONS_MAX + 1)
    expect((await filesOnDisk(t)).length).toBe(2)
    t.clock.advance({ hours: 5.9 })
    await t.ctx.jobs.drain()
    expect((await filesOnDisk(t)).length).toBe(2)
    t.clock.advance({ hours: 0.2 })
    await t.ctx.jobs.drain()
    expect(await revisionsOf(t, bundle)).toEqual(
      Array.from({ length: BUNDLE_REVISIONS_MAX }, (_, index) => BUNDLE_REVISIONS_MAX + 1 - index),
    )
    expect((await objectRows(t)).map(({ object_number }) => object_number)).toEqual([1])
    expect((await filesOnDisk(t)).length).toBe(1)
    const restore = (r: number, expected_revision: number) =>
      t.admin.call('POST', `/api/bundles/${bundle.id}/revisions/${r}/restore`, {
        body: { expected_revision },
      })
    expect(codeOf(await restore(1, 51))).toEqual([404, 'bundle.revision_not_found'])
    expect(codeOf(await restore(2, 50))).toEqual([409, 'bundle.changed'])
    expect((await restore(2, 51)).body.data.revision).toBe(52)
    expect(await own(t.admin, bundle)).toMatchObject({ manifest: { page: { text: '1' } } })
    // Revision 52 is the 51st stored revision, so the oldest one, revision 2, is deleted.
    expect((await revisionsOf(t, bundle)).at(-1)).toBe(3)
  })

  test('a key needs the right for each kind of contents, at each publication', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/own/a.txt', 'own')
    await putFile(t.admin, '/local/secret/b.txt', 'secret')
    const pageItems = { page: { text: 'x' } }
    const reference = (path: string) => ({ items: [{ path: 'a', source: { ref: { path } } }] })
    const folder = (path: string) => ({ items: [{ path: 'a', source: { folder: { path } } }] })
    const text = await t.keyClient({ text_permission: true })
    const file = await t.keyClient({ file_permission: true })
    const mount = await t.keyClient({ mount_permission: true, basic_path: '/local/own' })
    const both = await t.keyClient({
      file_permission: true,
      mount_permission: true,
      basic_path: '/local/own',
    })
    const tried = async (client: TestClient, contents: object) =>
      (await publishBundle(client, await draftBundle(client), { expected: 0, ...contents })).status
    expect([
      await tried(text, pageItems),
      await tried(file, pageItems),
      await tried(both, pageItems),
    ]).toEqual([201, 403, 403])
    const refs = reference('/local/own/a.txt')
    expect([await tried(text, refs), await tried(file, refs), await tried(both, refs)]).toEqual([
      403, 403, 201,
    ])
    expect(codeOf(await mount.call('POST', '/api/bundles', { body: {} }))).toEqual([403, 'auth.forbidden'])
    for (const path of [
      '/local/secret/b.txt',
      '/local/own/../secret/b.txt',
      '/local/own%2f../secret/b.txt',
    ]) {
      expect(await tried(both, reference(path))).toBeGreaterThanOrEqual(400)
      expect(await tried(both, folder(path.replace('/b.txt', '')))).toBeGreaterThanOrEqual(400)
    }
    expect(await tried(both, folder('/'))).toBeGreaterThanOrEqual(400)
    expect((await putObject(text, await draftBundle(text), { n: 0 })).status).toBe(403)

    const bundle = await draftBundle(both)
    await publishBundle(both, bundle, { ...refs, expected: 0 })
    await t.admin.call('PUT', `/api/admin/api-keys/${both.id}`, { body: { mount_permission: false } })
    const again = await both.call('POST', `/api/bundles/${bundle.id}/revisions/1/restore`, {
      body: { expected_revision: 1 },
    })
    expect(again.status).toBe(403)
    await t.admin.call('PUT', `/api/admin/api-keys/${both.id}`, {
      body: { mount_permission: true, basic_path: '/local/else' },
    })
    const elsewhere = await both.call('POST', `/api/bundles/${bundle.id}/revisions/1/restore`, {
      body: { expected_revision: 1 },
    })
    expect(codeOf(elsewhere)).toEqual([403, 'auth.path_forbidden'])
  })

  test('a key has access only to its own bundles, by every route', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    const other = await t.keyClient({ text_permission: true, file_permission: true })
    const bundle = await publishedBundle(key)
    const at = `/api/bundles/${bundle.id}`
    const refusals = [
      await other.call('GET', `${at}/own`),
      await other.call('GET', `/api/bundles/${bundle.slug}/own`),
      await other.call('GET', `${at}/revisions`),
      await other.call('GET', `${at}/revisions/1`),
      await other.call('PUT', at, { body: { remark: 'mine' } }),
      await publishBundle(other, bundle, { page: { text: 'mine' }, expected: 1 }),
      await other.call('POST', `${at}/revisions/1/restore`, { body: { expected_revision: 1 } }),
      await putObject(other, bundle, { n: 3 }),
      await other.call('POST', `${at}/objects`, { body: { objects: [{ n: 3, filename: 'a', size: 1 }] } }),
      await other.call('GET', `${at}/objects/0/parts`),
      await other.call('PUT', `${at}/objects/0/parts/1`, {
        payload: 'x',
        headers: { 'content-type': 'a/b' },
      }),
      await other.call('POST', `${at}/objects/0/complete`),
      await other.call('DELETE', `${at}/objects/0`),
    ]
    expect(refusals.map(codeOf)).toEqual(refusals.map(() => [404, 'bundle.not_found']))
    const removed = await other.call('POST', '/api/bundles/delete', { body: { ids: [bundle.id] } })
    expect(removed.body.data).toMatchObject({ success: 0, failed: [{ id: bundle.id }] })
    expect(await own(t.admin, bundle)).toMatchObject({ revision: 1, remark: null })
    expect((await t.visitor.call('GET', `${at}/own`)).status).toBe(401)
  })

  test('a change keeps all fields that are not in the request, and a deletion leaves nothing', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    const bundle = await publishedBundle(key, { password: 'old', max_views: 3, remark: 'r' })
    await t.ctx.db.updateTable('bundles').set({ views: 2 }).execute()
    await t.ctx.db
      .insertInto('opening_devices')
      .values({ share_id: bundle.id, device_hash: 'd', opened_at_ms: 1, expires_at_ms: 9e15 })
      .execute()
    const devices = () => t.ctx.db.selectFrom('opening_devices').select('share_id').execute()
    const update = (body: object) => key.call('PUT', `/api/bundles/${bundle.id}`, { body })
    expect((await update({ remark: 'new' })).body.data.slug).toBe(bundle.slug)
    expect(await own(key, bundle)).toMatchObject({ views: 2, plain_password: 'old', remark: 'new' })
    expect((await devices()).length).toBe(1)
    expect((await update({ slug: 'moved', max_views: 5, password: 'new' })).body.data.slug).toBe('moved')
    expect(await own(key, bundle)).toMatchObject({ views: 0, max_views: 5, plain_password: 'new' })
    expect(await devices()).toEqual([])
    expect((await filesOnDisk(t)).length).toBe(1)
    const removed = await key.call('POST', '/api/bundles/delete', { body: { ids: [bundle.id] } })
    expect(removed.body.data).toEqual({ success: 1, failed: [] })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect(await objectRows(t)).toEqual([])
    expect(await t.ctx.db.selectFrom('bundle_revisions').select('revision').execute()).toEqual([])
  })

  test('objects count towards the capacity of their storage, and their deletion frees it', async () => {
    await using t = await startApp()
    await setCapacity(t, 100)
    const bundle = await draftBundle(t.admin)
    expect((await putObject(t.admin, bundle, { n: 0, bytes: Buffer.alloc(80) })).status).toBe(201)
    const full = await putObject(t.admin, bundle, { n: 1, bytes: Buffer.alloc(30) })
    expect(codeOf(full)).toEqual([400, 'file.storage_full'])
    const begun = await t.admin.call('POST', `/api/bundles/${bundle.id}/objects`, {
      body: {
        objects: [
          { n: 1, filename: 'a', size: 15 },
          { n: 2, filename: 'b', size: 15 },
        ],
      },
    })
    expect(codeOf(begun)).toEqual([400, 'file.storage_full'])
    expect((await objectRows(t)).map((row) => row.object_number)).toEqual([0])
    const { s3Buckets, totalFiles } = (await t.admin.call('GET', '/api/admin/dashboard/stats')).body.data
    expect([s3Buckets[0].usedStorage, totalFiles]).toEqual([80, 0])
    expect((await t.admin.call('DELETE', `/api/bundles/${bundle.id}/objects/0`)).status).toBe(200)
    await t.ctx.jobs.settle()
    expect((await putObject(t.admin, bundle, { n: 1, bytes: Buffer.alloc(90) })).status).toBe(201)
  })
})
