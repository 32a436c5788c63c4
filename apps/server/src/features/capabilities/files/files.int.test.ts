import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { filesOnDisk, localDiskId, pathOf, share, shareRaw } from '../../../testing/files.ts'

const adminFile = async (t: TestApp, id: string) =>
  (await t.admin.call('GET', `/api/admin/files/${id}`)).body.data
const update = (t: TestApp, id: string, body: Record<string, unknown>) =>
  t.admin.call('PUT', `/api/admin/files/${id}`, { body })
const remove = (client: TestClient, who: 'admin' | 'user', ids: unknown) =>
  client.call('DELETE', `/api/${who}/files/batch-delete`, { body: { ids } })

describeEachDatabase('files: lists and details', ({ startApp }) => {
  test('the list of the administrator is paged newest first, can be filtered, and has all fields for the owner', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ name: 'holder', file_permission: true })
    for (let n = 0; n < 3; n += 1) {
      await share(t.admin, `${n}.txt`, { query: { slug: `file-${n}` } })
      t.clock.advance({ seconds: 1 })
    }
    await share(key, 'k.txt', { query: { slug: 'keyed', password: 'sesame', max_views: '2', remark: 'r' } })
    const page = (await t.admin.call('GET', '/api/admin/files?limit=2&offset=0')).body
    expect(page.data.pagination).toEqual({ total: 4, limit: 2, offset: 0, hasMore: true })
    expect(page.data.files[0]).toMatchObject({
      slug: 'keyed',
      filename: 'k.txt',
      size: 5,
      mimetype: 'text/plain',
      remark: 'r',
      views: 0,
      max_views: 2,
      expires_at: null,
      has_password: true,
      plain_password: 'sesame',
      created_by: `apikey:${key.id}`,
      key_name: 'holder',
      use_proxy: 1,
      s3_config_name: 'Local disk',
      s3_provider_type: 'Local disk',
      s3_config_id: await localDiskId(t),
      created_at: '2030-01-01T00:00:03.000Z',
    })
    expect(page.data.files[1].slug).toBe('file-2')
    expect(JSON.stringify(page)).not.toMatch(/password_hash|password_sealed/)
    const totalOf = async (query: string) =>
      (await t.admin.call('GET', `/api/admin/files?${query}`)).body.data.pagination.total
    expect(await totalOf(`created_by=apikey:${key.id}`)).toBe(1)
    expect(await totalOf(`s3_config_id=${await localDiskId(t)}`)).toBe(4)
    expect(await totalOf('s3_config_id=unknown')).toBe(0)
    for (const query of ['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'limit=201'])
      expect([query, (await t.admin.call('GET', `/api/admin/files?${query}`)).status]).toEqual([query, 400])
  })

  test('a key lists its own files and gets its own name; the own list of the administrator contains only own files', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ name: 'one', file_permission: true, basic_path: '/local/a' })
    const two = await t.keyClient({ file_permission: true })
    await share(one, 'mine.txt')
    await share(two, 'theirs.txt')
    await share(t.admin, 'admins.txt')
    const list = (await one.call('GET', '/api/user/files')).body
    expect(list).toMatchObject({
      success: true,
      key_info: { id: one.id, name: 'one', basicPath: '/local/a' },
      data: {
        pagination: { total: 1, limit: 50, offset: 0, hasMore: false },
        files: [{ filename: 'mine.txt' }],
      },
    })
    const own = (await t.admin.call('GET', '/api/user/files')).body
    expect([own.data.files.length, own.key_info]).toEqual([1, null])
  })

  test('the details contain working URLs of the bytes, and count no view', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', { query: { slug: 'one', max_views: '1' } })
    const data = await adminFile(t, id)
    expect(data).toMatchObject({ id, slug: 'one', has_password: 0, views: 0, urls: { use_proxy: 1 } })
    expect(data.urls.proxyDownloadUrl).toMatch(/^http:\/\/[^/]+\/api\/file-download\/one$/)
    expect(data.urls.proxyPreviewUrl).toMatch(/\/api\/file-view\/one$/)
    for (const name of ['previewUrl', 'downloadUrl'])
      expect((await t.visitor.call('GET', pathOf(data.urls[name]))).text).toBe('bytes')
    expect((await adminFile(t, id)).views).toBe(0)
    expect((await adminFile(t, 'one')).id).toBe(id)
    expect((await t.admin.call('GET', '/api/admin/files/unknown')).body.error.code).toBe('file.not_found')
  })

  test('a key cannot see, change or delete another’s: 404 or a listed failure, and nothing happens', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ file_permission: true })
    const two = await t.keyClient({ file_permission: true })
    const { id, slug } = await share(one, 'mine.txt')
    for (const name of [id, slug]) {
      expect((await two.call('GET', `/api/user/files/${name}`)).status).toBe(404)
      expect((await two.call('PUT', `/api/user/files/${name}`, { body: { remark: 'x' } })).status).toBe(404)
    }
    expect((await two.call('GET', `/api/admin/files/${id}`)).status).toBe(403)
    const refused = await remove(two, 'user', [id])
    expect([refused.status, refused.body.data.success]).toEqual([200, 0])
    expect(refused.body.data.failed).toEqual([{ id, error: expect.stringContaining('not exist') }])
    expect((await one.call('GET', `/api/user/files/${id}`)).body.data.remark).toBeNull()
    expect((await one.call('PUT', `/api/user/files/${id}`, { body: { remark: 'mine' } })).status).toBe(200)
    expect((await adminFile(t, id)).remark).toBe('mine')
  })

  test('a suffix that looks like an id is refused, because it could be mistaken for another file', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'victim.txt')
    const key = await t.keyClient({ file_permission: true })
    expect((await shareRaw(key, 'trap.txt', { query: { slug: id } })).status).toBe(400)
  })
})

describeEachDatabase('files: update', ({ startApp }) => {
  test('absent fields are unchanged, an empty change is accepted, null and blank clear a field', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', {
      query: { slug: 'kept', remark: 'r', password: 'p', max_views: '3', expires_in: '5' },
    })
    const before = await adminFile(t, id)
    expect((await update(t, id, {})).body).toMatchObject({ code: 200, success: true })
    expect(await adminFile(t, id)).toMatchObject({
      remark: 'r',
      slug: 'kept',
      plain_password: 'p',
      max_views: 3,
      expires_at: before.expires_at,
      use_proxy: 1,
    })
    await update(t, id, { remark: null, password: null, max_views: null, expires_at: null, use_proxy: false })
    expect(await adminFile(t, id)).toMatchObject({
      remark: null,
      plain_password: null,
      has_password: 0,
      max_views: null,
      expires_at: null,
      use_proxy: 0,
    })
    await update(t, id, { expires_at: '2031-01-01T08:00:00+08:00', use_proxy: '1', max_views: '7' })
    expect(await adminFile(t, id)).toMatchObject({
      expires_at: '2031-01-01T00:00:00.000Z',
      use_proxy: 1,
      max_views: 7,
    })
  })

  test('a changed view limit resets the count, an unchanged one does not', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', { query: { slug: 'two', max_views: '2' } })
    const read = async () => (await t.visitor.call('GET', '/api/public/files/two')).status
    expect([await read(), await read(), await read()]).toEqual([200, 200, 410])
    await update(t, id, { max_views: 2 })
    expect(await read()).toBe(410)
    await update(t, id, { max_views: 3 })
    expect((await adminFile(t, id)).views).toBe(0)
    expect(await read()).toBe(200)
  })

  test('the suffix: taken 409, malformed or reserved 400, blank or null a random one, its own no conflict', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', { query: { slug: 'mine' } })
    await share(t.admin, 'b.txt', { query: { slug: 'taken' } })
    const taken = await update(t, id, { slug: 'taken' })
    expect([taken.status, taken.body.error.code]).toEqual([409, 'file.slug_taken'])
    for (const slug of ['a b', 'x'.repeat(51), 'api', '后缀', 7])
      expect([slug, (await update(t, id, { slug })).status]).toEqual([slug, 400])
    expect((await update(t, id, { slug: 'mine' })).status).toBe(200)
    for (const slug of [null, '']) {
      await update(t, id, { slug })
      expect((await adminFile(t, id)).slug).toMatch(/^[A-Za-z0-9]{6}$/)
    }
    expect((await update(t, id, { slug: 'mine' })).status).toBe(200)
    expect((await t.visitor.call('GET', '/api/file-download/mine')).text).toBe('bytes')
    const paste = await t.admin.call('POST', '/api/paste', { body: { content: 'x', slug: 'mine' } })
    expect(paste.status).toBe(201)
  })

  test('wrong values are 400, an unknown file is 404', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt')
    for (const bad of [
      { max_views: -1 },
      { expires_at: 'soon' },
      { use_proxy: 'maybe' },
      { remark: 'x'.repeat(501) },
      { password: 'x'.repeat(257) },
      { password: 7 },
    ])
      expect([bad, (await update(t, id, bad)).status]).toEqual([bad, 400])
    expect((await update(t, 'unknown', {})).status).toBe(404)
  })
})

describeEachDatabase('files: concurrent deletions', ({ startApp }) => {
  test('a change of a share that is deleted at the same time is a 404', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt')
    vi.spyOn(t.ctx.passwords, 'hash').mockImplementationOnce(async () => {
      await remove(t.admin, 'admin', [id])
      return 'hashed'
    })
    const answer = await update(t, id, { password: 'secret' })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'file.not_found'])
  })

  test('a share that the sweep purges during its deletion is left to the sweep', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt')
    const purging = Promise.withResolvers<void>()
    const ending = Promise.withResolvers<void>()
    const purged = t.ctx.database.transaction(async (trx) => {
      await trx
        .updateTable('files')
        .set({ purged_at_ms: t.clock.nowMs(), storage_key: `purged:${id}` })
        .where('id', '=', id)
        .execute()
      purging.resolve()
      await ending.promise
    })
    await purging.promise
    const removed = remove(t.admin, 'admin', [id])
    // Waits so that the deletion can reach the row lock. The result is the same in either order.
    await sleep(100)
    ending.resolve()
    await purged
    expect((await removed).body.data).toMatchObject({ success: 0, failed: [{ id }] })
    expect(await t.ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
  })
})

describeEachDatabase('files: delete', ({ startApp }) => {
  test('batch-delete removes shares with their bytes and lists the failures, in the caller’s language', async () => {
    await using t = await startApp()
    const one = await share(t.admin, 'a.txt')
    const two = await share(t.admin, 'b.txt')
    const answer = await remove(t.admin, 'admin', [one.id, 'unknown', two.id, one.id])
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      success: 2,
      failed: [{ id: 'unknown', error: 'This file does not exist (404).' }],
    })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect((await t.visitor.call('GET', `/api/file-view/${one.slug}`)).status).toBe(404)
    const zh = await t.admin.call('DELETE', '/api/admin/files/batch-delete', {
      body: { ids: ['unknown'] },
      headers: { 'accept-language': 'zh' },
    })
    expect(zh.body.data).toEqual({ success: 0, failed: [{ id: 'unknown', error: '文件不存在。' }] })
    for (const bad of [[], undefined, 'x', [''], [7]])
      expect([bad, (await remove(t.admin, 'admin', bad)).status]).toEqual([bad, 400])
  })
})

describeEachDatabase('storage configs', ({ startApp }) => {
  test('the first start creates a local disk as the default storage, of which keys see fewer fields', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true })
    const [config] = (await t.admin.call('GET', '/api/s3-configs')).body.data
    expect(config).toMatchObject({
      name: 'Local disk',
      provider_type: 'Local disk',
      is_default: 1,
      is_public: 1,
      signature_expires_in: 3600,
      total_storage_bytes: null,
    })
    expect(JSON.stringify(config)).not.toMatch(/access_key/)
    const seen = (await key.call('GET', '/api/s3-configs')).body
    expect(seen.total).toBe(1)
    expect(seen.data[0]).not.toHaveProperty('is_public')
    expect(seen.data[0]).not.toHaveProperty('last_used')
    expect((await key.call('GET', `/api/s3-configs/${config.id}`)).body.data.id).toBe(config.id)
    expect((await key.call('GET', '/api/s3-configs/unknown')).body.error.code).toBe('storage.not_found')
    await t.ctx.db.updateTable('storage_configs').set({ is_public: 0 }).execute()
    expect((await key.call('GET', `/api/s3-configs/${config.id}`)).status).toBe(404)
  })
})
