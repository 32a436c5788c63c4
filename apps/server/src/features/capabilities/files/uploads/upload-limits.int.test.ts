import { expect, test } from 'vitest'
import { describeEachDatabase } from '../../../../testing/app.ts'
import { putFile } from '../../../../testing/fs.ts'
import {
  bytesOnDisk,
  expectNothingLeft,
  filesOnDisk,
  localDiskId,
  pathOf,
  setCapacity,
  setMaxUploadMb,
  share,
  shareRaw,
  uploadForm,
} from '../../../../testing/files.ts'
import { signCopyTarget } from '../../../../storage/signed-links.ts'

const MIB = 1024 * 1024

describeEachDatabase('upload limits', ({ startApp }) => {
  test('max_upload_size applies to every kind of upload, and to the bytes that arrive', async () => {
    await using t = await startApp()
    await setMaxUploadMb(t, 1)
    const s3_config_id = await localDiskId(t)
    const big = Buffer.alloc(MIB + 1, 'x')
    const presign = (size?: number) =>
      t.admin.call('POST', '/api/s3/presign', { body: { s3_config_id, filename: 'a.bin', size } })
    const refusals = [
      await presign(MIB + 1),
      await shareRaw(t.admin, 'a.bin', { bytes: big }),
      await uploadForm(t.admin, [{ name: 'file', value: big, filename: 'a.bin' }]),
      await t.visitor.call('PUT', pathOf((await presign()).body.data.upload_url), { payload: big }),
    ]
    expect(refusals.map((a) => [a.status, a.body?.error?.code])).toEqual(
      refusals.map(() => [413, 'file.too_large']),
    )
    expect(refusals[1]?.body.message).toContain('1 MB')
    expect(await filesOnDisk(t)).toEqual([])
    expect((await shareRaw(t.admin, 'a.bin', { bytes: big.subarray(1) })).status).toBe(200)
  })

  test.each([
    ['Cloudflare R2', 5 * 1024 ** 4 - 5 * 1024 ** 3],
    ['Backblaze B2', 10_000_000_000_000],
  ])('%s takes no larger object, whatever the settings say', async (provider_type, maxBytes) => {
    await using t = await startApp()
    await setMaxUploadMb(t, 10 * MIB)
    const bucket = {
      name: 'Bucket',
      provider_type,
      endpoint_url: 'http://127.0.0.1:9',
      bucket_name: 'bucket',
      access_key_id: 'id',
      secret_access_key: 'secret',
      total_storage_bytes: 1024 ** 5,
    }
    const { data } = (await t.admin.call('POST', '/api/s3-configs', { body: bucket })).body
    const presign = async (size: number) => {
      const body = { s3_config_id: data.id, filename: 'a.bin', size }
      const { status, body: answer } = await t.admin.call('POST', '/api/s3/presign', { body })
      return [status, answer.error?.code]
    }
    expect(await presign(maxBytes + 1)).toEqual([413, 'file.too_large'])
    expect(await presign(maxBytes)).toEqual([200, undefined])
  })

  test('a limit that is lowered during an upload applies at the commit, and the upload is deleted', async () => {
    await using t = await startApp()
    const s3_config_id = await localDiskId(t)
    const { data } = (
      await t.admin.call('POST', '/api/s3/presign', { body: { s3_config_id, filename: 'a.bin' } })
    ).body
    await t.visitor.call('PUT', pathOf(data.upload_url), { payload: Buffer.alloc(MIB + 1) })
    await setMaxUploadMb(t, 1)
    const refused = await t.admin.call('POST', '/api/s3/commit', { body: { file_id: data.file_id } })
    expect([refused.status, refused.body.error.code]).toEqual([413, 'file.too_large'])
    await expectNothingLeft(t)
  })

  test('a full storage refuses every kind of upload, and the error contains size, remaining space and capacity', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.bin', { bytes: Buffer.alloc(600) })
    await setCapacity(t, 1024)
    const s3_config_id = await localDiskId(t)
    const presign = (size: number | null, language: string) =>
      t.admin.call('POST', '/api/s3/presign', {
        body: { s3_config_id, filename: 'b.bin', size },
        headers: { 'accept-language': language },
      })
    const en = await presign(500, 'en-GB')
    expect([en.status, en.body.error.code]).toEqual([400, 'file.storage_full'])
    expect(en.body.message).toBe(
      'Insufficient storage: file size(500 B) exceeds the remaining space(424 B), the capacity limit is 1 KB.',
    )
    expect((await presign(500, 'zh-CN')).body.message).toBe(
      '存储空间不足：文件大小(500 B)超过剩余空间(424 B)，总容量限制为1 KB。',
    )
    const bytes = Buffer.alloc(425)
    expect((await shareRaw(t.admin, 'b.bin', { bytes })).body.error.code).toBe('file.storage_full')
    const formed = await uploadForm(t.admin, [{ name: 'file', value: bytes, filename: 'b.bin' }])
    expect([formed.status, formed.body.error.code]).toEqual([400, 'file.storage_full'])
    const unsized = (await presign(null, 'en')).body.data
    const put = await t.visitor.call('PUT', pathOf(unsized.upload_url), { payload: bytes })
    expect(put.status).toBe(413)
    expect((await shareRaw(t.admin, 'b.bin', { bytes: bytes.subarray(1) })).status).toBe(200)
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toHaveLength(2)
  })

  test('started uploads reserve space; deletions free it', async () => {
    await using t = await startApp()
    await setCapacity(t, 1000)
    const s3_config_id = await localDiskId(t)
    const made = await t.admin.call('POST', '/api/s3/presign', {
      body: { s3_config_id, filename: 'a.bin', size: 900 },
    })
    expect((await shareRaw(t.admin, 'b.bin', { bytes: Buffer.alloc(200) })).status).toBe(400)
    const ids = [made.body.data.file_id]
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids } })
    expect((await shareRaw(t.admin, 'b.bin', { bytes: Buffer.alloc(200) })).status).toBe(200)
  })
})

describeEachDatabase('copies by signed URLs', ({ startApp }) => {
  test('the bytes that a copy replaces count as free space', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/copy.bin', Buffer.alloc(80))
    await setCapacity(t, 100)
    const { secrets, clock } = t.ctx
    const address = signCopyTarget(
      { configId: await localDiskId(t), secrets, clock },
      { key: 'copy.bin', maxBytes: 1000, expiresInSeconds: 60, issuer: undefined },
    )
    const put = (bytes: number) => t.visitor.call('PUT', address, { payload: Buffer.alloc(bytes, 'x') })
    expect((await put(100)).status).toBe(200)
    expect((await put(101)).body.error.code).toBe('file.storage_full')
    expect((await bytesOnDisk(t, 'copy.bin')).length).toBe(100)
  })
})

describeEachDatabase('uploads of keys with a base path', ({ startApp }) => {
  test('are stored below it, for every requested folder', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true, basic_path: '/local/photos/2030' })
    await share(key, 'a.txt')
    await share(key, 'b.txt', { query: { path: '/sub/' } })
    for (const path of ['../x', '/../x', 'a/../../x', '%2e%2e/x', '..%2fx'])
      expect([path, (await shareRaw(key, 'c.txt', { query: { path } })).status]).toEqual([path, 400])
    const stored = await filesOnDisk(t)
    expect(stored).toHaveLength(2)
    expect(stored.every((path) => path.startsWith('photos/2030/'))).toBe(true)
    expect(stored.filter((path) => path.startsWith('photos/2030/dropleaf-shares/sub/'))).toHaveLength(1)
  })

  test('are refused if no mount of the storage is within the base path', async () => {
    await using t = await startApp()
    const outside = await t.keyClient({ file_permission: true, basic_path: '/other' })
    const refused = await shareRaw(outside, 'a.txt')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'auth.path_forbidden'])
    const beside = await t.keyClient({ file_permission: true, basic_path: '/localhost' })
    expect((await shareRaw(beside, 'a.txt')).status).toBe(403)
    const whole = await t.keyClient({ file_permission: true, basic_path: '/local' })
    expect((await shareRaw(whole, 'a.txt')).status).toBe(200)
    await t.ctx.db.updateTable('mounts').set({ is_active: 0 }).execute()
    expect((await shareRaw(whole, 'a.txt')).status).toBe(403)
    expect((await shareRaw(await t.keyClient({ file_permission: true }), 'a.txt')).status).toBe(200)
  })
})

describeEachDatabase('many small uploads at once', ({ startApp }) => {
  test('fill a storage to its last byte, but not more; then uploads are refused', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/other.bin', Buffer.alloc(5000))
    await setCapacity(t, 15_000)
    const upload = (name: string) => shareRaw(t.admin, name, { bytes: Buffer.alloc(500, name) })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => upload(`${at}.bin`)))
    const statuses = answers.map(({ status }) => status).sort()
    expect([...new Set(statuses)]).toEqual([200, 400])
    // A concurrent upload can be refused because of space that another refused upload still reserves.
    let stored = statuses.filter((status) => status === 200).length
    expect(stored).toBeGreaterThan(15)
    while ((await upload(`more-${stored}.bin`)).status === 200) stored += 1
    expect(stored).toBe(20)
    expect((await shareRaw(t.admin, 'one.bin', { bytes: Buffer.alloc(1) })).status).toBe(400)
  })

  test('one after another can use all free space, also before the index is up to date', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/other.bin', Buffer.alloc(5000))
    await setCapacity(t, 15_000)
    for (let count = 0; count < 20; count += 1)
      expect((await shareRaw(t.admin, `${count}.bin`, { bytes: Buffer.alloc(500) })).status).toBe(200)
    expect((await shareRaw(t.admin, 'last.bin', { bytes: Buffer.alloc(1) })).status).toBe(400)
  })
})
