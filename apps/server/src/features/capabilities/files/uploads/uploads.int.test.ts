import { parse } from 'content-disposition'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import {
  bytesOnDisk,
  expectNothingLeft,
  filesOnDisk,
  localDiskId,
  pathOf,
  share,
  shareRaw,
  uploadForm,
} from '../../../../testing/files.ts'

const download = (t: TestApp, slug: string) => t.visitor.call('GET', `/api/file-download/${slug}`)

describeEachDatabase('upload form', ({ startApp }) => {
  test('a form with a file and its options as fields creates a share', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ file_permission: true })
    const { status, body } = await uploadForm(key, [
      { name: 's3_config_id', value: await localDiskId(t) },
      { name: 'slug', value: 'formed' },
      { name: 'path', value: 'in/here' },
      { name: 'remark', value: '备注' },
      { name: 'password', value: 'p w' },
      { name: 'expires_in', value: '1' },
      { name: 'max_views', value: '3' },
      { name: 'mimetype', value: 'text/html' },
      { name: 'file', value: 'bytes', filename: 'a.txt', type: 'image/png' },
    ])
    expect(status).toBe(201)
    expect(body).toMatchObject({
      code: 201,
      success: true,
      data: {
        slug: 'formed',
        filename: 'a.txt',
        mimetype: 'text/plain',
        size: 5,
        remark: '备注',
        requires_password: true,
        views: 0,
        max_views: 3,
        expires_at: '2030-01-01T01:00:00.000Z',
        use_proxy: 1,
        created_by: `apikey:${key.id}`,
        used_original_filename: false,
        url: '/file/formed',
      },
    })
    expect((await filesOnDisk(t))[0]).toMatch(/^dropleaf-shares\/in\/here\/[A-Za-z0-9]{10}-a\.txt$/)
    expect((await t.visitor.call('GET', pathOf(body.data.downloadUrl))).text).toBe('bytes')
  })

  test.each([
    [`filename="=?utf-8?B?5Lit5paHLnR4dA==?="; filename*=utf-8''%E4%B8%AD%E6%96%87.txt`, '中文.txt'],
    [`filename*=utf-8''%E4%B8%AD%E6%96%87.txt; filename="=?utf-8?B?5Lit5paHLnR4dA==?="`, '中文.txt'],
    ['filename="=?utf-8?B?5Lit5paHLnR4dA==?="', '中文.txt'],
    [`filename="${Buffer.from('d6d0cec42e747874', 'hex').toString('latin1')}"`, '中文.txt'],
    [`filename="${Buffer.from('中文 %41.txt').toString('latin1')}"`, '中文 %41.txt'],
  ])('a file is called as its sender means it: %s', async (name, expected) => {
    await using t = await startApp()
    const payload = Buffer.from(
      [
        '--X',
        'Content-Disposition: form-data; name="remark"',
        '',
        'filename="no.txt"',
        '--X',
        `Content-Disposition: form-data; name="file"; ${name}`,
        'Content-Type: text/plain',
        '',
        'Content-Disposition: form-data; name="file"; filename="of-the-content.txt"',
        '--X--',
        '',
      ].join('\r\n'),
      'latin1',
    )
    const headers = { 'content-type': 'multipart/form-data; boundary="X"' }
    const answer = await t.admin.call('POST', '/api/upload', { payload, headers })
    expect([answer.status, answer.body.data?.filename]).toEqual([201, expected])
  })

  test('options can be in the query, or after the file', async () => {
    await using t = await startApp()
    const { body } = await uploadForm(
      t.admin,
      [
        { name: 'file', value: 'bytes', filename: 'a.txt' },
        { name: 'remark', value: 'late' },
        { name: 'max_views', value: '2' },
      ],
      { slug: 'from-query', remark: 'early' },
    )
    expect(body.data).toMatchObject({ slug: 'from-query', remark: 'late', max_views: 2 })
  })

  test('no file, two files and invalid options are refused and store nothing', async () => {
    await using t = await startApp()
    const file = { name: 'file', value: 'bytes', filename: 'a.txt' }
    const codeOf = async (...args: Parameters<typeof uploadForm>) => {
      const answer = await uploadForm(...args)
      return [answer.status, answer.body.error.code]
    }
    expect(await codeOf(t.admin, [{ name: 'slug', value: 'x' }])).toEqual([400, 'file.empty_upload'])
    expect(await codeOf(t.admin, [])).toEqual([400, 'file.empty_upload'])
    expect((await codeOf(t.admin, [file, { ...file, name: 'second' }]))[0]).toBe(400)
    expect(await codeOf(t.admin, [{ name: 'slug', value: 'a b' }, file])).toEqual([400, 'request.invalid'])
    expect(await codeOf(t.admin, [{ name: 'max_views', value: '-1' }, file])).toEqual([
      400,
      'request.invalid',
    ])
    expect(await codeOf(t.admin, [file, { name: 'max_views', value: 'x' }])).toEqual([400, 'request.invalid'])
    expect(await codeOf(t.admin, [{ name: 'path', value: '../x' }, file])).toEqual([400, 'file.path_invalid'])
    expect((await uploadForm(t.visitor, [file])).status).toBe(401)
    expect((await uploadForm(await t.keyClient({ text_permission: true }), [file])).status).toBe(403)
    await expectNothingLeft(t)
  })
})

describeEachDatabase('upload-direct', ({ startApp }) => {
  test.each([
    'application/json',
    'image/png',
    'text/html; charset=gbk',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ])('keeps every byte of a body of type "%s"', async (type) => {
    await using t = await startApp()
    const bytes = Buffer.from([0x7b, 0x22, 0x00, 0xff, 0xfe, 0x0d, 0x0a, 0xe4, 0xb8, 0x7d])
    const { data } = (
      await shareRaw(t.admin, 'a.bin', { bytes, headers: type === '' ? {} : { 'content-type': type } })
    ).body
    expect(data.size).toBe(10)
    expect((await download(t, data.slug)).bytes.equals(bytes)).toBe(true)
  })

  test('only this route accepts a key in X-Custom-Auth-Key', async () => {
    await using t = await startApp()
    const { key, id } = await t.keyClient({ file_permission: true })
    const weak = await t.keyClient({ text_permission: true })
    const headers = { 'x-custom-auth-key': key }
    const answer = await shareRaw(t.visitor, 'a.txt', { headers })
    expect([answer.status, answer.body.data.created_by]).toEqual([200, `apikey:${id}`])
    const stale = await shareRaw(t.client('Bearer stale'), 'a.txt', { headers })
    expect(stale.status).toBe(200)
    expect((await shareRaw(t.visitor, 'a.txt', { headers: { 'x-custom-auth-key': weak.key } })).status).toBe(
      403,
    )
    expect((await shareRaw(t.visitor, 'a.txt', { headers: { 'x-custom-auth-key': 'no' } })).status).toBe(401)
    expect((await t.visitor.call('GET', '/api/user/files', { headers })).status).toBe(401)
  })

  test('original_filename keeps the name unchanged; another user’s upload with the same name is 409', async () => {
    await using t = await startApp()
    const query = { original_filename: 'true', path: 'kept' }
    const first = await share(t.admin, '报告 1.txt', { query })
    expect(first.used_original_filename).toBe(true)
    const [kept = '', ...others] = await filesOnDisk(t)
    expect([kept, others]).toEqual([expect.stringMatching(/kept\/报告 1\.txt$/), []])
    const key = await t.keyClient({ file_permission: true })
    const second = await shareRaw(key, '报告 1.txt', { bytes: 'other', query })
    expect([second.status, second.body.error.code]).toEqual([409, 'file.path_taken'])
    expect((await download(t, first.slug)).text).toBe('bytes')
    await t.admin.call('DELETE', '/api/admin/files/batch-delete', { body: { ids: [first.id] } })
    const third = await share(t.admin, '报告 1.txt', { bytes: 'third', query })
    expect((await download(t, third.slug)).text).toBe('third')
  })

  test('override replaces only a file of the caller', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ file_permission: true })
    const two = await t.keyClient({ file_permission: true })
    await share(one, 'a.txt', { bytes: 'old', query: { slug: 'mine' } })
    const taken = await shareRaw(one, 'a.txt', { query: { slug: 'mine' } })
    expect([taken.status, taken.body.error.code]).toEqual([409, 'file.slug_taken'])
    const foreign = await shareRaw(two, 'a.txt', { query: { slug: 'mine', override: 'true' } })
    expect(foreign.status).toBe(403)
    expect((await download(t, 'mine')).text).toBe('old')
    await share(one, 'a.txt', { bytes: 'new', query: { slug: 'mine', override: 'true' } })
    expect((await download(t, 'mine')).text).toBe('new')
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toHaveLength(1)
    const zh = await shareRaw(two, 'a.txt', {
      query: { slug: 'mine' },
      headers: { 'accept-language': 'zh' },
    })
    expect(zh.body.message).toContain('链接后缀已被占用')
  })

  test('use_proxy=0 returns direct links first; direct and proxied links both open the bytes', async () => {
    await using t = await startApp()
    const data = await share(t.admin, 'a.txt', { query: { use_proxy: '0' } })
    expect(data.use_proxy).toBe(0)
    expect([data.previewUrl, data.downloadUrl]).toEqual([
      data.s3_direct_preview_url,
      data.s3_direct_download_url,
    ])
    expect(data.proxy_download_url).toContain(`/api/file-download/${data.slug}`)
    for (const url of [data.previewUrl, data.downloadUrl, data.proxy_preview_url, data.proxy_download_url])
      expect((await t.visitor.call('GET', pathOf(url))).text).toBe('bytes')
    t.clock.advance({ hours: 1 })
    expect((await t.visitor.call('GET', pathOf(data.previewUrl))).body.error.code).toBe(
      'storage.link_expired',
    )
  })

  test('returned URLs use X-Forwarded-Proto and Host, or PUBLIC_URL', async () => {
    await using t = await startApp()
    const headers = { host: 'files.example.org', 'x-forwarded-proto': 'https' }
    const { data } = (await shareRaw(t.admin, 'a.txt', { headers })).body
    expect(data.previewUrl).toBe(`https://files.example.org/api/file-view/${data.slug}`)
    await using fixed = await startApp({ env: { PUBLIC_URL: 'https://drop.example.org/' } })
    const other = (await shareRaw(fixed.admin, 'a.txt', { headers })).body.data
    expect(other.previewUrl).toBe(`https://drop.example.org/api/file-view/${other.slug}`)
  })

  test('the forwarded scheme is accepted from trusted proxies and from a proxy on the same machine', async () => {
    const schemeSeen = async (t: TestApp, remoteAddress: string, headers: Record<string, string>) => {
      const { slug } = await share(t.admin, 'a.txt')
      const url = `/api/public/files/${slug}`
      const answer = await t.app.inject({ url, remoteAddress, headers: { host: 'files.test', ...headers } })
      return new URL(answer.json().data.previewUrl).protocol.slice(0, -1)
    }
    const https = { 'x-forwarded-proto': 'https' }
    const via = (proto: string) => ({ 'x-forwarded-proto': proto, 'x-forwarded-for': '198.51.100.7' })
    await using alone = await startApp()
    expect(await schemeSeen(alone, '127.0.0.1', https)).toBe('https')
    expect(await schemeSeen(alone, '::ffff:127.0.0.1', https)).toBe('https')
    expect(await schemeSeen(alone, '198.51.100.7', https)).toBe('http')
    expect(await schemeSeen(alone, '198.51.100.7', via('https'))).toBe('http')
    await using behind = await startApp({ env: { TRUST_PROXY: '10.0.0.0/8' } })
    expect(await schemeSeen(behind, '10.0.0.1', https)).toBe('https')
    expect(await schemeSeen(behind, '10.0.0.1', via('https'))).toBe('https')
    // The proxy appends its value to the client's value, so only the last value is trusted.
    expect(await schemeSeen(behind, '10.0.0.1', via('https, http'))).toBe('http')
    expect(await schemeSeen(behind, '10.0.0.1', via('javascript'))).toBe('http')
    expect(await schemeSeen(behind, '198.51.100.7', via('https'))).toBe('http')
    await using none = await startApp({ env: { TRUST_PROXY: '0' } })
    expect(await schemeSeen(none, '127.0.0.1', https)).toBe('http')
  })

  test('an empty file can be shared', async () => {
    await using t = await startApp()
    const data = await share(t.admin, 'empty.txt', { bytes: '' })
    expect(data.size).toBe(0)
    const got = await download(t, data.slug)
    expect([got.status, got.text, got.headers['content-length']]).toEqual([200, '', '0'])
    const range = await t.visitor.call('GET', `/api/file-download/${data.slug}`, {
      headers: { range: 'bytes=0-' },
    })
    expect(range.status).toBe(416)
  })

  test.each([
    ['报告 2030.pdf', '报告 2030.pdf'],
    ['😀👨‍👩‍👧.png', '😀👨‍👩‍👧.png'],
    ['a"b\'c;d%41.txt', 'a"b\'c;d%41.txt'],
    [`${'x'.repeat(251)}.txt`, `${'x'.repeat(251)}.txt`],
    ['dir/sub/evil.txt', 'evil.txt'],
    ['..\\..\\evil.txt', 'evil.txt'],
    ['line\nbreak\u0085.txt', 'line break .txt'],
    ['.hidden', '.hidden'],
    ['trailing.', 'trailing.'],
    ['Dockerfile', 'Dockerfile'],
  ])('the name %j is kept as %j and downloads under it', async (given, kept) => {
    await using t = await startApp()
    const data = await share(t.admin, given)
    expect(data.filename).toBe(kept)
    const got = await download(t, data.slug)
    expect(got.text).toBe('bytes')
    const disposition = got.headers['content-disposition'] ?? ''
    expect(disposition).toMatch(/^attachment; filename=[\x20-\x7e]*$/)
    expect(parse(disposition).parameters['filename']).toBe(kept)
    const stored = (await filesOnDisk(t))[0] ?? ''
    expect(stored).toMatch(/^dropleaf-shares\/[A-Za-z0-9]{10}-[^/\\<>:"|?*]+$/)
    expect((await bytesOnDisk(t, stored)).toString()).toBe('bytes')
  })

  test('invalid names are 400', async () => {
    await using t = await startApp()
    for (const name of ['.', '..', ' ', 'a/..', 'x'.repeat(256), '字'.repeat(86), 'a\u0000b'])
      expect([name, (await shareRaw(t.admin, name)).status].at(1)).toBeGreaterThanOrEqual(400)
    await expectNothingLeft(t)
  })
})
