import { createHash, randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { TestAnswer, TestApp, TestClient } from '../../../../testing/app.ts'
import { setMaxUploadMb } from '../../../../testing/files.ts'
import { cut, download, hostilePaths, putFile, putSigned, sendForm } from '../../../../testing/fs.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'
import { sweepUploadsJob } from './uploads.jobs.ts'

const MIB = 1024 ** 2
const SIZE = 11 * MIB + 3
const codeOf = (answer: { body?: { error?: { code: string } } }) => answer.body?.error?.code
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const post = (client: TestClient, what: string, body: Record<string, unknown>) =>
  client.call('POST', `/api/fs/multipart/${what}`, { body })
const init = (client: TestClient, path: string, more: Record<string, unknown> = {}) =>
  post(client, 'init', { path, fileName: 'big.bin', fileSize: SIZE, ...more })
const parts = (client: TestClient, uploadId: string, query: Record<string, string> = {}) =>
  client.call('GET', '/api/fs/multipart/parts', { query: { uploadId, ...query } })
const sendPart = (
  client: TestClient,
  query: { uploadId: string; partNumber: number | string; path?: string },
  payload: Buffer,
  method = 'POST',
) =>
  client.call(method, '/api/fs/multipart/part', {
    payload,
    query: { ...query, partNumber: String(query.partNumber) },
    headers: { 'content-type': 'application/octet-stream' },
  })
const sweep = (t: TestApp) => sweepUploadsJob(t.ctx).run(new AbortController().signal)

describeEachStorage('fs: uploads in parts', ({ startApp, mountPath, kind }) => {
  test('parts are sent to signed URLs or through the server, in any order and repeatedly, and form the file', async () => {
    await using t = await startApp()
    const bytes = randomBytes(SIZE)
    const pieces = cut(bytes, 5 * MIB)
    const begun = await init(t.admin, `${mountPath}/深/`, { partSize: 5 * MIB, partCount: 3 })
    expect(begun.body.data).toMatchObject({
      uploadId: expect.any(String),
      fileId: expect.any(String),
      bucket: expect.any(String),
      key: '深/big.bin',
      path: `${mountPath}/深/big.bin`,
      partSize: 5 * MIB,
      partCount: 3,
      presignedUrls: [{ partNumber: 1 }, { partNumber: 2 }, { partNumber: 3 }],
      mount_id: t.storage.mountId,
      storage_type: 'S3',
    })
    const { uploadId, presignedUrls } = begun.body.data
    const third = await putSigned(t.visitor, presignedUrls[2].url, pieces[2]!)
    expect([third.status, third.etag]).toEqual([200, expect.stringMatching(/^".+"$/)])
    await sendPart(t.admin, { uploadId, partNumber: 1, path: `${mountPath}/深` }, randomBytes(5 * MIB))
    const first = await sendPart(t.admin, { uploadId, partNumber: 1 }, pieces[0]!)
    expect(first.body.data).toEqual({ partNumber: 1, etag: expect.stringMatching(/^[^"]+$/) })
    const second = await sendPart(t.admin, { uploadId, partNumber: 2 }, pieces[1]!, 'PUT')
    expect(await t.storage.keys()).toEqual([])
    const done = await post(t.admin, 'complete', {
      path: `${mountPath}/深/`,
      uploadId,
      fileName: 'big.bin',
      fileSize: SIZE,
      parts: [
        { partNumber: 3, etag: third.etag },
        { partNumber: 1, etag: first.body.data.etag },
        { partNumber: 2, etag: `"${second.body.data.etag}"` },
      ],
    })
    expect(done.body).toMatchObject({
      code: 200,
      data: {
        success: true,
        fileId: begun.body.data.fileId,
        fileName: 'big.bin',
        size: SIZE,
        contentType: 'application/octet-stream',
        s3Path: '深/big.bin',
        slug: null,
        location: expect.any(String),
        etag: expect.any(String),
      },
    })
    const read = await download(t.admin, `${mountPath}/深/big.bin`)
    expect([read.headers.etag, sha256(read.bytes)]).toEqual([`"${done.body.data.etag}"`, sha256(bytes)])
    const again = await post(t.admin, 'complete', { uploadId })
    expect([again.status, again.body.data]).toEqual([200, done.body.data])
    expect((await parts(t.admin, uploadId)).body.data).toMatchObject({ isCompleted: true, presignedUrls: [] })
    expect((await post(t.admin, 'abort', { uploadId })).status).toBe(200)
    expect((await download(t.admin, `${mountPath}/深/big.bin`)).status).toBe(200)
  })

  test('a client resumes with the missing parts, also after a restart of the server', async () => {
    await using t = await startApp()
    const bytes = randomBytes(SIZE)
    const pieces = cut(bytes, 5 * MIB)
    const { uploadId } = (await init(t.admin, mountPath)).body.data
    await sendPart(t.admin, { uploadId, partNumber: 2 }, pieces[1]!)
    await using later = await t.restart()
    const list = await later.admin.call('GET', '/api/fs/multipart/uploads')
    expect(list.body.data.uploads).toEqual([
      {
        uploadId,
        path: `${mountPath}/big.bin`,
        fileName: 'big.bin',
        fileSize: SIZE,
        partSize: 5 * MIB,
        partCount: 3,
        mount_id: t.storage.mountId,
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
      },
    ])
    await later.ctx.jobs.drain()
    const { data } = (await parts(later.admin, uploadId, { path: mountPath, fileName: 'big.bin' })).body
    expect(data).toMatchObject({
      parts: [{ partNumber: 2, size: 5 * MIB }],
      partSize: 5 * MIB,
      partCount: 3,
      fileSize: SIZE,
      isCompleted: false,
      presignedUrls: [{ partNumber: 1 }, { partNumber: 3 }],
    })
    for (const { partNumber, url } of data.presignedUrls)
      expect((await putSigned(later.visitor, url, pieces[partNumber - 1]!)).status).toBe(200)
    expect((await post(later.admin, 'complete', { uploadId })).status).toBe(200)
    expect(sha256((await download(later.admin, `${mountPath}/big.bin`)).bytes)).toBe(sha256(bytes))
    expect((await later.admin.call('GET', '/api/fs/multipart/uploads')).body.data.uploads).toEqual([])
  })

  test('concurrent completions create one file with one entity tag; with a concurrent cancellation one of them wins', async () => {
    await using t = await startApp()
    for (const isGivenUp of [false, true]) {
      const path = `${mountPath}/once-${isGivenUp}/`
      const { uploadId } = (await init(t.admin, path, { fileSize: 11 })).body.data
      await sendPart(t.admin, { uploadId, partNumber: 1 }, Buffer.from('hello world'))
      const complete = () => post(t.admin, 'complete', { path, uploadId, fileName: 'big.bin', fileSize: 11 })
      const [, ...answers] = await Promise.all([
        isGivenUp ? post(t.admin, 'abort', { path, uploadId, fileName: 'big.bin' }) : null,
        complete(),
        complete(),
        complete(),
      ])
      const entry = await t.admin.call('GET', '/api/fs/get', { query: { path: `${path}big.bin` } })
      const isDone = entry.status === 200
      const said = ({ status, body }: TestAnswer) => (status === 200 ? body.data.etag : codeOf({ body }))
      const truth = isDone ? entry.body.data.etag : 'fs.upload_not_found'
      expect(isDone || isGivenUp).toBe(true)
      expect(said(await complete())).toBe(truth)
      // A completion request can fail because of the abort, even if another completion request succeeds.
      const possible = isGivenUp ? [truth, 'fs.upload_not_found'] : [truth]
      expect(possible).toEqual(expect.arrayContaining([...new Set(answers.map(said))]))
    }
  })

  test('a wrong list of parts is refused with their numbers, and the correct list is still accepted', async () => {
    await using t = await startApp()
    const pieces = cut(randomBytes(SIZE), 5 * MIB)
    const { uploadId } = (await init(t.admin, mountPath)).body.data
    const none = await post(t.admin, 'complete', { uploadId })
    expect([none.status, codeOf(none), none.body.message]).toEqual([
      400,
      'fs.parts_missing',
      expect.stringContaining('1-3'),
    ])
    const etags: string[] = []
    for (const number of [1, 2])
      etags[number] = (
        await sendPart(t.admin, { uploadId, partNumber: number }, pieces[number - 1]!)
      ).body.data.etag
    const short = await post(t.admin, 'complete', { uploadId, parts: [] })
    expect([codeOf(short), short.body.error.details]).toEqual([
      'fs.parts_missing',
      [{ path: 'parts.3', message: 'missing' }],
    ])
    const third = (await sendPart(t.admin, { uploadId, partNumber: 3 }, pieces[2]!)).body.data
    const right = [
      { partNumber: 1, etag: etags[1] },
      { partNumber: 2, etag: etags[2] },
      { partNumber: 3, etag: third.etag },
    ]
    const wrongs = [
      [right.slice(0, 2), '3'],
      [[right[0], { partNumber: 2, etag: 'x' }, right[2]], '2'],
      [[...right, { partNumber: 4, etag: 'x' }], '4'],
    ] as const
    for (const [list, numbers] of wrongs) {
      const answer = await post(t.admin, 'complete', { uploadId, parts: list })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'fs.parts_missing'])
      expect(answer.body.message).toContain(numbers)
    }
    for (const hints of [{ path: '/elsewhere' }, { fileName: 'other.bin' }, { fileSize: 5 }])
      expect(codeOf(await post(t.admin, 'complete', { uploadId, parts: right, ...hints }))).toBe(
        'fs.upload_mismatch',
      )
    expect((await post(t.admin, 'complete', { uploadId, parts: right })).status).toBe(200)
  })

  test('a part must have the size for its number', async () => {
    await using t = await startApp()
    const { uploadId, presignedUrls } = (await init(t.admin, mountPath)).body.data
    for (const [partNumber, size] of [
      [1, 5 * MIB - 1],
      [1, 5 * MIB + 1],
      [3, 5 * MIB],
      [3, 0],
    ] as const) {
      const answer = await sendPart(t.admin, { uploadId, partNumber }, Buffer.alloc(size))
      expect([partNumber, size, answer.status, codeOf(answer)]).toEqual([
        partNumber,
        size,
        400,
        'fs.part_size_wrong',
      ])
    }
    for (const partNumber of [0, 4, 10_001, 'x', '1.5']) {
      const answer = await sendPart(t.admin, { uploadId, partNumber }, Buffer.alloc(5))
      expect([partNumber, answer.status]).toEqual([partNumber, 400])
    }
    const large = await putSigned(t.visitor, presignedUrls[2].url, Buffer.alloc(5 * MIB))
    // A signed S3 URL cannot limit the size, so the part counts as missing.
    expect(large.status).toBe(kind === 's3' ? 200 : 413)
    const progress = (await parts(t.admin, uploadId)).body.data
    expect([progress.parts, progress.presignedUrls.length]).toEqual([[], 3])
  })

  test('a file of one part, an empty file, and an existing file', async () => {
    await using t = await startApp()
    await putFile(t.admin, `${mountPath}/small.txt`, 'old content')
    for (const [fileName, content] of [
      ['small.txt', 'new'],
      ['empty.txt', ''],
    ] as const) {
      const body = { fileName, fileSize: content.length }
      const { uploadId, presignedUrls } = (await init(t.admin, mountPath, body)).body.data
      expect(presignedUrls).toHaveLength(1)
      expect((await putSigned(t.visitor, presignedUrls[0].url, content)).status).toBe(200)
      if (content !== '') expect(await t.storage.text(fileName)).toBe('old content')
      expect((await post(t.admin, 'complete', { uploadId, path: mountPath, ...body })).body.data.size).toBe(
        content.length,
      )
      expect(await t.storage.text(fileName)).toBe(content)
    }
  })

  test('a cancelled upload leaves nothing and accepts no parts; cancelling again succeeds', async () => {
    await using t = await startApp()
    const { uploadId, presignedUrls } = (await init(t.admin, mountPath)).body.data
    await sendPart(t.admin, { uploadId, partNumber: 1 }, randomBytes(5 * MIB))
    const body = { path: mountPath, uploadId, fileName: 'big.bin' }
    for (const answer of [await post(t.admin, 'abort', body), await post(t.admin, 'abort', body)])
      expect(answer.body).toMatchObject({ code: 200, data: { success: true } })
    expect(codeOf(await sendPart(t.admin, { uploadId, partNumber: 1 }, randomBytes(5 * MIB)))).toBe(
      'fs.upload_not_found',
    )
    expect(codeOf(await parts(t.admin, uploadId))).toBe('fs.upload_not_found')
    expect(codeOf(await post(t.admin, 'complete', { uploadId }))).toBe('fs.upload_not_found')
    expect(
      (await putSigned(t.visitor, presignedUrls[1].url, randomBytes(5 * MIB))).status,
    ).toBeGreaterThanOrEqual(400)
    expect(codeOf(await post(t.admin, 'abort', { uploadId: 'unknown' }))).toBe('fs.upload_not_found')
    expect(await t.storage.keys()).toEqual([])
  })

  test('another key cannot find an upload, an administrator can resume it, and lost permissions end it', async () => {
    await using t = await startApp()
    const own = await t.keyClient({ mount_permission: true, basic_path: `${mountPath}/photos` })
    const other = await t.keyClient({ mount_permission: true })
    const reader = await t.keyClient({ mount_permission: true, mount_read_only: true })
    expect(codeOf(await init(reader, mountPath))).toBe('fs.read_only')
    expect(codeOf(await init(own, `${mountPath}/photos2`))).toBe('auth.path_forbidden')
    for (const path of hostilePaths(`${mountPath}/photos`))
      expect([path, [400, 403].includes((await init(own, path)).status)]).toEqual([path, true])
    const { uploadId } = (await init(own, `${mountPath}/photos`, { fileSize: 3 })).body.data
    const attempts = (client: TestClient) =>
      Promise.all([
        parts(client, uploadId),
        sendPart(client, { uploadId, partNumber: 1 }, Buffer.from('abc')),
        post(client, 'complete', { uploadId }),
        post(client, 'abort', { uploadId }),
      ])
    for (const answer of await attempts(other))
      expect([answer.status, codeOf(answer)]).toEqual([404, 'fs.upload_not_found'])
    expect((await other.call('GET', '/api/fs/multipart/uploads')).body.data.uploads).toEqual([])
    await t.ctx.db.updateTable('api_keys').set({ basic_path: '/x' }).where('id', '=', own.id).execute()
    for (const answer of await attempts(own)) expect(codeOf(answer)).toBe('auth.path_forbidden')
    await t.ctx.db
      .updateTable('api_keys')
      .set({ basic_path: mountPath, mount_read_only: 1 })
      .where('id', '=', own.id)
      .execute()
    for (const answer of await attempts(own)) expect(codeOf(answer)).toBe('fs.read_only')
    expect((await sendPart(t.admin, { uploadId, partNumber: 1 }, Buffer.from('abc'))).status).toBe(200)
    expect((await post(t.admin, 'complete', { uploadId })).status).toBe(200)
    expect(await t.storage.text('photos/big.bin')).toBe('abc')
  })

  test('limits apply to the announced size, and again at the completion', async () => {
    await using t = await startApp()
    await setMaxUploadMb(t, 1)
    expect(codeOf(await init(t.admin, mountPath))).toBe('file.too_large')
    expect((await init(t.admin, mountPath, { fileSize: undefined })).status).toBe(400)
    expect((await init(t.admin, mountPath, { fileSize: -1 })).status).toBe(400)
    const limitTo = (bytes: number) =>
      t.ctx.db
        .updateTable('storage_configs')
        .set({ total_storage_bytes: bytes })
        .where('id', '=', t.storage.configId)
        .execute()
    await limitTo(1000)
    const { uploadId } = (await init(t.admin, mountPath, { fileSize: 800 })).body.data
    const second = await init(t.admin, mountPath, { fileSize: 300, fileName: 'b' })
    expect([second.status, codeOf(second)]).toEqual([400, 'file.storage_full'])
    await sendPart(t.admin, { uploadId, partNumber: 1 }, randomBytes(800))
    await limitTo(500)
    expect(codeOf(await post(t.admin, 'complete', { uploadId }))).toBe('file.storage_full')
    expect(codeOf(await post(t.admin, 'complete', { uploadId }))).toBe('fs.upload_not_found')
    expect(await t.storage.keys()).toEqual([])
    expect((await init(t.admin, mountPath, { fileSize: 300 })).status).toBe(200)
  })

  test('a temporary failure of the database keeps the upload, which can be completed again', async () => {
    await using t = await startApp()
    const { uploadId } = (await init(t.admin, mountPath, { fileSize: 3 })).body.data
    await sendPart(t.admin, { uploadId, partNumber: 1 }, Buffer.from('abc'))
    vi.spyOn(t.ctx.database, 'transaction').mockRejectedValueOnce(new Error('Connection terminated'))
    expect((await post(t.admin, 'complete', { uploadId })).status).toBeGreaterThanOrEqual(500)
    expect((await post(t.admin, 'complete', { uploadId })).status).toBe(200)
    expect((await download(t.admin, `${mountPath}/big.bin`)).text).toBe('abc')
  })

  test('a form can start an upload in parts instead of storing bytes', async () => {
    await using t = await startApp()
    const fields = { use_multipart: 'true' }
    const bytes = randomBytes(6 * MIB)
    const begun = await sendForm(t.admin, `${mountPath}/x/`, { filename: 'a.bin', bytes, fields })
    expect(begun.body.data).toMatchObject({ key: 'x/a.bin', partCount: 2, partSize: 5 * MIB })
    const announced = { ...fields, fileSize: String(20 * MIB), partSize: String(10 * MIB) }
    const other = await sendForm(t.admin, `${mountPath}/x/`, {
      filename: 'b.bin',
      bytes: 'x',
      fields: announced,
    })
    expect(other.body.data).toMatchObject({ key: 'x/b.bin', partCount: 2, partSize: 10 * MIB })
    expect(await t.storage.keys()).toEqual([])
    const { uploadId, presignedUrls } = begun.body.data
    for (const [index, piece] of cut(bytes, 5 * MIB).entries())
      await putSigned(t.visitor, presignedUrls[index].url, piece)
    expect((await post(t.admin, 'complete', { uploadId })).status).toBe(200)
    expect(sha256((await download(t.admin, `${mountPath}/x/a.bin`)).bytes)).toBe(sha256(bytes))
  })

  test('a result that was lost in a crash is found again, and no other file is mistaken for it', async () => {
    await using t = await startApp()
    const begin = async (fileName: string) => {
      const { uploadId } = (await init(t.admin, mountPath, { fileName, fileSize: 3 })).body.data
      await sendPart(t.admin, { uploadId, partNumber: 1 }, Buffer.from('abc'))
      return uploadId as string
    }
    // Simulates a process that died after the storage completed the upload, and before the result was recorded.
    const asInterrupted = async (uploadId: string, replacedEtag: string | null) => {
      await post(t.admin, 'complete', { uploadId })
      await t.ctx.db
        .updateTable('fs_uploads')
        .set({ state: 'completing', replaced_etag: replacedEtag, etag: null, stored_size_bytes: 3 })
        .where('id', '=', uploadId)
        .execute()
    }
    const found = await begin('a.txt')
    await asInterrupted(found, null)
    const answers = await Promise.all([post(t.admin, 'complete', { uploadId: found }), parts(t.admin, found)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    const lost = await begin('b.txt')
    await post(t.admin, 'complete', { uploadId: lost })
    const [stat] = (await (await t.storage.driver()).list({ prefix: 'b.txt', limit: 1 })).objects
    await asInterrupted(lost, stat?.etag ?? null)
    expect(codeOf(await post(t.admin, 'complete', { uploadId: lost }))).toBe('fs.upload_not_found')
  })

  test('an upload expires after a day without activity', async () => {
    await using t = await startApp()
    const { uploadId } = (await init(t.admin, mountPath)).body.data
    const left = (await init(t.admin, mountPath, { fileName: 'left.bin' })).body.data.uploadId
    await sendPart(t.admin, { uploadId: left, partNumber: 1 }, randomBytes(5 * MIB))
    t.clock.advance({ hours: 20 })
    await parts(t.admin, uploadId)
    t.clock.advance({ hours: 5 })
    await sweep(t)
    const rows = await t.ctx.db.selectFrom('fs_uploads').select('id').execute()
    expect(rows).toEqual([{ id: uploadId }])
    t.clock.advance({ hours: 25 })
    await sweep(t)
    expect(await t.ctx.db.selectFrom('fs_uploads').select('id').execute()).toEqual([])
  })
})
