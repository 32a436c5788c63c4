import { expect, test } from 'vitest'
import type { TestApp, TestClient } from '../../../testing/app.ts'
import { expectNothingLeft, setMaxUploadMb } from '../../../testing/files.ts'
import { describeEachStorage, type StorageTestApp } from '../../../testing/storages.ts'

const MIB = 1024 ** 2
const BYTES = Buffer.alloc(11 * MIB, 'no part is like another: 0123456789')

interface PartAddress {
  readonly partNumber: number
  readonly url: string
}

/** Uploads a part as a client does, to the URL of the bucket or of this server. */
async function putPart(t: TestApp, { url }: PartAddress, payload: Buffer): Promise<number> {
  const { pathname, search } = new URL(url)
  if (!url.startsWith('http://localhost'))
    return (await fetch(url, { method: 'PUT', body: new Uint8Array(payload) })).status
  const headers = { 'content-type': 'application/octet-stream' }
  return (await t.visitor.call('PUT', pathname + search, { payload, headers })).status
}

const begin = (t: StorageTestApp, client: TestClient, fields: object = {}) =>
  client.call('POST', '/api/s3/multipart/init', {
    body: { filename: 'big.bin', size: BYTES.length, s3_config_id: t.storage.configId, ...fields },
  })
const look = (client: TestClient, id: string) =>
  client.call('GET', '/api/s3/multipart/parts', { query: { file_id: id } })
const complete = (client: TestClient, id: string) =>
  client.call('POST', '/api/s3/multipart/complete', { body: { file_id: id } })

describeEachStorage('shares in parts', ({ startApp }) => {
  test('only the owner of an interrupted upload can resume it, with the missing parts', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true })
    const other = await t.keyClient({ file_permission: true })
    const wishes = { slug: 'big', password: 'pw', max_views: 3, remark: 'parts', expires_in: 2 }
    const begun = (await begin(t, key, wishes)).body.data
    expect(begun).toMatchObject({ slug: 'big', size: BYTES.length, part_size: 5 * MIB, part_count: 3 })
    expect((await t.visitor.call('GET', '/api/public/files/big')).status).toBe(404)
    const partOf = (partNumber: number) =>
      BYTES.subarray((partNumber - 1) * begun.part_size, partNumber * begun.part_size)
    for (const partNumber of [3, 1])
      expect(await putPart(t, begun.presigned_urls[partNumber - 1], partOf(partNumber))).toBe(200)
    expect((await look(other, begun.file_id)).status).toBe(403)
    expect((await complete(other, begun.file_id)).status).toBe(403)
    expect((await complete(key, begun.file_id)).body.error.code).toBe('file.parts_invalid')

    const { parts, presigned_urls, is_completed } = (await look(key, begun.file_id)).body.data
    expect(parts.map((part: { partNumber: number; size: number }) => [part.partNumber, part.size])).toEqual([
      [1, 5 * MIB],
      [3, MIB],
    ])
    expect([presigned_urls.length, presigned_urls[0].partNumber, is_completed]).toEqual([1, 2, false])
    expect(await putPart(t, presigned_urls[0], partOf(2))).toBe(200)
    const done = (await complete(key, begun.file_id)).body.data
    expect(done).toMatchObject({ slug: 'big', size: BYTES.length, hasPassword: true, maxViews: 3 })
    expect((await complete(key, begun.file_id)).body.data).toEqual(done)
    expect((await look(key, begun.file_id)).body.data).toMatchObject({
      is_completed: true,
      presigned_urls: [],
    })
    expect((await look(other, begun.file_id)).status).toBe(403)
    const read = await t.visitor.call('GET', '/api/file-download/big', { query: { password: 'pw' } })
    expect(read.bytes.equals(BYTES)).toBe(true)
    expect(await t.ctx.db.selectFrom('url_uploads').selectAll().execute()).toEqual([])
  })

  test('an interrupted part does no harm: it is reported as missing, and sent again', async () => {
    await using t = await startApp()
    const begun = (await begin(t, t.admin)).body.data
    const partOf = (partNumber: number) =>
      BYTES.subarray((partNumber - 1) * begun.part_size, partNumber * begun.part_size)
    expect(await putPart(t, begun.presigned_urls[0], partOf(1).subarray(0, 1000))).toBe(200)
    for (const partNumber of [2, 3])
      await putPart(t, begun.presigned_urls[partNumber - 1], partOf(partNumber))
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await complete(t.admin, begun.file_id)
      expect([status, body.error.code]).toEqual([400, 'file.parts_invalid'])
    }
    const { presigned_urls } = (await look(t.admin, begun.file_id)).body.data
    expect(presigned_urls).toMatchObject([{ partNumber: 1 }])
    expect(await putPart(t, presigned_urls[0], partOf(1))).toBe(200)
    expect((await complete(t.admin, begun.file_id)).body.data).toMatchObject({ size: BYTES.length })
  })

  test('an upload whose key has got another base path does not write to the old one', async () => {
    await using t = await startApp()
    const { mountPath } = t.storage
    const key = await t.keyClient({
      file_permission: true,
      mount_permission: true,
      basic_path: `${mountPath}/a`,
    })
    const begun = (await begin(t, key)).body.data
    const signed = await key.call('POST', '/api/s3/presign', {
      body: { filename: 'whole.txt', s3_config_id: t.storage.configId },
    })
    const move = (basic_path: string) =>
      t.admin.call('PUT', `/api/admin/api-keys/${key.id}`, { body: { basic_path } })
    await move(`${mountPath}/b`)
    const commit = () =>
      key.call('POST', '/api/s3/commit', { body: { file_id: signed.body.data.file_id, etag: 'x' } })
    const codesOf = async () =>
      [await look(key, begun.file_id), await complete(key, begun.file_id), await commit()].map(
        ({ status, body }) => [status, body.error?.code],
      )
    const refused = [403, 'auth.path_forbidden']
    expect(await codesOf()).toEqual([refused, refused, refused])
    await move(mountPath)
    expect((await look(key, begun.file_id)).status).toBe(200)
    await move('/')
    expect((await look(key, begun.file_id)).status).toBe(200)
    expect((await commit()).body.error.code).toBe('file.not_uploaded')
  })

  test('a cancelled upload leaves nothing, and an upload that is too large does not start', async () => {
    await using t = await startApp()
    const begun = (await begin(t, t.admin)).body.data
    await putPart(t, begun.presigned_urls[0], BYTES.subarray(0, begun.part_size))
    const abort = () => t.admin.call('POST', '/api/s3/multipart/abort', { body: { file_id: begun.file_id } })
    expect([(await abort()).status, (await abort()).status]).toEqual([200, 404])
    expect((await look(t.admin, begun.file_id)).body.error.code).toBe('file.not_found')
    await expectNothingLeft(t)
    await setMaxUploadMb(t, 10)
    expect((await begin(t, t.admin)).body.error.code).toBe('file.too_large')
    expect((await begin(t, t.admin, { size: -1 })).body.error.code).toBe('request.invalid')
  })

  test('parts are sent through the server if the client cannot reach the storage, also the part of an empty file', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true })
    const other = await t.keyClient({ file_permission: true })
    const relay = (client: TestClient, id: string, partNumber: number, payload: Buffer) =>
      client.call('PUT', '/api/s3/multipart/part', {
        payload,
        headers: { 'content-type': 'application/octet-stream' },
        query: { file_id: id, part_number: String(partNumber) },
      })
    const begun = (await begin(t, key, { slug: 'relayed' })).body.data
    const partOf = (partNumber: number) =>
      BYTES.subarray((partNumber - 1) * begun.part_size, partNumber * begun.part_size)
    expect((await relay(other, begun.file_id, 1, partOf(1))).status).toBe(403)
    expect((await relay(key, begun.file_id, 4, Buffer.from('x'))).body.error.code).toBe('file.parts_invalid')
    expect((await relay(key, begun.file_id, 1, partOf(3))).body.error.code).toBe('file.parts_invalid')
    for (const partNumber of [2, 1, 3]) {
      const { status, body } = await relay(key, begun.file_id, partNumber, partOf(partNumber))
      expect([status, body.data.part_number]).toEqual([200, partNumber])
    }
    expect((await look(key, begun.file_id)).body.data.presigned_urls).toEqual([])
    expect((await complete(key, begun.file_id)).body.data).toMatchObject({ slug: 'relayed' })
    const read = await t.visitor.call('GET', '/api/file-download/relayed')
    expect(read.bytes.equals(BYTES)).toBe(true)
    expect((await relay(key, begun.file_id, 1, partOf(1))).body.error.code).toBe('file.not_found')

    const empty = (await begin(t, key, { size: 0 })).body.data
    expect(empty.part_count).toBe(1)
    expect((await relay(key, empty.file_id, 1, Buffer.alloc(0))).status).toBe(200)
    expect((await complete(key, empty.file_id)).body.data).toMatchObject({ size: 0 })
  })

  test('each status request keeps the upload for another day', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true, expires_at: 'never' })
    const begun = (await begin(t, key)).body.data
    for (let days = 0; days < 3; days += 1) {
      t.clock.advance({ hours: 20 })
      expect((await look(key, begun.file_id)).status).toBe(200)
    }
    t.clock.advance({ hours: 25 })
    expect((await look(key, begun.file_id)).body.error.code).toBe('file.upload_expired')
  })

  test('the free space of a storage is its capacity minus its use', async () => {
    await using t = await startApp()
    const { configId } = t.storage
    const room = async () =>
      (await t.admin.call('GET', '/api/s3/room', { query: { s3_config_id: configId } })).body.data
        .remaining_bytes
    const limitTo = (total_storage_bytes: number | null) =>
      t.admin.call('PUT', `/api/s3-configs/${configId}`, { body: { total_storage_bytes } })
    await limitTo(20 * MIB)
    expect(await room()).toBe(20 * MIB)
    await begin(t, t.admin)
    expect(await room()).toBe(9 * MIB)
    await limitTo(5 * MIB)
    expect(await room()).toBe(0)
    const key = await t.keyClient({ text_permission: true })
    expect((await key.call('GET', '/api/s3/room')).status).toBe(403)
  })
})
