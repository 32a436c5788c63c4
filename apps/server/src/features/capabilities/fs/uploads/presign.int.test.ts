import { randomBytes } from 'node:crypto'
import { parseStorageKey, stagingKey } from '@dropleaf/storage'
import { describe, expect, inject, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../../testing/app.ts'
import { setMaxUploadMb } from '../../../../testing/files.ts'
import { download, getEntry, hostilePaths, putFile, putSigned, shareInPlace } from '../../../../testing/fs.ts'
import { addS3Mount, describeEachStorage, type StorageTestApp } from '../../../../testing/storages.ts'
import { getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { sweepUploadsJob } from './uploads.jobs.ts'

const codeOf = (answer: { body?: { error?: { code: string } } }) => answer.body?.error?.code
const presign = (client: TestClient, path: string, fileName: string, more: Record<string, unknown> = {}) =>
  client.call('POST', '/api/fs/presign', { body: { path, fileName, ...more } })
const commit = (client: TestClient, body: Record<string, unknown>) =>
  client.call('POST', '/api/fs/presign/commit', { body })
const stateOf = async (t: TestApp, id: string) =>
  (await t.ctx.db.selectFrom('fs_uploads').select('state').where('id', '=', id).executeTakeFirst())?.state
const sweep = (t: TestApp) => sweepUploadsJob(t.ctx).run(new AbortController().signal)

/** Counts the unfinished uploads in the storage. */
async function hiddenUploads(t: StorageTestApp): Promise<number> {
  const rows = await t.ctx.db.selectFrom('fs_uploads').selectAll().execute()
  const { multipart } = await t.storage.driver()
  let found = 0
  for (const row of rows) {
    if (row.storage_upload_id === null) continue
    const ref = { key: parseStorageKey(row.storage_key), uploadId: row.storage_upload_id }
    const isThere = await multipart?.listParts(ref).then(
      () => true,
      () => false,
    )
    found += Number(isThere)
  }
  return found
}

describeEachStorage('fs: presign, PUT, commit', ({ startApp, mountPath, kind }) => {
  test('a cancelled upload leaves nothing and cannot be committed', async () => {
    await using t = await startApp()
    const { data } = (await presign(t.admin, mountPath, 'a.txt', { fileSize: 3 })).body
    await putSigned(t.visitor, data.presignedUrl, 'abc')
    const giveUp = () => t.admin.call('POST', '/api/fs/multipart/abort', { body: { uploadId: data.fileId } })
    expect((await giveUp()).status).toBe(200)
    expect((await giveUp()).status).toBe(200)
    expect(await stateOf(t, data.fileId)).toBe('aborted')
    expect(await hiddenUploads(t)).toBe(0)
    expect(codeOf(await commit(t.admin, data))).toBe('fs.upload_not_found')
    expect(await t.storage.keys()).toEqual([])
  })

  test('store a file directly in the storage; it is not visible before the commit', async () => {
    await using t = await startApp()
    const bytes = randomBytes(300_000)
    const made = await presign(t.admin, `${mountPath}/docs/`, '报告.md', { fileSize: bytes.length })
    const { data } = made.body
    expect(made.status).toBe(200)
    expect(Object.keys(data).toSorted()).toEqual(
      'contentType fileId mountId presignedUrl s3ConfigId s3Path s3Url targetPath'.split(' '),
    )
    expect(data).toMatchObject({
      s3Path: 'docs/报告.md',
      targetPath: `${mountPath}/docs/报告.md`,
      mountId: t.storage.mountId,
      s3ConfigId: t.storage.configId,
      contentType: 'text/markdown',
    })
    const { endpoint_url: endpoint, bucket_name: bucket } = await getConfig(t.ctx, t.storage.configId)
    const address =
      kind === 's3' ? `${endpoint}/${bucket}` : `http://localhost:80/api/storage/${t.storage.configId}`
    expect(decodeURIComponent(data.s3Url)).toBe(`${address}/docs/报告.md`)
    expect(codeOf(await commit(t.admin, data))).toBe('file.not_uploaded')
    expect((await putSigned(t.visitor, data.presignedUrl, bytes)).status).toBe(200)
    expect(await t.storage.keys()).toEqual([])
    expect(codeOf(await getEntry(t.admin, data.targetPath))).toBe('fs.not_found')
    const done = await commit(t.admin, { ...data, etag: 'whatever', fileSize: bytes.length })
    expect(done.body).toMatchObject({
      code: 200,
      success: true,
      data: {
        fileId: data.fileId,
        fileName: '报告.md',
        targetPath: data.targetPath,
        fileSize: bytes.length,
        contentType: 'text/markdown',
      },
    })
    expect((await download(t.admin, data.targetPath)).bytes.equals(bytes)).toBe(true)
    const again = await commit(t.admin, data)
    expect([again.status, again.body.data]).toEqual([200, done.body.data])
    expect(await t.storage.keys()).toEqual(['docs/报告.md'])
    expect(await t.ctx.db.selectFrom('files').select('id').execute()).toEqual([])
  })

  test('an upload over an existing file replaces it completely at the commit, and not before', async () => {
    await using t = await startApp()
    const slug = await shareInPlace(t.admin, `${mountPath}/a.txt`, 'old')
    const { data } = (await presign(t.admin, mountPath, 'a.txt')).body
    await putSigned(t.visitor, data.presignedUrl, 'first try')
    await putSigned(t.visitor, data.presignedUrl, 'second')
    expect(await t.storage.text('a.txt')).toBe('old')
    expect((await commit(t.admin, { fileId: data.fileId })).status).toBe(200)
    expect(await t.storage.text('a.txt')).toBe('second')
    const read = await t.visitor.call('GET', `/api/file-download/${slug}`)
    expect([read.text, read.headers['content-length']]).toEqual(['second', '6'])
    const late = await putSigned(t.visitor, data.presignedUrl, 'after the commit')
    expect(late.status).toBeGreaterThanOrEqual(400)
    expect(await t.storage.text('a.txt')).toBe('second')
  })

  test('empty files, and two commits at once', async () => {
    await using t = await startApp()
    const { data } = (await presign(t.admin, mountPath, 'empty.txt', { fileSize: 0 })).body
    await putSigned(t.visitor, data.presignedUrl, '')
    const answers = await Promise.all([commit(t.admin, data), commit(t.admin, data)])
    expect(answers.map((answer) => [answer.status, answer.body.data?.fileSize])).toEqual([
      [200, 0],
      [200, 0],
    ])
    expect(await t.storage.text('empty.txt')).toBe('')
  })

  test('the commit identifies the upload by its id: its other fields must match the started upload', async () => {
    await using t = await startApp()
    await putFile(t.admin, `${mountPath}/secret.txt`, 'secret')
    const { data } = (await presign(t.admin, mountPath, 'a.txt')).body
    await putSigned(t.visitor, data.presignedUrl, 'mine')
    for (const field of ['s3Path', 's3ConfigId', 'targetPath', 'mountId']) {
      const answer = await commit(t.admin, { ...data, [field]: 'secret.txt' })
      expect([field, answer.status, codeOf(answer)]).toEqual([field, 400, 'fs.upload_mismatch'])
    }
    expect(codeOf(await commit(t.admin, { ...data, fileSize: 5 }))).toBe('file.size_mismatch')
    expect(codeOf(await commit(t.admin, { ...data, fileId: 'unknown' }))).toBe('fs.upload_not_found')
    expect((await commit(t.admin, {})).status).toBe(400)
    expect(await t.storage.keys()).toEqual(['secret.txt'])
  })

  test('only its creator and an administrator can commit it, and only with permission to write there', async () => {
    await using t = await startApp()
    const own = await t.keyClient({ mount_permission: true, basic_path: `${mountPath}/photos` })
    const other = await t.keyClient({ mount_permission: true })
    const reader = await t.keyClient({ mount_permission: true, mount_read_only: true })
    expect(codeOf(await presign(reader, mountPath, 'a.txt'))).toBe('fs.read_only')
    expect(codeOf(await presign(own, mountPath, 'photos'))).toBe('auth.path_forbidden')
    expect(codeOf(await presign(own, `${mountPath}/photos2`, 'a.txt'))).toBe('auth.path_forbidden')
    for (const path of hostilePaths(`${mountPath}/photos`))
      expect([path, [400, 403].includes((await presign(own, path, 'a.txt')).status)]).toEqual([path, true])
    for (const name of ['..', '.', '', ' ', 'a\u0000b', 'a'.repeat(300)])
      expect([name, (await presign(own, `${mountPath}/photos`, name)).status]).toEqual([name, 400])
    const { data } = (await presign(own, `${mountPath}/photos`, '../a.txt')).body
    expect(data.s3Path).toBe('photos/a.txt')
    await putSigned(t.visitor, data.presignedUrl, 'bytes')
    expect(codeOf(await commit(other, data))).toBe('fs.upload_not_found')
    await t.ctx.db.updateTable('api_keys').set({ mount_read_only: 1 }).where('id', '=', own.id).execute()
    expect(codeOf(await commit(own, data))).toBe('fs.read_only')
    await t.ctx.db
      .updateTable('api_keys')
      .set({ mount_read_only: 0, basic_path: '/elsewhere' })
      .where('id', '=', own.id)
      .execute()
    expect(codeOf(await commit(own, data))).toBe('auth.path_forbidden')
    expect((await commit(t.admin, data)).status).toBe(200)
    expect(await t.storage.keys()).toEqual(['photos/a.txt'])
  })

  test('limits apply at the start and to the bytes that arrived; a refused upload is deleted', async () => {
    await using t = await startApp()
    await setMaxUploadMb(t, 1)
    const big = await presign(t.admin, mountPath, 'a.bin', { fileSize: 1024 * 1024 + 1 })
    expect([big.status, codeOf(big)]).toEqual([413, 'file.too_large'])
    await t.ctx.db
      .updateTable('storage_configs')
      .set({ total_storage_bytes: 1000 })
      .where('id', '=', t.storage.configId)
      .execute()
    expect(codeOf(await presign(t.admin, mountPath, 'a.bin', { fileSize: 1001 }))).toBe('file.storage_full')
    const first = (await presign(t.admin, mountPath, 'a.bin', { fileSize: 600 })).body.data
    expect(codeOf(await presign(t.admin, mountPath, 'b.bin', { fileSize: 600 }))).toBe('file.storage_full')
    const unannounced = (await presign(t.admin, mountPath, 'c.bin')).body.data
    const put = await putSigned(t.visitor, unannounced.presignedUrl, randomBytes(2000))
    // A signed S3 URL cannot limit the size, so the commit checks the size.
    expect(put.status).toBe(kind === 's3' ? 200 : 413)
    if (kind === 's3') {
      expect(codeOf(await commit(t.admin, unannounced))).toBe('file.storage_full')
      expect(await stateOf(t, unannounced.fileId)).toBe('aborted')
      expect(codeOf(await commit(t.admin, unannounced))).toBe('fs.upload_not_found')
    }
    await putSigned(t.visitor, first.presignedUrl, randomBytes(600))
    expect((await commit(t.admin, first)).status).toBe(200)
    expect(await t.storage.keys()).toEqual(['a.bin'])
  })

  test('an uncommitted upload is swept after a day; the record of a committed one is deleted', async () => {
    await using t = await startApp()
    const { data } = (await presign(t.admin, mountPath, 'a.txt')).body
    await putSigned(t.visitor, data.presignedUrl, 'bytes')
    const kept = (await presign(t.admin, mountPath, 'b.txt')).body.data
    await putSigned(t.visitor, kept.presignedUrl, 'kept')
    await commit(t.admin, kept)
    expect(await hiddenUploads(t)).toBe(1)
    t.clock.advance({ hours: 23 })
    await sweep(t)
    expect(await stateOf(t, data.fileId)).toBe('open')
    t.clock.advance({ hours: 2 })
    const { admin } = await relogin(t)
    expect(codeOf(await commit(admin, data))).toBe('fs.upload_not_found')
    await sweep(t)
    expect(await t.ctx.db.selectFrom('fs_uploads').select('id').execute()).toEqual([])
    expect(await hiddenUploads(t)).toBe(0)
    expect(await t.storage.keys()).toEqual(['b.txt'])
  })
})

/** Logs in again, since the administrator's session expires after a day. */
async function relogin(t: TestApp) {
  const { body } = await t.visitor.call('POST', '/api/admin/login', {
    body: { username: 'admin', password: 'correct horse battery' },
  })
  return { admin: t.client(`Bearer ${body.data.token}`) }
}

describeEachDatabase('fs: presign where a single part cannot be a multipart upload', ({ startApp }) => {
  describe.skipIf(inject('s3Gateway') === null)('[s3]', () => {
    test('a single PUT is stored at a hidden key and copied by the commit', async () => {
      await using t = await startApp({ now: new Date().toISOString() })
      await using storage = await addS3Mount(t, { mountPath: '/s3' })
      const mountPath = '/s3'
      const asBackblaze = { provider_type: 'Backblaze B2' }
      await t.ctx.db
        .updateTable('storage_configs')
        .set(asBackblaze)
        .where('id', '=', storage.configId)
        .execute()
      await storage.put('a.txt', 'old')
      const { data } = (await presign(t.admin, mountPath, 'a.txt')).body
      expect(codeOf(await commit(t.admin, data))).toBe('file.not_uploaded')
      await putSigned(t.visitor, data.presignedUrl, 'new')
      expect([await storage.keys(), await storage.text('a.txt')]).toEqual([['a.txt'], 'old'])
      expect((await commit(t.admin, data)).body.data.fileSize).toBe(3)
      expect((await commit(t.admin, data)).status).toBe(200)
      expect(await storage.text('a.txt')).toBe('new')
      const init = { path: mountPath, fileName: 'b.txt', fileSize: 5 }
      const parts = (await t.admin.call('POST', '/api/fs/multipart/init', { body: init })).body.data
      const { uploadId } = parts
      expect((await putSigned(t.visitor, parts.presignedUrls[0].url, 'bytes')).status).toBe(200)
      const progress = await t.admin.call('GET', '/api/fs/multipart/parts', { query: { uploadId } })
      expect(progress.body.data.parts).toMatchObject([{ partNumber: 1, size: 5 }])
      const done = await t.admin.call('POST', '/api/fs/multipart/complete', { body: { uploadId, ...init } })
      expect([done.status, await storage.text('b.txt')]).toEqual([200, 'bytes'])
      const left = (await presign(t.admin, mountPath, 'c.txt')).body.data
      await putSigned(t.visitor, left.presignedUrl, 'left')
      const driver = await storage.driver()
      t.clock.advance({ hours: 25 })
      await sweep(t)
      expect(await driver.stat(stagingKey(left.fileId))).toBeNull()
      expect(await storage.keys()).toEqual(['a.txt', 'b.txt'])
    })
  })
})
