import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { bytesOnDisk, filesOnDisk, pathOf, share } from '../../../testing/files.ts'
import { putFile } from '../../../testing/fs.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

const BYTES = '0123456789abcdef'
const view = (t: TestApp, slug: string, headers: Record<string, string> = {}) =>
  t.visitor.call('GET', `/api/file-view/${slug}`, { headers })
const download = (t: TestApp, slug: string, headers: Record<string, string> = {}) =>
  t.visitor.call('GET', `/api/file-download/${slug}`, { headers })

describeEachDatabase('bytes of a share: ranges and caches', ({ startApp }) => {
  test('the response with the whole file has its length, entity tag and time, and announces ranges', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { slug } = await share(t.admin, 'a.txt', { bytes: BYTES })
    const got = await download(t, slug)
    expect([got.status, got.text]).toEqual([200, BYTES])
    expect(got.headers).toMatchObject({
      'content-length': '16',
      'content-type': 'text/plain',
      'accept-ranges': 'bytes',
      'last-modified': 'Tue, 01 Jan 2030 00:00:00 GMT',
      'cache-control': 'private, no-cache',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    const head = await t.visitor.call('HEAD', `/api/file-download/${slug}`)
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers).toMatchObject({ 'content-length': '16', etag: got.headers.etag })
  })

  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/16'],
    ['bytes=0-3', '0123', 'bytes 0-3/16'],
    ['bytes=4-7', '4567', 'bytes 4-7/16'],
    ['bytes=10-', 'abcdef', 'bytes 10-15/16'],
    ['bytes=10-999', 'abcdef', 'bytes 10-15/16'],
    ['bytes=-4', 'cdef', 'bytes 12-15/16'],
    ['bytes=-999', BYTES, 'bytes 0-15/16'],
  ])('Range %s is 206 with just these bytes', async (range, text, contentRange) => {
    await using t = await startApp()
    const { slug, s3_direct_download_url } = await share(t.admin, 'a.txt', { bytes: BYTES })
    for (const got of [
      await download(t, slug, { range }),
      await view(t, slug, { range }),
      await t.visitor.call('GET', pathOf(s3_direct_download_url), { headers: { range } }),
    ]) {
      expect([got.status, got.text]).toEqual([206, text])
      expect(got.headers).toMatchObject({
        'content-range': contentRange,
        'content-length': String(text.length),
      })
    }
  })

  test('a range beyond the end is 416 with the size; several or malformed ranges get the whole file', async () => {
    await using t = await startApp()
    const { slug } = await share(t.admin, 'a.txt', { bytes: BYTES })
    for (const range of ['bytes=16-', 'bytes=99-100', 'bytes=-0']) {
      const got = await download(t, slug, { range })
      expect([range, got.status, got.headers['content-range']]).toEqual([range, 416, 'bytes */16'])
      expect(got.body.error.code).toBe('storage.range_invalid')
      expect(got.headers['content-length']).not.toBe('16')
    }
    for (const range of [
      'bytes=0-1,4-5',
      'bytes=5-2',
      'items=0-1',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'nonsense',
    ]) {
      const got = await download(t, slug, { range })
      expect([range, got.status, got.text]).toEqual([range, 200, BYTES])
    }
  })

  test('If-None-Match gets 304 without a body; If-Range allows the range only for the same version', async () => {
    await using t = await startApp()
    const { slug } = await share(t.admin, 'a.txt', { bytes: BYTES })
    const etag = (await download(t, slug)).headers.etag ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const got = await download(t, slug, { 'if-none-match': known })
      expect([known, got.status, got.text, got.headers.etag]).toEqual([known, 304, '', etag])
    }
    expect((await download(t, slug, { 'if-none-match': '"other"' })).status).toBe(200)
    const ranged = async (ifRange: string) =>
      (await download(t, slug, { range: 'bytes=0-3', 'if-range': ifRange })).status
    expect(await ranged(etag)).toBe(206)
    expect(await ranged('"other"')).toBe(200)
    expect(await ranged(`W/${etag}`)).toBe(200)
    expect(await ranged('Mon, 01 Jan 2001 00:00:00 GMT')).toBe(200)
    const modified = (await download(t, slug)).headers['last-modified'] ?? ''
    expect(await ranged(modified)).toBe(206)
  })

  test('bytes that are missing on the disk result in an error, not in an incomplete 200', async () => {
    await using t = await startApp()
    const { slug } = await share(t.admin, 'a.txt')
    const [stored = ''] = await filesOnDisk(t)
    await rm(join(t.dataDir, 'storage', 'local', stored))
    for (const got of [await download(t, slug), await view(t, slug)]) {
      expect([got.status, got.body.error.code]).toEqual([404, 'storage.object_missing'])
      expect(got.headers['content-disposition']).toBeUndefined()
    }
    const ids = [(await t.admin.call('GET', '/api/admin/files')).body.data.files[0].id]
    const gone = await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids } })
    expect(gone.body.data.success).toBe(1)
  })
})

describeEachDatabase('bytes of a share: types and names', ({ startApp }) => {
  test.each([
    ['page.html', 'text/html; charset=UTF-8', 'text/html'],
    ['picture.svg', 'image/svg+xml', 'image/svg+xml'],
    ['data.json', 'text/plain; charset=UTF-8', 'application/json'],
    ['conf.yaml', 'text/plain; charset=UTF-8', 'text/yaml'],
    ['table.csv', 'text/plain; charset=UTF-8', 'text/csv'],
    ['notes.md', 'text/markdown; charset=UTF-8', 'text/markdown'],
    ['script.js', 'text/plain; charset=UTF-8', 'text/plain; charset=UTF-8'],
    ['style.css', 'text/plain; charset=UTF-8', 'text/plain; charset=UTF-8'],
    ['photo.png', 'image/png', 'image/png'],
    ['unknown.zzz', 'application/octet-stream', 'application/octet-stream'],
  ])('%s is shown as %s and saved as %s, and runs nothing', async (name, shown, saved) => {
    await using t = await startApp()
    const { slug, s3_direct_preview_url } = await share(t.admin, name, { bytes: '<script>alert(1)</script>' })
    const inline = await view(t, slug)
    const attached = await download(t, slug)
    const direct = await t.visitor.call('GET', pathOf(s3_direct_preview_url))
    expect(inline.headers['content-type']).toBe(shown)
    expect(direct.headers['content-type']).toBe(shown)
    expect(attached.headers['content-type']).toBe(saved)
    expect(inline.headers['content-disposition']).toMatch(/^inline; filename=/)
    expect(attached.headers['content-disposition']).toMatch(/^attachment; filename=/)
    for (const got of [inline, attached, direct]) {
      expect(got.headers['content-security-policy']).toMatch(/^sandbox;/)
      expect(got.headers['content-security-policy']).not.toMatch(/allow-scripts|script-src/)
      expect(got.headers['x-content-type-options']).toBe('nosniff')
      expect(got.text).toBe('<script>alert(1)</script>')
    }
  })

  test('an Office file is shown by the online viewer, which can fetch it, and saved as it is', async () => {
    await using t = await startApp()
    const { slug } = await share(t.admin, '表 1.xlsx', { bytes: 'cells' })
    const shown = await view(t, slug)
    expect(shown.status).toBe(302)
    const target = new URL(shown.headers.location ?? '')
    expect(`${target.origin}${target.pathname}`).toBe('https://view.officeapps.live.com/op/view.aspx')
    expect((await t.visitor.call('GET', pathOf(target.searchParams.get('src') ?? ''))).text).toBe('cells')
    expect((await download(t, slug)).text).toBe('cells')
    const { body } = await t.visitor.call('GET', `/api/office-preview/${slug}`)
    expect(body).toMatchObject({
      url: expect.stringContaining('/api/storage/'),
      filename: '表 1.xlsx',
      is_temporary: true,
      expires_in: expect.any(Number),
    })
    expect((await t.visitor.call('GET', pathOf(body.url))).text).toBe('cells')
  })

  test('office-preview: other files 400, password missing 401 and wrong 403, unknown 404; counts no view', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'text' } })
    await share(t.admin, 'a.docx', { query: { slug: 'doc', password: 'p', max_views: '1' } })
    const statusOf = async (path: string) =>
      (await t.visitor.call('GET', `/api/office-preview/${path}`)).status
    expect(await statusOf('text')).toBe(400)
    expect(await statusOf('doc')).toBe(401)
    expect(await statusOf('doc?password=x')).toBe(403)
    expect(await statusOf('doc?password=p')).toBe(200)
    expect(await statusOf('doc?password=p')).toBe(200)
    expect(await statusOf('unknown')).toBe(404)
  })

  test('no response contains the location of the bytes on the disk', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ file_permission: true, mount_permission: true })
    const { slug, id } = await share(key, 'a.txt')
    const [stored = ''] = await filesOnDisk(t)
    expect((await bytesOnDisk(t, stored)).toString()).toBe('bytes')
    const path = '/local/in-a-mount.txt'
    await putFile(key, path)
    const ask = async () => [
      await t.visitor.call('GET', `/api/public/files/${slug}`),
      await view(t, slug),
      await download(t, slug),
      await key.call('GET', '/api/user/files'),
      await key.call('GET', `/api/user/files/${id}`),
      await key.call('GET', '/api/s3-configs'),
      await key.call('GET', '/api/fs/list', { query: { path: '/local', refresh: '1' } }),
      await key.call('GET', '/api/fs/get', { query: { path } }),
      await key.call('GET', '/api/fs/download', { query: { path } }),
    ]
    const there = await ask()
    expect(there.map(({ status }) => status)).toEqual(there.map(() => 200))
    for (const name of [stored, 'in-a-mount.txt']) await rm(join(t.dataDir, 'storage', 'local', name))
    const gone = await ask()
    await rm(join(t.dataDir, 'storage', 'local'), { recursive: true })
    for (const { text } of [...there, ...gone, ...(await ask())]) expect(text).not.toContain(t.dataDir)
  })
})
