import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { TestApp } from '../../../../testing/app.ts'
import { form, setMaxUploadMb } from '../../../../testing/files.ts'
import { download, hostilePaths, putFile, putRaw, sendForm, shareInPlace } from '../../../../testing/fs.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'

const codeOf = (answer: { body?: { error?: { code: string } } }) => answer.body?.error?.code
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const limitTo = (t: TestApp, configId: string, bytes: number | null) =>
  t.ctx.db
    .updateTable('storage_configs')
    .set({ total_storage_bytes: bytes })
    .where('id', '=', configId)
    .execute()

describeEachStorage('fs: upload through the server', ({ startApp, mountPath }) => {
  test('a form stores its file in the given folder, or at the given path if it ends in the file name', async () => {
    await using t = await startApp()
    const bytes = randomBytes(400_000)
    const answer = await sendForm(t.admin, `${mountPath}/新 folder/`, { filename: '图 1.png', bytes })
    expect(answer.body).toMatchObject({
      code: 200,
      success: true,
      data: {
        success: true,
        fileId: expect.stringMatching(/^[0-9a-f]{32}$/),
        fileName: '图 1.png',
        size: 400_000,
        contentType: 'image/png',
        s3Path: '新 folder/图 1.png',
        path: `${mountPath}/新 folder/图 1.png`,
        slug: null,
        sha256: sha256(bytes),
      },
    })
    expect((await download(t.admin, answer.body.data.path)).bytes.equals(bytes)).toBe(true)
    const whole = await sendForm(t.admin, `${mountPath}/b/a.txt`, { filename: 'a.txt', bytes: 'a' })
    const folder = await sendForm(t.admin, `${mountPath}/b`, { filename: 'c.txt', bytes: 'c' })
    expect([whole.body.data.s3Path, folder.body.data.s3Path]).toEqual(['b/a.txt', 'b/c.txt'])
    const climbing = await sendForm(t.admin, mountPath, { filename: '../../etc/pass wd', bytes: 'x' })
    expect(climbing.body.data.s3Path).toBe('pass wd')
    expect(await t.ctx.db.selectFrom('files').select('id').execute()).toEqual([])
  })

  test('a raw body is stored unchanged, and replaces a file atomically', async () => {
    await using t = await startApp()
    const path = `${mountPath}/a.json`
    const headers = { 'content-type': 'application/json' }
    const first = await t.admin.call('PUT', '/api/fs/upload', { payload: '{"a":', query: { path }, headers })
    expect(first.body.data).toMatchObject({ size: 5, contentType: 'application/json', s3Path: 'a.json' })
    const second = await putFile(t.admin, path, '')
    expect(second.etag).not.toBe(first.body.data.etag)
    expect(await t.storage.text('a.json')).toBe('')
    expect(second.fileId).toBe(first.body.data.fileId)
  })

  test('a share of a replaced file shows the new bytes', async () => {
    await using t = await startApp()
    const slug = await shareInPlace(t.admin, `${mountPath}/a.txt`, 'old')
    await putFile(t.admin, `${mountPath}/a.txt`, 'new bytes')
    const read = await t.visitor.call('GET', `/api/file-download/${slug}`)
    expect([read.text, read.headers['content-length']]).toEqual(['new bytes', '9'])
  })

  test('a malformed form, a form without path or file, or a form with two files stores nothing', async () => {
    await using t = await startApp()
    await putFile(t.admin, `${mountPath}/kept.txt`, 'kept')
    const file = (filename: string) => ({ name: 'file', filename, value: 'replaced' })
    const path = { name: 'path', value: mountPath }
    const send = (parts: Parameters<typeof form>[0]) => t.admin.call('POST', '/api/fs/upload', form(parts))
    const without = await send([file('kept.txt')])
    expect([without.status, without.body.error.details]).toEqual([
      400,
      [{ path: 'form.path', message: 'is missing: the folder that the file goes to' }],
    ])
    const late = await send([file('late.txt'), path, { name: 'use_multipart', value: 'false' }])
    expect([late.status, late.body.data.size]).toEqual([200, 'replaced'.length])
    expect(await t.storage.text('late.txt')).toBe('replaced')
    expect((await send([path, file('kept.txt'), file('b.txt')])).status).toBe(400)
    expect(codeOf(await send([path]))).toBe('file.empty_upload')
    expect(codeOf(await t.admin.call('POST', '/api/fs/upload'))).toBe('file.empty_upload')
    expect(codeOf(await send([path, file('..')]))).toBe('file.name_invalid')
    const cut = form([path, file('kept.txt')])
    const payload = Buffer.from(cut.payload).subarray(0, -20)
    expect((await t.admin.call('POST', '/api/fs/upload', { ...cut, payload })).status).toBe(400)
    expect(await t.storage.keys()).toEqual(['kept.txt', 'late.txt'])
    expect(await t.storage.text('kept.txt')).toBe('kept')
  })

  test('a connection that breaks leaves the old file as it was', async () => {
    await using t = await startApp()
    await putFile(t.admin, `${mountPath}/a.bin`, 'old')
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as { port: number }
    const login = await t.visitor.call('POST', '/api/admin/login', {
      body: { username: 'admin', password: 'correct horse battery' },
    })
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: `/api/fs/upload?path=${encodeURIComponent(`${mountPath}/a.bin`)}`,
      method: 'PUT',
      headers: { authorization: `Bearer ${login.body.data.token}`, 'content-length': 1_000_000 },
    })
    outgoing.on('error', () => undefined)
    const arrived = once(t.app.server, 'request')
    await new Promise((resolve) => outgoing.write(randomBytes(200_000), resolve))
    await arrived
    outgoing.destroy()
    // Closing the app waits until the interrupted upload has been cleaned up.
    await t.app.close()
    expect(await t.storage.text('a.bin')).toBe('old')
    expect(await t.storage.keys()).toEqual(['a.bin'])
  })

  test('the maximum size and the capacity apply to announced and actual bytes, and replacing frees space', async () => {
    await using t = await startApp()
    await setMaxUploadMb(t, 1)
    const large = randomBytes(1024 * 1024 + 1)
    for (const answer of [
      await putRaw(t.admin, `${mountPath}/a.bin`, large),
      await sendForm(t.admin, mountPath, { filename: 'a.bin', bytes: large }),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([413, 'file.too_large'])
    await limitTo(t, t.storage.configId, 1000)
    for (const answer of [
      await putRaw(t.admin, `${mountPath}/a.bin`, randomBytes(1001)),
      await sendForm(t.admin, mountPath, { filename: 'a.bin', bytes: randomBytes(1001) }),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([400, 'file.storage_full'])
    expect(await t.storage.keys()).toEqual([])
    expect((await putRaw(t.admin, `${mountPath}/a.bin`, randomBytes(1000))).status).toBe(200)
    expect((await putRaw(t.admin, `${mountPath}/a.bin`, randomBytes(900))).status).toBe(200)
    expect(await t.ctx.db.selectFrom('storage_reservations').selectAll().execute()).toEqual([])
  })

  test('forms of unknown size count towards the capacity, also concurrently', async () => {
    await using t = await startApp()
    await limitTo(t, t.storage.configId, 5 * 1024 * 1024)
    const bytes = randomBytes(2 * 1024 * 1024)
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) => sendForm(t.admin, mountPath, { filename: `${number}.bin`, bytes })),
    )
    const stored = answers.filter((answer) => answer.status === 200)
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.length).toBeLessThan(3)
    expect(answers.filter((answer) => answer.status !== 200).map(codeOf)).toEqual(
      Array.from({ length: 4 - stored.length }, () => 'file.storage_full'),
    )
    expect(await t.storage.keys()).toHaveLength(stored.length)
    const query = { s3_config_id: t.storage.configId }
    const file = { name: 'file', filename: 's.bin', value: bytes }
    const shares = await Promise.all(
      [1, 2, 3].map(() => t.admin.call('POST', '/api/upload', { ...form([file]), query })),
    )
    expect(shares.filter((answer) => answer.status < 300).length + stored.length).toBeLessThan(3)
    expect(await t.ctx.db.selectFrom('storage_reservations').selectAll().execute()).toEqual([])
  })

  test('two concurrent uploads cannot both use the last space', async () => {
    await using t = await startApp()
    await limitTo(t, t.storage.configId, 1_000_000)
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => putRaw(t.admin, `${mountPath}/${name}.bin`, randomBytes(400_000))),
    )
    const stored = answers.filter((answer) => answer.status === 200).length
    expect(stored).toBeLessThanOrEqual(2)
    expect(stored).toBeGreaterThan(0)
    expect((await t.storage.keys()).length).toBe(stored)
  })

  test('keys write below their base path, and read-only keys cannot write', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ mount_permission: true, basic_path: `${mountPath}/photos` })
    const reader = await t.keyClient({ mount_permission: true, mount_read_only: true })
    expect((await putRaw(key, `${mountPath}/photos/a.txt`, 'a')).status).toBe(200)
    expect((await sendForm(key, `${mountPath}/photos/sub/`, { filename: 'b.txt', bytes: 'b' })).status).toBe(
      200,
    )
    for (const path of ['photos2/a.txt', 'a.txt', 'Photos/a.txt']) {
      expect([path, codeOf(await putRaw(key, `${mountPath}/${path}`, 'x'))]).toEqual([
        path,
        'auth.path_forbidden',
      ])
    }
    // The path of the uploaded file would be the base path itself.
    const trick = await sendForm(key, mountPath, { filename: 'photos', bytes: 'x' })
    expect(codeOf(trick)).toBe('auth.path_forbidden')
    for (const path of hostilePaths(`${mountPath}/photos`)) {
      const [raw, sent] = [
        await putRaw(key, path, 'x'),
        await sendForm(key, path, { filename: 'x.txt', bytes: 'x' }),
      ]
      expect([path, [400, 403].includes(raw.status), [400, 403].includes(sent.status)]).toEqual([
        path,
        true,
        true,
      ])
    }
    expect(codeOf(await putRaw(reader, `${mountPath}/a.txt`, 'x'))).toBe('fs.read_only')
    expect(codeOf(await putRaw(t.admin, `${mountPath}/photos/`, 'x'))).toBe('fs.not_a_file')
    expect(codeOf(await putRaw(t.admin, '/nowhere/a', 'x'))).toBe('fs.no_mount')
    expect((await putRaw(t.visitor, `${mountPath}/a.txt`, 'x')).status).toBe(401)
    expect(await t.storage.keys()).toEqual(['photos/a.txt', 'photos/sub/b.txt'])
  })
})
