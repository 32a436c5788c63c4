import { fileRoutes, filePartRoutes, type RouteSpec, urlRoutes } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { draftBundle, objectRows, publishedBundle, putObject } from '../../../testing/bundles.ts'
import { filesOnDisk, share } from '../../../testing/files.ts'

/** Calls a route with the name of an object in every parameter that accepts such a name. */
function callWith(client: TestClient, { method, path }: RouteSpec, name: string) {
  const url = path.replace(/:\w+/g, name).replace('*', name)
  const body = {
    file_id: name,
    upload_id: name,
    ids: [name],
    slug: name,
    filename: 'x.txt',
    password: 'x',
    parts: [],
  }
  const query = { file_id: name, part_number: '1' }
  return client.call(method, url, method === 'GET' ? { query } : { body, query })
}

/**
 * Routes that create a share, or that delete or list everything that matches a filter. They accept no name of an
 * object.
 */
const WITHOUT_NAME = new Set<RouteSpec>([
  fileRoutes.presign,
  fileRoutes.uploadForm,
  fileRoutes.uploadDirect,
  fileRoutes.adminList,
  fileRoutes.userList,
  fileRoutes.adminDeleteMatching,
  fileRoutes.userDeleteMatching,
  fileRoutes.adminClearExpired,
  fileRoutes.userClearExpired,
  filePartRoutes.init,
  filePartRoutes.room,
  urlRoutes.presign,
  urlRoutes.multipartInit,
  urlRoutes.import,
  urlRoutes.info,
  urlRoutes.proxy,
])

const named = [...Object.values(fileRoutes), ...Object.values(filePartRoutes), ...Object.values(urlRoutes)]
  .map((route): RouteSpec => route)
  .filter((route) => !WITHOUT_NAME.has(route))

async function withObjects(t: TestApp) {
  const bundle = await publishedBundle(t.admin)
  await t.admin.call('POST', `/api/bundles/${bundle.id}/objects`, {
    body: { objects: [{ n: 1, filename: 'pending.txt', size: 3 }] },
  })
  return { bundle, rows: await objectRows(t) }
}

describeEachDatabase('objects of bundles are not file shares', ({ startApp }) => {
  test('no route of file shares finds an object, by its id or its link suffix', async () => {
    await using t = await startApp()
    const { rows } = await withObjects(t)
    expect(rows.map(({ committed_at_ms }) => committed_at_ms !== null)).toEqual([true, false])
    expect(named.length).toBeGreaterThan(15)
    const key = await t.keyClient({ text_permission: true, file_permission: true, mount_permission: true })
    for (const name of rows.flatMap(({ id, slug }) => [id, slug]))
      for (const client of [t.admin, key, t.visitor])
        for (const route of named) {
          const { status, body, text } = await callWith(client, route, name)
          const isNothing = status >= 400 || (status === 200 && body.data?.success === 0)
          expect([route.path, isNothing, text.includes('bytes of 0')]).toEqual([route.path, true, false])
        }
    expect(await objectRows(t)).toEqual(rows)
    for (const { id, slug } of rows)
      for (const call of ['intent', 'open', 'arm'])
        for (const name of [id, slug]) {
          const { status } = await t.admin.call('POST', `/api/opening/file/${name}/${call}`, { body: {} })
          expect(status).toBeGreaterThanOrEqual(400)
        }
  })

  test('lists, statistics and deletions of matching files exclude objects', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { max_views: '3', slug: 'own' } })
    const { rows } = await withObjects(t)
    const listed = (await t.admin.call('GET', '/api/admin/files')).body.data
    expect([listed.files.map(({ slug }: { slug: string }) => slug), listed.pagination.total]).toEqual([
      ['own'],
      1,
    ])
    const figures = (await t.admin.call('GET', '/api/admin/dashboard/stats')).body.data
    expect([figures.totalFiles, figures.lastWeekFiles.reduce((a: number, b: number) => a + b)]).toEqual([
      1, 1,
    ])
    const asked = await t.admin.call('POST', '/api/opening/file/ask-limited')
    expect(asked.body.data.changed).toBe(1)
    const { matching } = (await t.admin.call('POST', '/api/admin/files/delete-matching', { body: {} })).body
      .data
    expect(matching).toBe(1)
    await t.ctx.tasks.drain()
    expect((await t.admin.call('GET', '/api/admin/files')).body.data.files).toEqual([])
    await t.admin.call('POST', '/api/admin/files/clear-expired')
    await t.ctx.tasks.drain()
    await t.ctx.jobs.drain()
    expect(await objectRows(t)).toEqual(rows)
  })

  test('a missing object is reported with the link of its bundle, and objects of bundles are not reported as orphans', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { slug: 'trip' })
    const [row] = await objectRows(t)
    const check = async (repair: string[] = []) => {
      // Gives each check a different time, because the test identifies the last check by its time.
      t.clock.advance({ seconds: 1 })
      await t.admin.call('POST', '/api/admin/reconciliation', { body: { repair, grace_minutes: 0 } })
      await t.ctx.tasks.drain()
      return (await t.admin.call('GET', '/api/admin/reconciliation')).body.data.report
    }
    expect((await check()).found.objects.count).toBe(0)
    const config = await t.ctx.db.selectFrom('storage_configs').selectAll().executeTakeFirstOrThrow()
    const driver = await t.ctx.storage.driverFor(config)
    await driver.remove([row?.storage_key as never])
    expect((await check()).shares).toMatchObject([{ kind: 'bundle', slug: 'trip', filename: '0.txt' }])
    expect((await check(['shares'])).found.shares).toMatchObject({ count: 1, removed: 1 })
    // A stored revision still uses the object with this number, so its bytes must not change.
    expect((await putObject(t.admin, bundle, { n: 0 })).body.error.code).toBe('bundle.object_exists')
  })

  test('a storage with objects of bundles cannot be deleted', async () => {
    await using t = await startApp()
    await publishedBundle(t.admin)
    const [row] = await objectRows(t)
    await t.ctx.db.deleteFrom('mounts').execute()
    const { status, body } = await t.admin.call('DELETE', `/api/s3-configs/${row?.storage_config_id}`)
    expect([status, body.error.code]).toEqual([409, 'storage.in_use'])
  })

  test('mounts hide objects', async () => {
    await using t = await startApp()
    await publishedBundle(t.admin)
    const [row] = await objectRows(t)
    const [onDisk] = await filesOnDisk(t)
    expect(onDisk).toBe(row?.storage_key)
    const path = `/local/${row?.storage_key}`
    expect((await t.admin.call('GET', '/api/fs/get', { query: { path } })).status).toBe(404)
    const shared = await t.admin.call('POST', '/api/fs/share', { body: { path } })
    expect(shared.status).toBe(404)
  })
})

describeEachDatabase('uploads of objects', ({ startApp }) => {
  test('work in parts, through the server or to the storage, and can be restarted', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true })
    const bundle = await draftBundle(key)
    const at = `/api/bundles/${bundle.id}/objects`
    const bytes = Buffer.alloc(6 * 1024 * 1024, 'abc')
    const begin = (size: number) =>
      key.call('POST', at, { body: { objects: [{ n: 4, filename: 'big.bin', size }] } })
    await begin(10)
    const first = new Set((await objectRows(t)).map(({ id }) => id))
    const [begun] = (await begin(bytes.length)).body.data.objects
    expect([begun.part_count, begun.presigned_urls.length]).toEqual([2, 2])
    expect((await objectRows(t)).map(({ id }) => first.has(id))).toEqual([false])
    const early = await key.call('POST', `${at}/4/complete`)
    expect(early.body.error.code).toBe('file.parts_invalid')
    const { pathname, search } = new URL(begun.presigned_urls[0].url)
    const headers = { 'content-type': 'application/octet-stream' }
    const part = (n: number) => bytes.subarray((n - 1) * begun.part_size, n * begun.part_size)
    expect((await t.visitor.call('PUT', pathname + search, { payload: part(1), headers })).status).toBe(200)
    const looked = (await key.call('GET', `${at}/4/parts`)).body.data
    expect([looked.parts.length, looked.presigned_urls.length, looked.is_completed]).toEqual([1, 1, false])
    const sent = await key.call('PUT', `${at}/4/parts/2`, { payload: part(2), headers })
    expect(sent.body.data.part_number).toBe(2)
    const both = await Promise.all([
      key.call('POST', `${at}/4/complete`),
      key.call('POST', `${at}/4/complete`),
    ])
    expect(both.map(({ body }) => body.data)).toEqual(
      both.map(() => expect.objectContaining({ n: 4, size: bytes.length })),
    )
    expect((await key.call('GET', `${at}/4/parts`)).body.data.is_completed).toBe(true)
    expect((await begin(1)).body.error.code).toBe('bundle.object_exists')
    expect((await putObject(key, bundle, { n: 4 })).body.error.code).toBe('bundle.object_exists')
    expect(await t.ctx.db.selectFrom('url_uploads').selectAll().execute()).toEqual([])
  })

  test('an object of a stored revision cannot be removed, and other objects can', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin)
    await putObject(t.admin, bundle, { n: 1 })
    const remove = async (n: number) => {
      const { status, body } = await t.admin.call('DELETE', `/api/bundles/${bundle.id}/objects/${n}`)
      return [status, body.error?.code]
    }
    expect(await remove(0)).toEqual([409, 'bundle.object_named'])
    expect(await remove(1)).toEqual([200, undefined])
    expect(await remove(1)).toEqual([409, 'bundle.object_missing'])
    await t.ctx.jobs.settle()
    expect((await filesOnDisk(t)).length).toBe(1)
  })

  test('an upload that is cancelled while its bytes arrive leaves no bytes', async () => {
    await using t = await startApp()
    const bundle = await draftBundle(t.admin)
    const sent = putObject(t.admin, bundle, { n: 0, bytes: Buffer.alloc(4 * 1024 * 1024) })
    await expect.poll(async () => (await objectRows(t)).length, { interval: 1 }).toBe(1)
    await t.admin.call('POST', '/api/bundles/delete', { body: { ids: [bundle.id] } })
    await sent
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect(await objectRows(t)).toEqual([])
  })
})
