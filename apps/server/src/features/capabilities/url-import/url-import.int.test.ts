import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { SharedRuns } from '../../../lib/concurrency.ts'
import type { TestApp, TestClient } from '../../../testing/app.ts'
import { expectNothingLeft, setMaxUploadMb, share } from '../../../testing/files.ts'
import { putSigned } from '../../../testing/fs.ts'
import { look, openSlowly } from '../../../testing/opening.ts'
import { describeEachStorage } from '../../../testing/storages.ts'

interface Origin extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly hits: string[]
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const BIG = Buffer.alloc(3_000_000, 'big ')

/** Sends chunks until the client stops reading. */
function stream(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (response.write(chunk));
  }
  response.on('drain', more)
  more()
}

const routes: Record<string, (request: IncomingMessage, response: ServerResponse, port: number) => void> = {
  '/files/report.txt': (_request, response) =>
    response
      .setHeader('content-type', 'text/plain')
      .setHeader('content-length', 10)
      .setHeader('last-modified', 'Tue, 01 Jan 2030 00:00:00 GMT')
      .end('the report'),
  '/named': (_request, response) =>
    response
      .setHeader(
        'content-disposition',
        `attachment; filename="plain.bin"; filename*=UTF-8''%E7%85%A7%E7%89%87.png`,
      )
      .setHeader('access-control-allow-origin', '*')
      .setHeader('content-type', 'application/octet-stream')
      .end(PNG),
  '/gbk': (_request, response) =>
    // Writes to the socket, because Node.js refuses to send these bytes in a header.
    response.socket?.end(
      Buffer.from(
        'HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename="\u00d6\u00d0\u00ce\u00c4.xlsx";\r\nContent-Length: 5\r\n\r\ntable',
        'latin1',
      ),
    ),
  '/%D6%D0%CE%C4.txt': (_request, response) => response.end('text'),
  '/climbing': (_request, response) =>
    response
      .setHeader('content-disposition', `attachment; filename*=UTF-8''..%2F..%2F..%2Fescaped.txt`)
      .setHeader('content-type', 'text/plain')
      .end('climbed'),
  '/backslashes': (_request, response) =>
    response
      .setHeader('content-disposition', String.raw`attachment; filename="..\\\\..\\\\escaped.txt"`)
      .setHeader('content-type', 'text/plain')
      .end('climbed'),
  '/%2e%2e%2f%2e%2e%2fescaped.txt': (_request, response) => response.end('climbed'),
  '/nameless': (_request, response) => response.setHeader('content-type', 'image/png').end(PNG),
  '/big': (_request, response) => response.setHeader('content-type', 'video/mp4').end(BIG),
  '/endless': (_request, response) => stream(response, Buffer.alloc(65_536, 'x')),
  '/zipped': (_request, response) =>
    response
      .setHeader('content-encoding', 'gzip')
      .setHeader('content-type', 'text/plain')
      .end(gzipSync('unpacked')),
  '/broken': (_request, response) => {
    response.setHeader('content-length', '1000').write('begun', () => response.destroy())
  },
  '/missing': (_request, response) => response.writeHead(404).end('no'),
  '/to-report': (_request, response) => response.writeHead(302, { location: '/files/report.txt' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to-local': (_request, response, port) =>
    response.writeHead(302, { location: `http://127.0.0.1:${port}/files/report.txt` }).end(),
  '/to-metadata': (_request, response) =>
    response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end(),
  '/to-file': (_request, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
}

async function startOrigin(): Promise<Origin> {
  const hits: string[] = []
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    hits.push(`${request.method ?? ''} ${pathname}`)
    const { port } = server.address() as AddressInfo
    const route = routes[pathname] ?? routes['/missing']
    if (request.method === 'HEAD' && pathname === '/endless') response.end()
    else route?.(request, response, port)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://origin.test:${port}`,
    port,
    hits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
}

/**
 * Returns options with which only the name `origin.test` is allowed to resolve to the local server. Tests define the
 * addresses of other names.
 */
function options(names: Record<string, Array<{ address: string; family: number }>> = {}) {
  return {
    env: { URL_FETCH_ALLOW: 'origin.test' },
    resolve: async (host: string) => {
      const found = host === 'origin.test' ? [{ address: '127.0.0.1', family: 4 }] : names[host]
      if (!found) throw new Error('There is no such host.')
      return found
    },
  }
}

const info = (client: TestClient, url: string) => client.call('POST', '/api/url/info', { body: { url } })
const startImport = (client: TestClient, body: object) => client.call('POST', '/api/url/import', { body })

async function runImport(t: TestApp, body: object, client: TestClient = t.admin) {
  const started = await startImport(client, body)
  expect([started.status, started.body.message]).toEqual([201, 'OK'])
  await t.ctx.tasks.drain()
  return (await client.call('GET', `/api/tasks/${started.body.data.task.id}`)).body.data
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describeEachStorage('uploads from a URL', ({ startApp, mountPath: m }) => {
  test('name, type and size are determined', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    expect((await info(t.admin, `${origin.url}/files/report.txt?x=1`)).body.data).toMatchObject({
      filename: 'report.txt',
      contentType: 'text/plain',
      size: 10,
      lastModified: '2030-01-01T00:00:00.000Z',
      method: 'HEAD',
      corsSupported: false,
      answered: true,
    })
    expect((await info(t.admin, `${origin.url}/gbk`)).body.data.filename).toBe('中文.xlsx')
    expect((await info(t.admin, `${origin.url}/%D6%D0%CE%C4.txt`)).body.data.filename).toBe('中文.txt')
    expect((await info(t.admin, `${origin.url}/named`)).body.data).toMatchObject({
      filename: '照片.png',
      contentType: 'image/png',
      size: PNG.length,
      method: 'ENHANCED',
      corsSupported: true,
      answered: true,
      fileTypeLibraryUsed: true,
    })
    expect((await info(t.admin, `${origin.url}/nameless`)).body.data.filename).toBe('nameless.png')
    expect((await info(t.admin, `${origin.url}/to-report`)).body.data.filename).toBe('report.txt')
    for (const url of [`${origin.url}/missing`, 'http://unknown.test/a.pdf']) {
      const answer = await info(t.admin, url)
      expect([answer.status, answer.body.data.size, answer.body.data.answered]).toEqual([200, null, false])
    }
  })

  test('the proxy is available for a limited time to the caller, and sends the bytes as a download', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const url = `${origin.url}/files/report.txt`
    const at = `/api/url/proxy?url=${encodeURIComponent(url)}`
    expect((await t.visitor.call('GET', at)).body.error.code).toBe('url.ticket_invalid')
    const { proxyUrl } = (await info(t.admin, url)).body.data
    const byNetwork = await t.visitor.call('GET', at)
    expect([byNetwork.status, byNetwork.text]).toEqual([200, 'the report'])
    expect(byNetwork.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    expect(byNetwork.headers['content-disposition']).toContain('attachment')
    const { pathname, search } = new URL(proxyUrl)
    expect((await t.visitor.call('GET', pathname + search)).text).toBe('the report')
    const forged = search.replace(encodeURIComponent('report.txt'), 'other.txt')
    expect((await t.visitor.call('GET', pathname + forged)).status).toBe(403)
    t.clock.advance({ seconds: 601 })
    expect((await t.visitor.call('GET', at)).status).toBe(403)
    expect((await t.visitor.call('GET', pathname + search)).status).toBe(403)
  })

  test('the proxy becomes unavailable when the key is deleted or loses the permission', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const url = `${origin.url}/files/report.txt`
    const at = `/api/url/proxy?url=${encodeURIComponent(url)}`
    const ask = async () => {
      const key = await t.keyClient({ file_permission: true })
      const { pathname, search } = new URL((await info(key, url)).body.data.proxyUrl)
      const statuses = async () => [
        (await t.visitor.call('GET', at)).status,
        (await t.visitor.call('GET', pathname + search)).status,
      ]
      expect(await statuses()).toEqual([200, 200])
      const forged = await t.visitor.call('GET', (pathname + search).replace(/\.apikey[^&]*/, '.'))
      expect(forged.status).toBe(403)
      return { id: key.id, statuses }
    }
    const gone = await ask()
    await t.admin.call('DELETE', `/api/admin/api-keys/${gone.id}`)
    expect(await gone.statuses()).toEqual([403, 403])
    const less = await ask()
    await t.admin.call('PUT', `/api/admin/api-keys/${less.id}`, { body: { file_permission: false } })
    expect(await less.statuses()).toEqual([403, 403])
  })

  test('the server imports: a share with all its options, or a file of a mount', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const task = await runImport(t, {
      url: `${origin.url}/big`,
      filename: 'film.mp4',
      s3_config_id: t.storage.configId,
      slug: 'film',
      password: 'pw',
      max_views: 3,
      expires_in: 24,
    })
    expect(task).toMatchObject({
      state: 'completed',
      progress: { totalBytes: BIG.length, doneBytes: BIG.length },
      result: { slug: 'film', size: BIG.length, filename: 'film.mp4' },
    })
    expect(JSON.stringify(task)).not.toContain('pw')
    expect(JSON.stringify(task)).not.toContain('sealed')
    const opened = await t.visitor.call('POST', '/api/public/files/film/verify', { body: { password: 'pw' } })
    expect(opened.body.data).toMatchObject({ sha256: sha256(BIG), max_views: 3, remark: 'From origin.test' })
    const place = { kind: 'file', slug: 'by-phone' } as const
    const asking = await runImport(t, {
      url: `${origin.url}/named`,
      s3_config_id: t.storage.configId,
      slug: place.slug,
      max_views: 1,
      pin: '86420',
    })
    expect(JSON.stringify(asking)).not.toMatch(/86420|sealed/)
    expect(await look(t, place)).toMatchObject({ opening: 'ask', requires_pin: true, views_left: 1 })
    expect((await openSlowly(t, place, { pin: '86420' })).status).toBe(200)
    const refused = await startImport(t.admin, { url: origin.url, opening: 'direct', pin: '1234' })
    expect(refused.body.error.code).toBe('share.pin_needs_ask')
    const mounted = await runImport(t, { url: `${origin.url}/named`, target_path: `${m}/in/` })
    expect(mounted).toMatchObject({
      state: 'completed',
      result: { path: `${m}/in/照片.png`, size: PNG.length },
    })
    expect(await t.storage.keys('in/')).toContain('in/照片.png')
    expect(await runImport(t, { url: `${origin.url}/named`, target_path: `${m}/in/` })).toMatchObject({
      state: 'failed',
      error: { code: 'fs.exists' },
    })
    const unzipped = await runImport(t, {
      url: `${origin.url}/zipped`,
      filename: 'z.txt',
      target_path: `${m}/`,
    })
    expect(unzipped.state).toBe('completed')
    expect(await t.storage.text('z.txt')).toBe('unpacked')
  })

  test('a name from the source server is never used as a path', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    for (const path of ['/climbing', '/backslashes', '/%2e%2e%2f%2e%2e%2fescaped.txt']) {
      const source = origin.url + path
      expect([path, (await info(t.admin, source)).body.data.filename]).toEqual([path, 'escaped.txt'])
      const shared = await runImport(t, { url: source, s3_config_id: t.storage.configId })
      expect([path, shared.result?.filename]).toEqual([path, 'escaped.txt'])
      const file = await runImport(t, { url: source, target_path: `${m}/in${path.length}/` })
      expect([path, file.result?.path]).toEqual([path, `${m}/in${path.length}/escaped.txt`])
    }
    // A file name in the request cannot be a path outside the target folder.
    const key = await t.keyClient({ mount_permission: true, basic_path: `${m}/p` })
    for (const filename of ['../x', '..', '/x', 'a/../../x', String.raw`..\x`, '%2e%2e%2fx']) {
      const body = { url: `${origin.url}/nameless`, target_path: `${m}/p/`, filename }
      await startImport(key, body)
      await startImport(t.admin, { ...body, target_path: undefined, s3_config_id: t.storage.configId })
    }
    await t.ctx.tasks.drain()
    const strays = (await t.storage.keys()).filter(
      (name) => /(?:^|\/)\.\.(?:\/|$)/.test(name) || name === 'x',
    )
    expect(strays).toEqual([])
  })

  test('an interrupted, missing or endless source leaves nothing', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    await setMaxUploadMb(t, 1)
    const cases = [
      ['/broken', 'url.broken_off'],
      ['/missing', 'url.bad_source'],
      ['/endless', 'file.too_large'],
      ['/big', 'file.too_large'],
      ['/loop', 'url.too_many_redirects'],
      ['/to-local', 'url.refused'],
      ['/to-metadata', 'url.refused'],
      ['/to-file', 'url.invalid'],
    ] as const
    for (const [path, code] of cases) {
      const share = await runImport(t, { url: origin.url + path, s3_config_id: t.storage.configId })
      expect([path, share.state, share.error?.code]).toEqual([path, 'failed', code])
      const file = await runImport(t, { url: origin.url + path, target_path: `${m}/in/`, filename: 'x' })
      expect([path, file.state, file.error?.code]).toEqual([path, 'failed', code])
    }
    expect(await t.storage.keys()).toEqual([])
    await expectNothingLeft(t)
  })

  test('the client downloads and uploads, in one request or in parts', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const put = async (address: string, payload: Buffer) => {
      const local = address.startsWith('http://localhost')
      const { pathname, search } = new URL(address)
      if (!local)
        return (
          (await fetch(address, { method: 'PUT', body: new Uint8Array(payload) })).headers.get('etag') ?? ''
        )
      const answer = await t.visitor.call('PUT', pathname + search, {
        payload,
        headers: { 'content-type': 'application/octet-stream' },
      })
      expect(answer.status).toBe(200)
      return answer.headers.etag ?? ''
    }
    const common = { url: `${origin.url}/files/report.txt`, s3_config_id: t.storage.configId }
    const presigned = (await t.admin.call('POST', '/api/url/presign', { body: { ...common, slug: 'first' } }))
      .body.data
    expect(presigned).toMatchObject({
      filename: 'report.txt',
      size: 10,
      slug: 'first',
      contentType: 'text/plain',
    })
    await put(presigned.upload_url, Buffer.from('the report'))
    const committed = await t.admin.call('POST', '/api/url/commit', {
      body: { file_id: presigned.file_id, slug: 'second' },
    })
    expect(committed.body.data).toMatchObject({
      slug: 'second',
      size: 10,
      remark: 'From origin.test',
      url: '/file/second',
    })
    const cancelled = (await t.admin.call('POST', '/api/url/presign', { body: common })).body.data
    const other = await t.keyClient({ file_permission: true })
    const cancel = (client: TestClient) =>
      client.call('POST', '/api/url/cancel', { body: { file_id: cancelled.file_id } })
    expect((await cancel(other)).status).toBe(403)
    expect((await cancel(t.admin)).body.data.status).toBe('cancelled')
    expect((await cancel(t.admin)).status).toBe(404)

    const size = 6 * 1024 * 1024
    const bytes = Buffer.alloc(size, 'parts ')
    const init = { ...common, filename: 'parts.bin', total_size: size, password: 'pw', slug: 'parts' }
    const begun = (await t.admin.call('POST', '/api/url/multipart/init', { body: init })).body.data
    expect(begun).toMatchObject({
      part_size: 5_242_880,
      part_count: 2,
      total_size: size,
      has_password: true,
      slug: 'parts',
    })
    const parts = []
    for (const { partNumber, url } of begun.presigned_urls) {
      const from = (partNumber - 1) * begun.part_size
      parts.push({ partNumber, etag: await put(url, bytes.subarray(from, from + begun.part_size)) })
    }
    const complete = (list: object[]) =>
      t.admin.call('POST', '/api/url/multipart/complete', {
        body: { file_id: begun.file_id, upload_id: begun.upload_id, parts: list },
      })
    expect((await complete([{ partNumber: 1, etag: 'wrong' }])).body.error.code).toBe('file.parts_invalid')
    const done = await complete(parts.toReversed())
    expect(done.body.data).toMatchObject({ status: 'completed', size, hasPassword: true, slug: 'parts' })
    const aborted = (await t.admin.call('POST', '/api/url/multipart/init', { body: { ...init, slug: 'x' } }))
      .body.data
    const abort = { file_id: aborted.file_id, upload_id: aborted.upload_id }
    expect((await t.admin.call('POST', '/api/url/multipart/abort', { body: abort })).body.data.status).toBe(
      'aborted',
    )
    expect(await t.ctx.db.selectFrom('url_uploads').selectAll().execute()).toEqual([])
  })

  test('two concurrent completions join the parts once, and both get the share', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const { multipart } = await t.storage.driver()
    if (!multipart) throw new Error('The storage takes no parts.')
    const size = 11
    const common = { url: `${origin.url}/files/report.txt`, s3_config_id: t.storage.configId }
    const begun = (
      await t.admin.call('POST', '/api/url/multipart/init', { body: { ...common, total_size: size } })
    ).body.data
    const stored = await putSigned(t.visitor, begun.presigned_urls[0].url, Buffer.alloc(size, 'part'))
    const body = {
      file_id: begun.file_id,
      upload_id: begun.upload_id,
      parts: [{ partNumber: 1, etag: stored.etag }],
    }
    const join = multipart.complete.bind(multipart)
    const run = vi.spyOn(SharedRuns.prototype, 'run')
    const asked = () => run.mock.calls.filter(([name]) => name === begun.file_id).length
    const joins = vi.spyOn(multipart, 'complete').mockImplementation(async (...order) => {
      await expect.poll(asked).toBe(2)
      return join(...order)
    })
    const answers = await Promise.all(
      ['first', 'second'].map(() => t.admin.call('POST', '/api/url/multipart/complete', { body })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(joins).toHaveBeenCalledTimes(1)
  })

  test('the suffix of the caller’s own ended share is reused at the commit', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const common = { url: `${origin.url}/files/report.txt`, s3_config_id: t.storage.configId }
    for (const asked of ['again', undefined]) {
      await share(t.admin, 'old.txt', { query: { slug: 'again', expires_in: '1', override: 'true' } })
      const presign = () => t.admin.call('POST', '/api/url/presign', { body: { ...common, slug: asked } })
      t.clock.advance({ hours: 2 })
      const { file_id, upload_url } = (await presign()).body.data
      await putSigned(t.visitor, upload_url, Buffer.from('the report'))
      const commit = (slug: string) => t.admin.call('POST', '/api/url/commit', { body: { file_id, slug } })
      const done = await commit('again')
      expect([asked, done.status, done.body.data?.slug]).toEqual([asked, 200, 'again'])
    }
  })

  test('after a failed commit, its suffix is not taken from a share that uses it now', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const common = { url: `${origin.url}/files/report.txt`, s3_config_id: t.storage.configId }
    await share(t.admin, 'old.txt', { query: { slug: 'again', expires_in: '1', override: 'true' } })
    t.clock.advance({ hours: 2 })
    const { file_id, upload_url } = (
      await t.admin.call('POST', '/api/url/presign', { body: { ...common, slug: 'again' } })
    ).body.data
    const commit = () => t.admin.call('POST', '/api/url/commit', { body: { file_id, slug: 'again' } })
    expect((await commit()).status).not.toBe(200)
    await t.ctx.db.updateTable('files').set({ expires_at_ms: null }).where('slug', '=', 'again').execute()
    await putSigned(t.visitor, upload_url, Buffer.from('the report'))
    expect((await commit()).body).toMatchObject({ error: { code: 'file.slug_taken' } })
    expect((await t.visitor.call('GET', '/api/public/files/again')).status).toBe(200)
  })

  test('permissions: files for shares, mounts for folders, nothing outside the base path', async () => {
    await using origin = await startOrigin()
    await using t = await startApp(options())
    const url = `${origin.url}/files/report.txt`
    const files = await t.keyClient({ file_permission: true })
    const mounts = await t.keyClient({ mount_permission: true, basic_path: `${m}/p` })
    const reader = await t.keyClient({ mount_permission: true, mount_read_only: true })
    const share = { url, s3_config_id: t.storage.configId }
    expect((await startImport(mounts, share)).status).toBe(403)
    expect((await startImport(files, { url, target_path: `${m}/` })).status).toBe(403)
    expect((await startImport(reader, { url, target_path: `${m}/` })).body.error.code).toBe('fs.read_only')
    for (const path of [`${m}/`, `${m}/p2/`, `${m}/p/../`, '/', '/local/', '/s3/'])
      expect([path, (await startImport(mounts, { url, target_path: path })).status >= 400]).toEqual([
        path,
        true,
      ])
    const task = await runImport(t, { url, target_path: `${m}/p/` }, mounts)
    expect(task.result.path).toBe(`${m}/p/report.txt`)
    expect((await files.call('GET', `/api/tasks/${task.id}`)).status).toBe(404)
    expect((await files.call('POST', `/api/tasks/${task.id}/cancel`)).status).toBe(404)
    expect((await t.admin.call('GET', `/api/tasks/${task.id}`)).status).toBe(200)
  })
})
