import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { filesOnDisk, pathOf, share } from '../../../testing/files.ts'

const HOUR_S = 3600
const info = (t: TestApp, slug: string) => t.visitor.call('GET', `/api/public/files/${slug}`)
const verify = (t: TestApp, slug: string, password: unknown) =>
  t.visitor.call('POST', `/api/public/files/${slug}/verify`, { body: { password } })
const get = (t: TestApp, address: string) => t.visitor.call('GET', pathOf(address))
const updateFile = (t: TestApp, id: string, body: Record<string, unknown>) =>
  t.admin.call('PUT', `/api/admin/files/${id}`, { body })

describeEachDatabase('public files: views', ({ startApp }) => {
  test('an open share returns all public fields by its suffix, and counts each read', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { id } = await share(t.admin, 'a.txt', { query: { slug: 'open', remark: 'r', expires_in: '1' } })
    const first = await info(t, 'open')
    expect(first.headers['cache-control']).toBe('no-store')
    expect(first.body).toMatchObject({
      code: 200,
      success: true,
      data: {
        id,
        slug: 'open',
        filename: 'a.txt',
        mimetype: 'text/plain',
        size: 5,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        remark: 'r',
        requires_password: false,
        views: 1,
        max_views: null,
        expires_at: '2030-01-01T01:00:00.000Z',
        use_proxy: 1,
      },
    })
    const second = (await info(t, 'open')).body.data
    expect(second.views).toBe(2)
    expect(second.previewUrl).toBe(second.proxy_preview_url)
    for (const name of ['previewUrl', 'downloadUrl', 's3_direct_preview_url', 's3_direct_download_url'])
      expect([name, (await get(t, second[name])).text]).toEqual([name, 'bytes'])
    expect((await info(t, 'unknown')).body.error.code).toBe('file.not_found')
  })

  test('a share opens only by its current suffix: a change revokes all earlier URLs', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.docx', { query: { slug: 'former' } })
    await t.admin.call('PUT', `/api/admin/files/${id}`, { body: { use_proxy: false } })
    const { previewUrl, downloadUrl, s3_direct_preview_url: direct } = (await info(t, 'former')).body.data
    expect((await get(t, direct)).status).toBe(200)
    expect((await updateFile(t, id, { slug: 'latter' })).status).toBe(200)
    for (const name of ['former', id])
      for (const door of ['public/files', 'file-view', 'file-download', 'office-preview'])
        expect([name, door, (await t.visitor.call('GET', `/api/${door}/${name}`)).status]).toEqual([
          name,
          door,
          404,
        ])
    expect((await verify(t, id, 'x')).status).toBe(404)
    for (const address of [previewUrl, downloadUrl, direct])
      expect((await get(t, address)).status).toBeGreaterThanOrEqual(400)
    expect((await info(t, 'latter')).status).toBe(200)
    expect((await t.admin.call('GET', `/api/admin/files/${id}`)).body.data.slug).toBe('latter')
  })

  test('N views are served, N + 1 and later are 410 until the tombstone goes, then 404', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'two', max_views: '2' } })
    for (const views of [1, 2]) expect((await info(t, 'two')).body.data).toMatchObject({ views })
    for (let n = 0; n < 2; n += 1) {
      const over = await info(t, 'two')
      expect([over.status, over.body.error.code]).toEqual([410, 'file.used_up'])
    }
    t.clock.advance({ hours: 7 })
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect((await info(t, 'two')).status).toBe(410)
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect((await info(t, 'two')).status).toBe(404)
  })

  test('two hundred readers at once of a share of five views get exactly five', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'five', max_views: '5' } })
    const answers = await Promise.all(Array.from({ length: 200 }, () => info(t, 'five')))
    expect(answers.filter((a) => a.status === 200 && a.body.data.previewUrl)).toHaveLength(5)
    expect(answers.filter((a) => a.status === 410)).toHaveLength(195)
  })

  test('an expired share is 410 through every interface, before and after the sweep; its suffix is free again', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.docx', { query: { slug: 'gone', expires_in: '1', password: 'p' } })
    t.clock.advance({ hours: 1 })
    const doors = [
      ['GET', '/api/public/files/gone'],
      ['GET', '/api/file-view/gone?password=p'],
      ['GET', '/api/file-download/gone'],
      ['HEAD', '/api/file-download/gone'],
      ['GET', '/api/office-preview/gone?password=p'],
    ] as const
    const statuses = () =>
      Promise.all(doors.map(async ([method, path]) => (await t.visitor.call(method, path)).status))
    expect(await statuses()).toEqual(doors.map(() => 410))
    expect((await verify(t, 'gone', 'p')).status).toBe(410)
    await t.ctx.jobs.drain()
    expect(await filesOnDisk(t)).toEqual([])
    expect(await statuses()).toEqual(doors.map(() => 410))
    await share(t.admin, 'b.txt', { bytes: 'new', query: { slug: 'gone' } })
    expect((await t.visitor.call('GET', '/api/file-download/gone')).text).toBe('new')
  })
})

describeEachDatabase('public files: password', ({ startApp }) => {
  test('a locked share shows no address and no hash, and counts no view', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'locked', password: 'sesame', max_views: '1' } })
    for (let n = 0; n < 2; n += 1) {
      const { body, text } = await info(t, 'locked')
      expect(body.data).toMatchObject({ requires_password: true, views: 0, filename: 'a.txt', sha256: null })
      expect(Object.keys(body.data).filter((name) => /url/i.test(name))).toEqual([])
      expect(text).not.toMatch(/sesame|\/api\/|ticket/)
    }
    const opened = await verify(t, 'locked', 'sesame')
    expect(opened.body.data).toMatchObject({ requires_password: false, views: 1 })
    expect(opened.text).not.toContain('sesame')
    expect((await get(t, opened.body.data.previewUrl)).text).toBe('bytes')
    expect((await get(t, opened.body.data.downloadUrl)).text).toBe('bytes')
    expect((await verify(t, 'locked', 'sesame')).body.error.code).toBe('file.used_up')
  })

  test('verify: wrong 401, missing 400, for an open share 400, unknown 404', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'locked', password: 'right' } })
    await share(t.admin, 'a.txt', { query: { slug: 'open' } })
    const codeOf = async (slug: string, password: unknown) => {
      const answer = await verify(t, slug, password)
      return [answer.status, answer.body.error.code]
    }
    expect(await codeOf('locked', 'wrong')).toEqual([401, 'file.password_wrong'])
    expect(await codeOf('locked', undefined)).toEqual([400, 'request.invalid'])
    expect(await codeOf('open', 'any')).toEqual([400, 'file.no_password'])
    expect(await codeOf('unknown', 'any')).toEqual([404, 'file.not_found'])
  })

  test('the URLs of the bytes require the password: 401 without, 403 wrong, 429 after twenty guesses', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'locked', password: 'p&w d' } })
    for (const door of ['file-view', 'file-download']) {
      const open = (query: string) => t.visitor.call('GET', `/api/${door}/locked${query}`)
      expect((await open('')).body?.error.code).toBe('file.password_missing')
      expect((await open('?password=no')).status).toBe(403)
      const right = await open('?password=p%26w%20d')
      expect([right.text, right.headers['cache-control']]).toEqual(['bytes', 'private, no-store'])
    }
    for (let n = 0; n < 18; n += 1) await t.visitor.call('GET', `/api/file-view/locked?password=guess${n}`)
    expect((await t.visitor.call('GET', '/api/file-view/locked?password=p%26w%20d')).status).toBe(429)
    expect((await verify(t, 'locked', 'p&w d')).headers['retry-after']).toBe('600')
  })

  test('links in the response to the owner open a locked share permanently', async () => {
    await using t = await startApp()
    const data = await share(t.admin, 'a.txt', { query: { password: 'p&w d' } })
    expect(data.proxy_download_url).toMatch(/\?password=p%26w%20d$/)
    t.clock.advance({ hours: 1000 })
    expect((await get(t, data.proxy_download_url)).text).toBe('bytes')
  })
})

describeEachDatabase('tickets', ({ startApp }) => {
  test('open the share that they were made for, for six hours, again and again, without costing a view', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'once', max_views: '1' } })
    const { previewUrl, downloadUrl } = (await info(t, 'once')).body.data
    expect(previewUrl).toContain('ticket=')
    for (const address of [previewUrl, downloadUrl, previewUrl])
      expect((await get(t, address)).text).toBe('bytes')
    expect((await t.visitor.call('GET', '/api/file-download/once')).status).toBe(410)
    t.clock.advance({ seconds: 6 * HOUR_S - 1 })
    await t.ctx.jobs.drain()
    expect((await get(t, previewUrl)).text).toBe('bytes')
    t.clock.advance({ seconds: 1 })
    const over = await get(t, previewUrl)
    expect([over.status, over.body.error.code]).toEqual([403, 'file.link_invalid'])
  })

  test('become invalid with a new password, and do not open another file', async () => {
    await using t = await startApp()
    const one = await share(t.admin, 'a.txt', { query: { slug: 'one', password: 'p' } })
    await share(t.admin, 'b.txt', { query: { slug: 'two', password: 'p' } })
    const { previewUrl } = (await verify(t, 'one', 'p')).body.data
    const other = await get(t, previewUrl.replace('/one?', '/two?'))
    expect([other.status, other.body.error.code]).toEqual([403, 'file.link_invalid'])
    for (const forged of ['x', '9999999999.x', '', '9999999999', 'a.b.c'])
      expect((await t.visitor.call('GET', `/api/file-view/one?ticket=${forged}`)).status).toBe(403)
    await updateFile(t, one.id, { password: 'p' })
    expect((await get(t, previewUrl)).status).toBe(403)
    const fresh = (await verify(t, 'one', 'p')).body.data.previewUrl
    expect((await get(t, fresh)).text).toBe('bytes')
    await updateFile(t, one.id, { password: '' })
    expect((await t.visitor.call('GET', '/api/file-view/one')).text).toBe('bytes')
  })

  test('the right password needs no ticket, and works also with an invalid one', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'one', password: 'p' } })
    expect((await t.visitor.call('GET', '/api/file-view/one?ticket=1.x&password=p')).text).toBe('bytes')
  })
})

describeEachDatabase('bytes of a limited share without a ticket', ({ startApp }) => {
  test('each download costs a view; ranges that follow, HEADs and previews of info cost none', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { bytes: '0123456789', query: { slug: 'two', max_views: '2' } })
    const part = (range: string, agent = 'curl/8') =>
      t.visitor.call('GET', '/api/file-download/two', { headers: { range, 'user-agent': agent } })
    expect((await t.visitor.call('HEAD', '/api/file-download/two')).status).toBe(200)
    expect((await part('bytes=0-4')).text).toBe('01234')
    expect((await part('bytes=5-')).text).toBe('56789')
    expect((await part('bytes=-1')).text).toBe('9')
    expect((await part('bytes=0-', 'wget')).text).toBe('0123456789')
    expect((await part('bytes=5-', 'other')).status).toBe(410)
    expect((await part('bytes=8-')).text).toBe('89')
    expect((await t.visitor.call('GET', '/api/file-download/two')).status).toBe(410)
    t.clock.advance({ seconds: HOUR_S })
    expect((await part('bytes=8-')).status).toBe(410)
  })

  test('a range from the first byte on is a new download, however many ask at once', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { bytes: '0123456789', query: { slug: 'five', max_views: '5' } })
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        t.visitor.call('GET', '/api/file-download/five', { headers: { range: 'bytes=0-' } }),
      ),
    )
    expect(answers.filter((a) => a.status === 206)).toHaveLength(5)
    expect(answers.filter((a) => a.status === 410)).toHaveLength(195)
  })

  test('the bytes that are sent determine the cost: an If-Range that does not match sends the whole file', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', {
      bytes: '0123456789',
      query: { slug: 'one', max_views: '1' },
    })
    const views = async () => (await t.admin.call('GET', `/api/admin/files/${id}`)).body.data.views
    const ask = (range: string) =>
      t.visitor.call('GET', '/api/file-download/one', { headers: { range, 'if-range': '"other"' } })
    expect([(await ask('bytes=90-')).text, await views()]).toEqual(['0123456789', 1])
    for (const range of ['bytes=90-', 'bytes=9-', 'bytes=-1', 'bytes=0-'])
      expect((await ask(range)).status).toBe(410)
  })

  test('a view covers later parts up to the size of the file, then another view is counted', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', {
      bytes: '0123456789',
      query: { slug: 'two', max_views: '2' },
    })
    const views = async () => (await t.admin.call('GET', `/api/admin/files/${id}`)).body.data.views
    const part = async (range: string) =>
      (await t.visitor.call('GET', '/api/file-download/two', { headers: { range } })).status
    expect([await part('bytes=0-'), await part('bytes=1-'), await views()]).toEqual([206, 206, 1])
    expect([await part('bytes=1-'), await views()]).toEqual([206, 2])
    expect([await part('bytes=1-'), await part('bytes=1-')]).toEqual([206, 410])
  })

  test('fifty downloads at once of a share of three give exactly three', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt', { query: { slug: 'three', max_views: '3' } })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => t.visitor.call('GET', '/api/file-download/three')),
    )
    expect(answers.filter((a) => a.status === 200 && a.text === 'bytes')).toHaveLength(3)
    expect(answers.filter((a) => a.status === 410)).toHaveLength(47)
  })

  test('answers without bytes cost no view: HEAD, not modified, no such range', async () => {
    await using t = await startApp()
    const { id } = await share(t.admin, 'a.txt', {
      bytes: '0123456789',
      query: { slug: 'once', max_views: '1' },
    })
    const { etag } = (await t.visitor.call('HEAD', '/api/file-view/once')).headers
    const ask = async (headers: Record<string, string>) =>
      (await t.visitor.call('GET', '/api/file-view/once', { headers })).status
    expect(await ask({ 'if-none-match': etag ?? '' })).toBe(304)
    expect(await ask({ range: 'bytes=10-' })).toBe(416)
    expect((await t.admin.call('GET', `/api/admin/files/${id}`)).body.data.views).toBe(0)
    expect(await ask({})).toBe(200)
    expect(await ask({ 'if-none-match': etag ?? '' })).toBe(410)
  })

  test('the address for an online viewer costs a view of its own, unless the same client opened the page', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.docx', { query: { slug: 'doc', max_views: '2' } })
    const preview = (agent: string) =>
      t.visitor.call('GET', '/api/office-preview/doc', { headers: { 'user-agent': agent } })
    await t.visitor.call('GET', '/api/public/files/doc', { headers: { 'user-agent': 'reader' } })
    expect((await preview('reader')).status).toBe(200)
    expect((await preview('reader')).status).toBe(200)
    expect((await preview('stranger')).status).toBe(200)
    expect((await preview('another')).status).toBe(410)
  })
})
