import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../testing/app.ts'
import { allRoutes } from '../../testing/contract-routes.ts'
import { share } from '../../testing/files.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const create = (t: TestApp, payload: string, headers: Record<string, string> = JSON_TYPE) =>
  t.admin.call('POST', '/api/paste', { payload, headers })

/** Sends bytes to a real port, and returns what the server sends until it closes the connection. */
function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('end', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
  })
}

describeEachDatabase('http: bodies', ({ startApp }) => {
  test('malformed and prototype-poisoning JSON is 400 in the envelope, without a stack', async () => {
    await using t = await startApp()
    for (const payload of [
      '{"content":',
      '{content:1}',
      '{"content":"x","__proto__":{"a":1}}',
      '{"constructor":{"prototype":{"a":1}}}',
    ]) {
      const answer = await create(t, payload)
      expect([payload, answer.status, answer.body.error.code]).toEqual([payload, 400, 'request.refused'])
      expect(answer.text).not.toMatch(/node_modules|\.ts:|at /)
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  test('an empty body of the JSON type is no body, on every method', async () => {
    await using t = await startApp()
    const empty = { payload: '', headers: JSON_TYPE }
    expect((await t.admin.call('GET', '/api/admin/pastes', empty)).status).toBe(200)
    expect((await t.admin.call('POST', '/api/admin/cache/clear', empty)).status).toBe(200)
    expect((await t.admin.call('POST', '/api/admin/pastes/clear-expired', empty)).status).toBe(200)
    expect((await t.admin.call('DELETE', '/api/admin/pastes/unknown', empty)).status).toBe(404)
    expect((await t.admin.call('POST', '/api/paste', empty)).status).toBe(400)
  })

  test('JSON types in any spelling and URL-encoded forms are parsed, others are 415', async () => {
    await using t = await startApp()
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json'])
      expect([type, (await create(t, '{"content":"x"}', { 'content-type': type })).status]).toEqual([
        type,
        201,
      ])
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await create(t, 'content=x+y&maxViews=2', urlencoded)).body.maxViews).toBe(2)
    const other = await create(t, '{"content":"x"}', { 'content-type': 'text/plain' })
    expect([other.status, other.body.error.code]).toEqual([415, 'request.refused'])
  })

  test('a byte order mark and invalid UTF-8 do not cause a server error', async () => {
    await using t = await startApp()
    const bytes = Buffer.concat([
      Buffer.from('{"content":"'),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from('"}'),
    ])
    const answer = await t.admin.call('POST', '/api/paste', { payload: bytes, headers: JSON_TYPE })
    expect(answer.status).toBeLessThan(500)
    expect((await create(t, '\ufeff{"content":"x"}')).status).toBeLessThan(500)
  })
})

describeEachDatabase('http: errors and headers', ({ startApp }) => {
  test('an unknown address and an unknown method are 404 in the envelope', async () => {
    await using t = await startApp()
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['GET', '/api/'],
      ['GET', '/api'],
      ['DELETE', '/api/paste'],
      ['GET', '/api/admin'],
      ['POST', '/api/health'],
    ] as const) {
      const answer = await t.admin.call(method, path)
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'request.not_found'])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
  })

  test('the error for an invalid field contains the rule, in the language of the caller', async () => {
    await using t = await startApp()
    const body = { name: 'x'.repeat(51), mount_path: '/x', storage_type: 'S3', cache_ttl: 86_401 }
    const detailsIn = async (language: string) => {
      const headers = { 'accept-language': language }
      const answer = await t.admin.call('POST', '/api/admin/mounts', { body, headers })
      return answer.body.error.details
    }
    const named = (text: string) => ({ path: 'body.name', message: expect.stringContaining(text) })
    const ttl = (text: string) => ({ path: 'body.cache_ttl', message: expect.stringContaining(text) })
    expect(await detailsIn('en')).toEqual(expect.arrayContaining([named('<=50'), ttl('<=86400')]))
    expect(await detailsIn('zh-CN')).toEqual(
      expect.arrayContaining([named('不能超过 50 个字符'), ttl('不能大于 86400')]),
    )
    const missing = await t.admin.call('POST', '/api/fs/mkdir', { body: {} })
    expect(missing.body.message).toContain('body.path: Invalid input: expected string, received undefined')
  })

  test('errors about a body are in Chinese for a Chinese caller', async () => {
    await using t = await startApp()
    const messageOf = async (body: object | string) => {
      const headers = { 'accept-language': 'zh-CN', 'content-type': 'application/json' }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      return (await t.admin.call('POST', '/api/paste', { headers, payload })).body.message
    }
    expect(await messageOf('{')).toBe('无法读取请求：请求体不是有效的 JSON')
    expect(await messageOf({ content: 'a', slug: 'a b' })).toBe(
      '请求内容不正确：body.slug: 链接后缀只能使用字母、数字、“-”和“_”',
    )
    expect(await messageOf({})).toBe('请求内容不正确：body.content: 缺少此项')
    expect(await messageOf({ content: 1 })).toBe('请求内容不正确：body.content: 应为文本')
    expect(await messageOf({ content: 'a', content_type: 'html' })).toMatch(/应为以下之一：text\/markdown、/)
  })

  test('only a POST can override its method', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt')
    const call = (method: string, headers: Record<string, string>) =>
      t.admin.call(method, `/api/admin/files/${id}`, { headers, body: { remark: 'changed' } })
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      expect([name, (await call('POST', { [name]: 'put' })).status]).toEqual([name, 200])
      expect([name, (await call('PUT', { [name]: 'DELETE' })).status]).toEqual([name, 200])
    }
    expect((await call('POST', { 'X-HTTP-Method': 'CONNECT' })).status).toBe(404)
    const read = await t.admin.call('POST', `/api/admin/files/${id}`, { headers: { 'X-HTTP-Method': 'GET' } })
    expect(read.body.data.remark).toBe('changed')
  })

  test('messages are Chinese when Accept-Language starts with zh, otherwise English', async () => {
    await using t = await startApp()
    const messageIn = async (language?: string) =>
      (
        await t.visitor.call('GET', '/api/paste/unknown', {
          headers: language ? { 'accept-language': language } : {},
        })
      ).body.message
    for (const zh of ['zh', 'zh-CN,zh;q=0.9,en;q=0.8', 'ZH-TW'])
      expect(await messageIn(zh)).toBe('文本分享不存在。')
    for (const en of [undefined, 'en-US,zh', 'fr', '*', ';;;'])
      expect(await messageIn(en)).toMatch(/does not exist/)
  })

  test('every response has a unique request id, which is also in the envelope', async () => {
    await using t = await startApp()
    const one = await t.visitor.call('GET', '/api/paste/unknown')
    const two = await t.visitor.call('GET', '/api/paste/%')
    expect(one.headers['x-request-id']).toBe(one.body.error.requestId)
    expect(two.headers['x-request-id']).toBe(two.body.error.requestId)
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id'])
    const forged = await t.visitor.call('GET', '/api/health', {
      headers: { 'request-id': 'mine', 'x-request-id': 'mine' },
    })
    expect(forged.headers['x-request-id']).not.toBe('mine')
    expect(forged.headers['x-content-type-options']).toBe('nosniff')
  })

  test('a preflight is 204 for every URL, without a credential', async () => {
    await using t = await startApp()
    for (const path of ['/api/admin/pastes', '/api/upload-direct/x', '/api/nothing', '/api/storage/a/b']) {
      const answer = await t.visitor.call('OPTIONS', path, {
        headers: { origin: 'https://a.example', 'access-control-request-headers': 'authorization,x-odd' },
      })
      expect([path, answer.status, answer.text]).toEqual([path, 204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization,x-odd',
        'access-control-max-age': '86400',
      })
      expect(answer.headers['access-control-allow-methods']).toContain('PUT')
    }
  })

  test('responses, including errors, can be read from any origin', async () => {
    await using t = await startApp()
    const from = (path: string) => t.visitor.call('GET', path, { headers: { origin: 'https://a.example' } })
    for (const path of ['/api/health', '/api/paste/unknown', '/api/admin/pastes']) {
      const answer = await from(path)
      expect(answer.headers['access-control-allow-origin']).toBe('https://a.example')
      expect(answer.headers.vary).toContain('Origin')
      expect(answer.headers['access-control-expose-headers']).toContain('ETag')
    }
    expect((await t.visitor.call('GET', '/api/health')).headers['access-control-allow-origin']).toBe('*')
  })

  test('an invalid host name is refused immediately, in both languages', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const ask = (headers: Record<string, string>, url = '/api/health') =>
      t.visitor.call('GET', url, { headers })
    for (const host of ['evil.example/x?', 'a@b', 'a b', 'a"b', 'a.example#', '[::1', 'a:b', 'a\\b', '<a>']) {
      const answer = await ask({ host })
      expect([host, answer.status, answer.body.error.code]).toEqual([host, 400, 'request.bad_host'])
      expect(answer.headers['cache-control']).toBe('private, no-store')
    }
    const words = await ask({ host: 'a/b', 'accept-language': 'zh-CN' })
    expect(words.body.message).toContain('主机')
    expect((await ask({ host: 'a/b' }, '/no-such-page')).status).toBe(400)
    for (const host of [
      'localhost:8787',
      'a_b.example.',
      '192.0.2.1:80',
      '[2001:db8::1]:443',
      'xn--fiq.example',
    ])
      expect([host, (await ask({ host })).status]).toEqual([host, 200])
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as { port: number }
    const put = await exchange(
      port,
      'PUT /a.bin HTTP/1.1\r\nHost: evil.example/x?\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx',
    )
    expect(put).toMatch(/^HTTP\/1\.1 400 [^]*host name in the request is not valid\.\n$/)
    // For an HTTP/1.0 request without a `Host` header, the host that the proxy forwards is used.
    const old = (host: string) =>
      exchange(port, `GET /api/health HTTP/1.0\r\nX-Forwarded-Host: ${host}\r\n\r\n`)
    expect(await old('evil.example/x?')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await old('a.example')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await exchange(port, 'GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('two Host headers are refused, whether they differ or not', async () => {
    await using t = await startApp()
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as { port: number }
    const ask = (lines: readonly string[], path = '/api/health') =>
      exchange(port, [`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
    expect(await ask(['Host: a.example'])).toMatch(/^HTTP\/1\.1 200 /)
    for (const lines of [
      ['Host: a.example', 'Host: b.example'],
      ['Host: a.example', 'host: a.example'],
      ['Host: a.example', 'X-A: b', 'HOST:'],
    ])
      for (const path of ['/api/health', '/', '/dav/', 'http://a.example/api/health'])
        expect(await ask(lines, path)).toMatch(/^HTTP\/1\.1 400 [^]*host name in the request is not valid/)
  })

  test('oversized URLs and headers are refused on a real connection, and the server keeps running', async () => {
    await using t = await startApp()
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as { port: number }
    const long = await exchange(port, `GET /api/paste/${'a'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(long).toMatch(/^HTTP\/1\.1 431 /)
    expect(JSON.parse(long.slice(long.indexOf('{')))).toMatchObject({
      code: 431,
      success: false,
      data: null,
      error: { code: 'request.refused', requestId: expect.any(String) },
    })
    const garbage = await exchange(port, 'NONSENSE\r\n\r\n')
    expect(garbage).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(
      await exchange(port, 'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ).toContain('"ok"')
  })
})

describeEachDatabase('http: API documentation', ({ startApp }) => {
  test('openapi.json lists every route of the contract, its access, and its failures', async () => {
    await using t = await startApp()
    const { body } = await t.visitor.call('GET', '/api/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const declared = allRoutes.map(
      (spec) => `${spec.method} ${spec.path.replace(/\*$/, '{key}').replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(listed.sort()).toEqual(declared.sort())
    expect(body.paths['/api/paste'].post).toMatchObject({
      security: expect.any(Array),
      requestBody: expect.any(Object),
    })
    expect(body.paths['/api/paste/{slug}'].get.responses['410'].description).toContain('paste.used_up')
    expect(body.paths['/api/health'].get).not.toHaveProperty('security')
  })

  test('the documentation page loads nothing from other hosts and runs no script', async () => {
    await using t = await startApp()
    const page = await t.visitor.call('GET', '/api/docs')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).not.toMatch(/<script|<link|<img|<iframe|@import|src=|\bon\w+=|javascript:/i)
    expect(page.text.match(/href="[^"]*"/g)).toEqual(['href="openapi.json"'])
    expect(page.text).toContain('/api/upload-direct/{filename}')
    expect(page.headers['content-security-policy']).toContain("script-src 'none'")
  })
})

describeEachDatabase('http: a disk that is nearly full', ({ startApp, engine }) => {
  test('files, and texts on the same disk, are refused with a message; requests that need no space still work', async () => {
    await using t = await startApp({ env: { DISK_RESERVE_MB: '1000000' } })
    const file = await t.admin.call('PUT', '/api/fs/upload?path=/local/a.bin', { payload: Buffer.from('a') })
    expect([file.status, file.body.error.code]).toEqual([507, 'storage.disk_full'])
    const text = await create(t, '{"content":"x"}')
    const isRefused = engine === 'sqlite'
    expect([text.status, text.body.error?.code]).toEqual(
      isRefused ? [507, 'storage.disk_full'] : [201, undefined],
    )
    const key = await t.admin.call('POST', '/api/admin/api-keys', {
      body: { name: 'k', expires_at: 'never' },
    })
    expect(key.status).toBe(201)
    expect((await t.admin.call('DELETE', `/api/admin/api-keys/${key.body.data.id}`)).status).toBe(200)
  })
})
