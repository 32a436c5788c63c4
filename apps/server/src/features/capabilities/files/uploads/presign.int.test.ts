import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../../testing/app.ts'
import { bytesOnDisk, filesOnDisk, localDiskId, pathOf, share } from '../../../../testing/files.ts'

async function presign(t: TestApp, client: TestClient, body: Record<string, unknown> = {}) {
  const s3_config_id = await localDiskId(t)
  return client.call('POST', '/api/s3/presign', { body: { s3_config_id, filename: 'a.txt', ...body } })
}

const put = (t: TestApp, address: string, payload: string | Buffer) =>
  t.visitor.call('PUT', pathOf(address), { payload, headers: { 'content-type': 'text/plain' } })
const commit = (client: TestClient, file_id: string, body: Record<string, unknown> = {}) =>
  client.call('POST', '/api/s3/commit', { body: { file_id, ...body } })

describeEachDatabase('presign, PUT, commit', ({ startApp }) => {
  test('create a share with exactly the uploaded bytes, and with size, entity tag and hash from the storage', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ file_permission: true })
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 251))
    const made = await presign(t, key, {
      filename: 'Bericht.md',
      path: '/docs/',
      slug: 'report',
      size: 70_000,
    })
    expect(made.body).toMatchObject({ code: 200, success: true })
    const { data } = made.body
    expect(data).toMatchObject({
      slug: 'report',
      provider_type: 'Local disk',
      contentType: 'text/markdown',
      storage_path: expect.stringMatching(/^dropleaf-shares\/docs\/[A-Za-z0-9]{10}-Bericht\.md$/),
    })
    const stored = await put(t, data.upload_url, bytes)
    expect(stored.status).toBe(200)
    expect(stored.headers.etag).toMatch(/^".+"$/)
    expect(stored.headers['access-control-expose-headers']).toContain('ETag')
    const done = await commit(key, data.file_id, {
      etag: 'whatever the client says',
      size: '70000',
      remark: 'r',
      expires_in: '24',
      max_views: 0,
      filename: 'ignored.exe',
    })
    expect(done.body).toMatchObject({
      code: 200,
      success: true,
      data: {
        id: data.file_id,
        slug: 'report',
        filename: 'Bericht.md',
        size: 70_000,
        mimetype: 'text/markdown',
        etag: stored.headers.etag?.replaceAll('"', ''),
        sha256: createHash('sha256').update(bytes).digest('hex'),
        remark: 'r',
        hasPassword: false,
        expiresAt: '2030-01-02T00:00:00.000Z',
        maxViews: null,
        url: '/file/report',
      },
    })
    expect((await bytesOnDisk(t, data.storage_path)).equals(bytes)).toBe(true)
    expect((await t.visitor.call('GET', '/api/file-download/report')).bytes.equals(bytes)).toBe(true)
  })

  test('before its commit an upload is not listed, counted or served', async () => {
    await using t = await startApp()
    const { data } = (await presign(t, t.admin, { slug: 'pending', size: 5 })).body
    await put(t, data.upload_url, 'bytes')
    for (const path of [
      '/api/public/files/pending',
      `/api/public/files/${data.file_id}`,
      '/api/file-view/pending',
      '/api/file-download/pending',
      '/api/office-preview/pending',
    ])
      expect([path, (await t.visitor.call('GET', path)).status]).toEqual([path, 404])
    const list = (await t.admin.call('GET', '/api/admin/files')).body.data
    expect([list.files, list.pagination.total]).toEqual([[], 0])
    expect((await t.admin.call('GET', `/api/admin/files/${data.file_id}`)).status).toBe(404)
    const stats = (await t.admin.call('GET', '/api/admin/dashboard/stats')).body.data
    expect([stats.totalFiles, stats.totalStorageUsed]).toEqual([0, 0])
  })

  test('a signed URL is bound to method, key, storage, size and time', async () => {
    await using t = await startApp()
    const { data } = (await presign(t, t.admin, { size: 5 })).body
    const other = (await presign(t, t.admin, { size: 50 })).body.data
    const address = pathOf(data.upload_url)
    const putTo = (path: string, payload = 'bytes') => t.visitor.call('PUT', path, { payload })
    const wrong = [
      address.replace(data.storage_path, other.storage_path),
      address.replace(await localDiskId(t), 'another'),
      address.replace(/max=\d+/, 'max=500'),
      address.replace(/&?max=\d+/, ''),
      address.replace(/expires=\d+/, (text) => `expires=${Number(text.slice(8)) + 1}`),
      address.replace(/signature=./, 'signature=~'),
      `${address}&disposition=inline`,
      `${address}&type=text%2Fhtml`,
      address.replace(/\?.*/, '?expires=1&signature='),
    ]
    for (const path of wrong) {
      expect(path).not.toBe(address)
      const answer = await putTo(path)
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'storage.link_invalid'])
    }
    expect((await t.visitor.call('GET', address)).body.error.code).toBe('storage.link_invalid')
    expect((await t.visitor.call('HEAD', address)).status).toBe(403)
    const large = await putTo(address, 'bytes!')
    expect([large.status, large.body.error.code]).toEqual([413, 'file.too_large'])
    expect(await filesOnDisk(t)).toEqual([])
    expect((await putTo(address)).status).toBe(200)
    expect((await putTo(address, 'again')).status).toBe(200)
    t.clock.advance({ seconds: 3600 })
    expect((await putTo(address)).body.error.code).toBe('storage.link_expired')
    await commit(t.admin, data.file_id)
    expect((await bytesOnDisk(t, data.storage_path)).toString()).toBe('again')
  })

  test('after the commit the signed URL is refused', async () => {
    await using t = await startApp()
    const { data } = (await presign(t, t.admin)).body
    await put(t, data.upload_url, 'bytes')
    await commit(t.admin, data.file_id)
    expect((await put(t, data.upload_url, 'other')).body.error.code).toBe('storage.link_invalid')
    expect((await bytesOnDisk(t, data.storage_path)).toString()).toBe('bytes')
  })

  test('a commit is refused: too early 409, someone else’s 403, unknown 404, another size 400', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ file_permission: true })
    const two = await t.keyClient({ file_permission: true })
    const { data } = (await presign(t, one)).body
    const codeOf = async (client: TestClient, id: string, body = {}) => {
      const answer = await commit(client, id, body)
      return [answer.status, answer.body.error.code]
    }
    expect(await codeOf(one, data.file_id)).toEqual([409, 'file.not_uploaded'])
    await put(t, data.upload_url, 'bytes')
    expect(await codeOf(two, data.file_id)).toEqual([403, 'auth.forbidden'])
    expect(await codeOf(one, 'unknown')).toEqual([404, 'file.not_found'])
    expect(await codeOf(one, data.file_id, { size: 6 })).toEqual([400, 'file.size_mismatch'])
    expect(await codeOf(one, data.file_id, { max_views: -1 })).toEqual([400, 'request.invalid'])
    expect((await commit(one, data.file_id, { size: 5 })).status).toBe(200)
  })

  test('a repeated commit, or ten at once, return the same share', async () => {
    await using t = await startApp()
    const { data } = (await presign(t, t.admin)).body
    await put(t, data.upload_url, 'bytes')
    const wishes = { remark: 'r', password: 'p', max_views: 2, expires_in: 1 }
    const answers = await Promise.all(Array.from({ length: 10 }, () => commit(t.admin, data.file_id, wishes)))
    expect(answers.map((a) => a.status)).toEqual(Array.from({ length: 10 }, () => 200))
    const again = await commit(t.admin, data.file_id, {})
    expect(again.body.data).toMatchObject({ remark: 'r', hasPassword: true, maxViews: 2 })
  })

  test('a temporary failure of the database keeps the upload, which can be committed again', async () => {
    await using t = await startApp()
    const { data } = (await presign(t, t.admin)).body
    await put(t, data.upload_url, 'bytes')
    vi.spyOn(t.ctx.database, 'transaction').mockRejectedValueOnce(new Error('Connection terminated'))
    expect((await commit(t.admin, data.file_id)).status).toBeGreaterThanOrEqual(500)
    expect((await commit(t.admin, data.file_id)).status).toBe(200)
    expect((await bytesOnDisk(t, data.storage_path)).toString()).toBe('bytes')
  })

  test('an abandoned upload is refused and swept with its bytes, and its suffix is free again', async () => {
    await using t = await startApp()
    const { data } = (await presign(t, t.admin, { slug: 'later' })).body
    await put(t, data.upload_url, 'bytes')
    expect((await presign(t, t.admin, { slug: 'later' })).status).toBe(409)
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toHaveLength(1)
    t.clock.advance({ hours: 7 })
    expect((await commit(t.admin, data.file_id)).body.error.code).toBe('file.upload_expired')
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect(await t.ctx.db.selectFrom('files').selectAll().execute()).toEqual([])
    expect(await t.ctx.db.selectFrom('object_removals').selectAll().execute()).toEqual([])
    expect((await commit(t.admin, data.file_id)).status).toBe(404)
    expect((await presign(t, t.admin, { slug: 'later' })).status).toBe(200)
  })

  test('a cancelled upload is deleted through batch-delete, and its URL is refused', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true })
    const { data } = (await presign(t, key)).body
    await put(t, data.upload_url, 'bytes')
    const gone = await key.call('DELETE', '/api/user/files/batch-delete', { body: { ids: [data.file_id] } })
    expect(gone.body.data).toEqual({ success: 1, failed: [] })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect((await put(t, data.upload_url, 'bytes')).status).toBe(403)
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
  })

  test('override replaces only a file of the caller, at the commit and not before', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ file_permission: true })
    const two = await t.keyClient({ file_permission: true })
    const old = await share(one, 'old.txt', { bytes: 'old', query: { slug: 'mine' } })
    expect((await presign(t, one, { slug: 'mine' })).body.error.code).toBe('file.slug_taken')
    expect((await presign(t, two, { slug: 'mine', override: 'true' })).status).toBe(403)
    const { data } = (await presign(t, one, { slug: 'mine', override: 'true' })).body
    expect(data.slug).toBe('mine')
    await put(t, data.upload_url, 'new')
    expect((await t.visitor.call('GET', '/api/file-download/mine')).text).toBe('old')
    expect((await commit(one, data.file_id)).body.data.slug).toBe('mine')
    expect((await t.visitor.call('GET', '/api/file-download/mine')).text).toBe('new')
    expect((await t.visitor.call('GET', `/api/public/files/${old.id}`)).status).toBe(404)
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([data.storage_path])
  })

  test('a storage that a key may not use is 403, an unknown one 404; a dropped folder is 400', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true })
    expect((await presign(t, key, { s3_config_id: 'unknown' })).body.error.code).toBe('storage.not_found')
    expect((await presign(t, key, { s3_config_id: '' })).status).toBe(400)
    for (const path of ['../x', 'a/../../b', 'a/%2e%2e/b', 'a\\b', 'a//b'])
      expect([path, (await presign(t, key, { path })).body.error?.code]).toEqual([path, 'file.path_invalid'])
    await t.ctx.db.updateTable('storage_configs').set({ is_public: 0 }).execute()
    expect((await presign(t, key)).body.error?.code).toBe('auth.storage_forbidden')
    expect((await key.call('GET', '/api/s3-configs')).body.data).toEqual([])
    expect((await presign(t, t.admin)).status).toBe(200)
  })
})
