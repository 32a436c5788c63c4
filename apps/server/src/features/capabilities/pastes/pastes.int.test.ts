import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'

describeEachDatabase('pastes', ({ startApp }) => {
  test('a share of five views gives two hundred readers at once exactly five contents, then 410', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'five', maxViews: 5 } })
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => t.visitor.call('GET', '/api/paste/five')),
    )
    expect(answers.filter((a) => a.status === 200 && a.body.content === 'hi')).toHaveLength(5)
    expect(answers.filter((a) => a.status === 410)).toHaveLength(195)
  })

  test('edits by the owner during reads do not allow more views than the limit', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'busy', maxViews: 5 } })
    const edit = () => t.admin.call('PUT', '/api/admin/pastes/busy', { body: { content: 'hi', maxViews: 5 } })
    const read = () => t.visitor.call('GET', '/api/paste/busy')
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, turn) => (turn % 4 === 0 ? edit() : read())),
    )
    expect(answers.filter((a) => a.body.content === 'hi')).toHaveLength(5)
    expect((await edit()).body.error.code).toBe('paste.used_up')
  })

  test('every view of a text without a limit is counted, in every response with the count', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'open' } })
    await t.admin.call('POST', '/api/paste', { body: { content: 'ho', slug: 'less' } })
    const look = (slug: string) => t.visitor.call('GET', `/api/paste/${slug}`)
    const told = await Promise.all(Array.from({ length: 60 }, () => look('open')))
    expect(told.map(({ body }) => body.views as number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    )
    await Promise.all([look('less'), t.visitor.call('GET', '/api/raw/less')])
    const list = await t.admin.call('GET', '/api/admin/pastes?sort=views&order=desc')
    expect(list.body.data).toMatchObject([
      { slug: 'open', view_count: 60 },
      { slug: 'less', view_count: 2 },
    ])
    expect((await look('open')).body.views).toBe(61)
    expect((await t.admin.call('GET', '/api/admin/pastes/open')).body.data.views).toBe(61)
  })

  test('earlier views count towards a limit and remain counted after a password is set', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'later' } })
    const look = () => t.visitor.call('GET', '/api/paste/later')
    const edit = (change: object) =>
      t.admin.call('PUT', '/api/admin/pastes/later', { body: { content: 'hi', ...change } })
    await Promise.all([look(), look(), look()])
    await edit({ maxViews: 5 })
    const answers = await Promise.all(Array.from({ length: 9 }, look))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'locked' } })
    await t.visitor.call('GET', '/api/paste/locked')
    const password = 'open sesame'
    await t.admin.call('PUT', '/api/admin/pastes/locked', { body: { content: 'hi', password } })
    const unlocked = await t.visitor.call('POST', '/api/paste/locked', { body: { password } })
    expect(unlocked.body.views).toBe(2)
  })

  test('a view of a deleted text returns nothing', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'saved' } })
    await t.visitor.call('GET', '/api/paste/saved')
    const row = await t.ctx.db.selectFrom('pastes').selectAll().executeTakeFirstOrThrow()
    await t.visitor.call('GET', '/api/paste/saved')
    await t.admin.call('DELETE', '/api/admin/pastes/saved')
    await t.ctx.db
      .insertInto('pastes')
      .values({ ...row, views: 1 })
      .execute()
    expect((await t.visitor.call('GET', '/api/paste/saved')).body.views).toBe(2)
  })

  test('an expired share answers 410 for a day, swept or not, then 404', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    await t.admin.call('POST', '/api/paste', {
      body: { content: 'hi', slug: 'gone', expiresAt: '2030-01-01T01:00:00Z' },
    })
    t.clock.advance({ hours: 1 })
    expect((await t.visitor.call('GET', '/api/paste/gone')).body.error.code).toBe('paste.expired')
    await t.ctx.jobs.drain()
    const row = await t.ctx.db
      .selectFrom('pastes')
      .selectAll()
      .where('slug', '=', 'gone')
      .executeTakeFirstOrThrow()
    expect(row.content).toBe('')
    expect((await t.visitor.call('GET', '/api/paste/gone')).status).toBe(410)
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect((await t.visitor.call('GET', '/api/paste/gone')).status).toBe(404)
  })
})

/** All kinds of characters that JSON escapes, and some characters that take two to four bytes in UTF-8. */
const HARD_LETTERS = '\u0001\b\f\n\r\t"\\/\u001f\u007f\u2028é你😀"content":""'

describeEachDatabase('pastes: long texts', ({ startApp }) => {
  test('a text that is copied from the database without decoding has the same response as a short one, and each view is counted', async () => {
    await using t = await startApp()
    const remark = '"content":"" {}'
    const make = (slug: string, content: string, wishes = {}) =>
      t.admin.call('POST', '/api/paste', { body: { slug, content, remark, ...wishes } })
    const long = HARD_LETTERS.repeat(2000)
    await make('short', HARD_LETTERS)
    await make('long', long)
    await make('limited', long, { maxViews: 2 })
    const told = async (slug: string) => {
      const { body, headers } = await t.visitor.call('GET', `/api/paste/${slug}`)
      const { data, code: _code, message: _message, success: _success, ...fields } = body
      expect(data).toEqual(fields)
      const { content, slug: _slug, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = fields
      const kind = [headers['content-type'], headers['cache-control']]
      return { content, kind, rest, keys: Object.keys(body) }
    }
    const short = await told('short')
    expect(short.content).toBe(HARD_LETTERS)
    expect(await told('long')).toEqual({ ...short, content: long })
    expect((await told('limited')).content).toBe(long)
    const raw = await t.visitor.call('GET', '/api/raw/long')
    expect(raw.text === long).toBe(true)
    expect([raw.headers['content-type'], raw.headers['content-length']]).toEqual([
      'text/plain; charset=utf-8',
      String(Buffer.byteLength(long)),
    ])
    const packed = await t.visitor.call('GET', '/api/paste/long', { headers: { 'accept-encoding': 'br' } })
    expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual([
      'br',
      expect.stringContaining('Accept-Encoding'),
    ])
    const { content, views } = JSON.parse(brotliDecompressSync(packed.bytes).toString())
    expect([content === long, views]).toEqual([true, 3])
  })

  test('concurrent reads of many texts each get the right text', async () => {
    await using t = await startApp()
    const texts = Array.from({ length: 60 }, (_, index) => `${index} `.repeat(60_000))
    await Promise.all(
      texts.map((content, index) =>
        t.admin.call('POST', '/api/paste', { body: { content, slug: `many-${index}` } }),
      ),
    )
    const read = await Promise.all(texts.map((_, index) => t.visitor.call('GET', `/api/paste/many-${index}`)))
    expect(read.filter(({ body }, index) => body.content === texts[index])).toHaveLength(texts.length)
  })
})

const create = (client: TestClient, body: Record<string, unknown>) =>
  client.call('POST', '/api/paste', { body })
const read = (t: TestApp, slug: string) => t.visitor.call('GET', `/api/paste/${slug}`)
const unlock = (t: TestApp, slug: string, password: unknown) =>
  t.visitor.call('POST', `/api/paste/${slug}`, { body: { password } })
const MIB = 1024 * 1024

describeEachDatabase('pastes: create', ({ startApp }) => {
  test('content alone: 201, fields also outside the envelope, a random suffix of six characters, Markdown', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { status, body } = await create(t.admin, { content: 'hi' })
    expect(status).toBe(201)
    const { data, ...bare } = body
    expect({ code: 201, message: 'OK', success: true, ...data }).toEqual(bare)
    expect(bare).toEqual({
      code: 201,
      message: 'OK',
      success: true,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
      content_type: 'text/markdown',
      hasPassword: false,
      createdAt: '2030-01-01T00:00:00.000Z',
      authorizedBy: 'admin',
    })
    const key = await t.keyClient({ text_permission: true })
    expect((await create(key, { content: 'x', content_type: 'text/plain' })).body).toMatchObject({
      authorizedBy: 'apikey',
      content_type: 'text/plain',
    })
  })

  test('every field is stored and returned', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { body } = await create(t.admin, {
      content: ' text \r\n with 表情 😀 ',
      content_type: 'text/plain',
      slug: 'My_own-1',
      remark: '  note ',
      expiresAt: '2030-01-02T00:00:00+08:00',
      maxViews: '3',
    })
    expect(body).toMatchObject({
      slug: 'My_own-1',
      remark: 'note',
      expiresAt: '2030-01-01T16:00:00.000Z',
      maxViews: 3,
    })
    expect((await read(t, 'My_own-1')).body).toMatchObject({
      code: 200,
      success: true,
      content: ' text \r\n with 表情 😀 ',
      content_type: 'text/plain',
      remark: 'note',
      hasPassword: false,
      expiresAt: '2030-01-01T16:00:00.000Z',
      maxViews: 3,
      views: 1,
      createdAt: '2030-01-01T00:00:00.000Z',
      updatedAt: '2030-01-01T00:00:00.000Z',
    })
  })

  test('empty content, bad suffixes, bad numbers and bad dates are 400', async () => {
    await using t = await startApp()
    for (const bad of [
      { content: '' },
      { content: ' \n\t ' },
      { content: null },
      { content: 7 },
      { content: 'a\u0000b' },
      { slug: 'with space' },
      { slug: '后缀' },
      { slug: 'x'.repeat(51) },
      { slug: 'admin' },
      { slug: 'API' },
      { maxViews: -1 },
      { maxViews: 1.5 },
      { maxViews: 2 ** 40 },
      { expiresAt: 'tomorrow' },
      { expiresAt: '9999-12-31T23:59:59-23:59' },
      { expiresAt: '2030-02-31' },
      { content_type: 'text/html' },
      { remark: 'x'.repeat(501) },
      { password: 'x'.repeat(257) },
    ]) {
      const answer = await create(t.admin, { content: 'ok', ...bad })
      expect([JSON.stringify(bad).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(bad).slice(0, 60),
        400,
      ])
    }
    expect((await create(t.admin, { content: 'x', slug: 'x'.repeat(50), maxViews: 0 })).status).toBe(201)
  })

  test('a taken suffix is 409, and of ten concurrent requests for one suffix exactly one succeeds', async () => {
    await using t = await startApp()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create(t.admin, { content: `${n}`, slug: 'wanted' })),
    )
    expect(answers.map((a) => a.status).sort((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ])
    const refused = answers.find((a) => a.status === 409)
    expect(refused?.body.error.code).toBe('paste.slug_taken')
    const zh = await t.admin.call('POST', '/api/paste', {
      body: { content: 'x', slug: 'wanted' },
      headers: { 'accept-language': 'zh-CN,zh;q=0.9' },
    })
    expect(zh.body.message).toContain('链接后缀已被占用')
  })

  test('the suffix of a share that has ended, swept or not, can be taken again', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    await create(t.admin, { content: 'one', slug: 'again', expiresAt: '2030-01-01T01:00:00Z' })
    await create(t.admin, { content: 'one', slug: 'viewed', maxViews: 1 })
    await read(t, 'viewed')
    t.clock.advance({ hours: 1 })
    expect((await create(t.admin, { content: 'two', slug: 'again' })).status).toBe(201)
    await t.ctx.jobs.drain()
    expect((await create(t.admin, { content: 'two', slug: 'viewed' })).status).toBe(201)
    expect((await read(t, 'again')).body.content).toBe('two')
    expect((await read(t, 'viewed')).body.content).toBe('two')
  })

  test('10 MB of text are stored completely, and one more byte is 413', async () => {
    await using t = await startApp()
    const content = `${'字'.repeat(Math.floor((10 * MIB) / 3))}!`
    expect(Buffer.byteLength(content)).toBe(10 * MIB)
    const { slug } = (await create(t.admin, { content })).body
    expect((await t.visitor.call('GET', `/api/raw/${slug}`)).text === content).toBe(true)
    const over = await create(t.admin, { content: `${content}!` })
    expect([over.status, over.body.error.code]).toEqual([413, 'paste.content_too_large'])
  })

  test('a client without the text permission cannot create', async () => {
    await using t = await startApp()
    expect((await create(t.visitor, { content: 'x' })).status).toBe(401)
    const key = await t.keyClient({ file_permission: true, mount_permission: true })
    const refused = await create(key, { content: 'x' })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'auth.forbidden'])
  })
})

describeEachDatabase('pastes: password', ({ startApp }) => {
  test('without the password the share returns everything except its text, and counts no view', async () => {
    await using t = await startApp()
    await create(t.admin, { content: 'SECRET TEXT', slug: 'locked', password: 'open sesame', maxViews: 1 })
    for (let reads = 0; reads < 3; reads += 1) {
      const { status, body, text } = await read(t, 'locked')
      expect(status).toBe(200)
      expect(body).toMatchObject({ requiresPassword: true, hasPassword: true, views: 0, maxViews: 1 })
      expect(body).not.toHaveProperty('content')
      expect(text).not.toMatch(/SECRET|sesame|plain_password/)
    }
    const opened = await unlock(t, 'locked', 'open sesame')
    expect(opened.body).toMatchObject({ content: 'SECRET TEXT', hasPassword: true, views: 1 })
    expect(opened.text).not.toMatch(/sesame|plain_password/)
    expect((await unlock(t, 'locked', 'open sesame')).body.error.code).toBe('paste.used_up')
    expect((await read(t, 'locked')).body.error.code).toBe('paste.used_up')
  })

  test('a wrong password is 401, a missing one 400, one for an open share 400, an unknown share 404, an ended one 410', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    await create(t.admin, { content: 'x', slug: 'locked', password: 'right' })
    await create(t.admin, { content: 'x', slug: 'open' })
    await create(t.admin, { content: 'x', slug: 'ended', password: 'p', expiresAt: '2029-12-31' })
    const codeOf = async (slug: string, password?: unknown) => {
      const answer = await unlock(t, slug, password)
      return [answer.status, answer.body.error.code]
    }
    expect(await codeOf('locked', 'Right')).toEqual([401, 'paste.password_wrong'])
    expect(await codeOf('locked')).toEqual([400, 'request.invalid'])
    expect(await codeOf('locked', '')).toEqual([400, 'request.invalid'])
    expect(await codeOf('open', 'any')).toEqual([400, 'paste.no_password'])
    expect(await codeOf('unknown', 'any')).toEqual([404, 'paste.not_found'])
    expect(await codeOf('ended', 'p')).toEqual([410, 'paste.expired'])
  })

  test('the twenty-first guess from one IP address is 429, even if correct; other addresses are not blocked', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    await create(t.admin, { content: 'x', slug: 'locked', password: 'right' })
    const guess = (password: string, address: string) =>
      t.visitor.call('POST', '/api/paste/locked', {
        body: { password },
        headers: { 'x-forwarded-for': address },
      })
    for (let tries = 0; tries < 20; tries += 1)
      expect((await guess(`${tries}`, '192.0.2.1')).status).toBe(401)
    const refused = await guess('right', '192.0.2.1')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '600'])
    const raw = await t.visitor.call('GET', '/api/raw/locked?password=right', {
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
    expect(raw.status).toBe(429)
    expect((await guess('right', '192.0.2.2')).status).toBe(200)
    t.clock.advance({ seconds: 600 })
    expect((await guess('right', '192.0.2.1')).status).toBe(200)
  })

  test('the password is stored as a slow hash and an encrypted copy, never as plain text', async () => {
    await using t = await startApp()
    const { id } = (await create(t.admin, { content: 'x', password: 'open sesame' })).body
    const rows = await t.ctx.db.selectFrom('pastes').selectAll().execute()
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$/)
    expect(JSON.stringify(rows)).not.toContain('open sesame')
    expect((await t.admin.call('GET', `/api/admin/pastes/${id}`)).body.data.plain_password).toBe(
      'open sesame',
    )
  })
})

describeEachDatabase('pastes: raw', ({ startApp }) => {
  test('returns only the text, sandboxed, and counts a view; HEAD counts none', async () => {
    await using t = await startApp()
    await create(t.admin, { content: '<script>alert(1)</script>', slug: 'raw-1', maxViews: 1 })
    const head = await t.visitor.call('HEAD', '/api/raw/raw-1')
    expect([head.status, head.text]).toEqual([200, ''])
    const raw = await t.visitor.call('GET', '/api/raw/raw-1')
    expect(raw.text).toBe('<script>alert(1)</script>')
    expect(raw.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'inline; filename="raw-1.txt"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(raw.headers['content-security-policy']).toContain('sandbox')
    expect((await t.visitor.call('GET', '/api/raw/raw-1')).status).toBe(410)
    expect((await t.visitor.call('HEAD', '/api/raw/raw-1')).status).toBe(410)
  })

  test('accepts the password in the query; errors are plain text', async () => {
    await using t = await startApp()
    await create(t.admin, { content: 'x', slug: 'locked', password: 'p&w d' })
    const raw = (query: string) => t.visitor.call('GET', `/api/raw/locked${query}`)
    expect((await raw('')).status).toBe(401)
    expect((await raw('?password=')).status).toBe(401)
    const wrong = await raw('?password=no')
    expect([wrong.status, wrong.headers['content-type'], wrong.text]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'Wrong password (401).',
    ])
    expect((await raw('?password=p%26w%20d')).text).toBe('x')
    expect((await t.visitor.call('HEAD', '/api/raw/locked')).status).toBe(401)
    expect((await t.visitor.call('HEAD', '/api/raw/locked?password=no')).status).toBe(401)
    expect((await t.visitor.call('HEAD', '/api/raw/locked?password=p%26w%20d')).status).toBe(200)
    const unknown = await t.visitor.call('GET', '/api/raw/unknown')
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
    await create(t.admin, { content: 'open', slug: 'open' })
    expect((await t.visitor.call('GET', '/api/raw/open?password=any')).text).toBe('open')
  })
})
