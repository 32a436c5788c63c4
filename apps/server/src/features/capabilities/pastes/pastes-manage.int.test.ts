import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'

const create = async (client: TestClient, body: Record<string, unknown>) =>
  (await client.call('POST', '/api/paste', { body: { content: 'x', ...body } })).body as {
    id: string
    slug: string
  }
const read = (t: TestApp, slug: string) => t.visitor.call('GET', `/api/paste/${slug}`)
const update = (client: TestClient, id: string, body: Record<string, unknown>) =>
  client.call('PUT', `/api/admin/pastes/${id}`, { body })
const detail = async (t: TestApp, id: string) =>
  (await t.admin.call('GET', `/api/admin/pastes/${id}`)).body.data

describeEachDatabase('pastes: lists', ({ startApp }) => {
  test('the list of the administrator is paged newest first, with previews, counts, flags and key names', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ name: 'holder', text_permission: true })
    const long = `${'😀'.repeat(199)}字tail`
    await create(t.admin, { content: long, slug: 'long', password: 'p', remark: 'r' })
    t.clock.advance({ seconds: 1 })
    await create(key, { content: '文'.repeat(200), slug: 'exact', maxViews: 9 })
    await read(t, 'exact')
    for (let n = 0; n < 10; n += 1) {
      t.clock.advance({ seconds: 1 })
      await create(t.admin, { slug: `t-${n}` })
    }
    const first = (await t.admin.call('GET', '/api/admin/pastes')).body
    expect(first.pagination).toEqual({ total: 12, page: 1, limit: 10, totalPages: 2 })
    expect(first.data.map((item: { slug: string }) => item.slug).slice(0, 2)).toEqual(['t-9', 't-8'])
    const second = (await t.admin.call('GET', '/api/admin/pastes?page=2&limit=10')).body
    expect(second.data).toMatchObject([
      {
        slug: 'exact',
        key_name: 'holder',
        created_by: `apikey:${key.id}`,
        has_password: 0,
        view_count: 1,
        max_views: 9,
        content_preview: '文'.repeat(200),
      },
      {
        slug: 'long',
        has_password: 1,
        view_count: 0,
        remark: 'r',
        created_at: '2030-01-01T00:00:00.000Z',
        content_preview: `${'😀'.repeat(199)}字...`,
      },
    ])
    expect(JSON.stringify(second)).not.toContain('password_hash')
    const past = (await t.admin.call('GET', '/api/admin/pastes?page=99')).body
    expect([past.data, past.pagination.total]).toEqual([[], 12])
    const own = (await t.admin.call('GET', `/api/admin/pastes?created_by=apikey:${key.id}`)).body
    expect([own.data.length, own.pagination.total]).toEqual([1, 1])
  })

  test('a key lists its own shares with their texts, and gets its own name', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ name: 'one', text_permission: true })
    const two = await t.keyClient({ name: 'two', text_permission: true })
    for (let n = 0; n < 3; n += 1) {
      await create(one, { content: `text ${n}`, slug: `one-${n}` })
      t.clock.advance({ seconds: 1 })
    }
    await create(two, {})
    await create(t.admin, {})
    const page = (await one.call('GET', '/api/user/pastes?limit=2&offset=1')).body
    expect(page).toMatchObject({
      code: 200,
      success: true,
      pagination: { total: 3, limit: 2, offset: 1, hasMore: false },
      key_info: {
        id: one.id,
        name: 'one',
        basicPath: '/',
        permissions: { text: true, file: false, mount: false, admin: false },
      },
      data: [
        { slug: 'one-1', content: 'text 1', views: 0, has_password: 0, key_name: 'one' },
        { slug: 'one-0' },
      ],
    })
    expect((await one.call('GET', '/api/user/pastes?limit=2')).body.pagination.hasMore).toBe(true)
    const admin = (await t.admin.call('GET', '/api/user/pastes')).body
    expect([admin.data.length, admin.key_info]).toEqual([1, null])
  })

  test('invalid page parameters are 400', async () => {
    await using t = await startApp()
    for (const query of ['page=0', 'page=-1', 'page=x', 'page=1.5', 'limit=0', 'limit=-5', 'limit=201']) {
      const answer = await t.admin.call('GET', `/api/admin/pastes?${query}`)
      expect([query, answer.status]).toEqual([query, 400])
    }
    expect((await t.admin.call('GET', '/api/user/pastes?offset=-1')).status).toBe(400)
    expect((await t.admin.call('GET', '/api/admin/pastes?page=&limit=')).status).toBe(200)
  })
})

describeEachDatabase('pastes: own shares and shares of others', ({ startApp }) => {
  test('a key cannot see, change or delete shares of others: 404, and nothing changes', async () => {
    await using t = await startApp()
    const one = await t.keyClient({ text_permission: true })
    const two = await t.keyClient({ text_permission: true })
    const { id } = await create(one, { content: 'mine', slug: 'mine' })
    for (const name of [id, 'mine']) {
      const path = `/api/user/pastes/${name}`
      expect((await two.call('GET', path)).status).toBe(404)
      expect((await two.call('PUT', path, { body: { content: 'theirs' } })).status).toBe(404)
      expect((await two.call('DELETE', path)).status).toBe(404)
      const batch = await two.call('POST', '/api/user/pastes/batch-delete', { body: { ids: [name] } })
      expect(batch.body.data.deleted).toBe(0)
      expect((await two.call('GET', `/api/admin/pastes/${name}`)).status).toBe(403)
    }
    expect((await one.call('GET', `/api/user/pastes/${id}`)).body.data).toMatchObject({
      content: 'mine',
      has_password: false,
      views: 0,
    })
    expect((await one.call('PUT', '/api/user/pastes/mine', { body: { content: 'new' } })).body.data).toEqual({
      id,
      slug: 'mine',
      updated_at: expect.any(String),
    })
    expect((await one.call('DELETE', '/api/user/pastes/mine')).body).toMatchObject({
      code: 200,
      success: true,
    })
    expect((await one.call('DELETE', '/api/user/pastes/mine')).status).toBe(404)
  })

  test('a suffix that looks like an id is refused, because it could be mistaken for another share', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, {})
    const trap = await t.admin.call('POST', '/api/paste', { body: { content: 'trap', slug: id } })
    expect([trap.status, trap.body.error.code]).toEqual([400, 'request.invalid'])
  })

  test('the details for the owner contain the plain password, are found by id or suffix, and count no view', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    const { id, slug } = await create(key, { content: 'text', password: 'sesame' })
    for (const name of [id, slug]) {
      expect((await key.call('GET', `/api/user/pastes/${name}`)).body.data).toMatchObject({
        id,
        slug,
        content: 'text',
        has_password: true,
        plain_password: 'sesame',
        views: 0,
      })
      expect((await t.admin.call('GET', `/api/admin/pastes/${name}`)).body.data.has_password).toBe(1)
    }
  })
})

describeEachDatabase('pastes: update', ({ startApp }) => {
  test('replaces: absent or blank remark, expiry and limit are cleared, kind and password stay', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const full = {
      remark: 'r',
      expiresAt: '2031-01-01',
      maxViews: 5,
      password: 'p',
      content_type: 'text/plain',
    }
    const { id, slug } = await create(t.admin, full)
    t.clock.advance({ seconds: 5 })
    const answer = await update(t.admin, slug, { content: 'new' })
    expect(answer.body).toMatchObject({ code: 200, success: true, data: { id, slug } })
    expect(await detail(t, id)).toMatchObject({
      content: 'new',
      content_type: 'text/plain',
      remark: null,
      expires_at: null,
      max_views: null,
      plain_password: 'p',
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:05.000Z',
    })
    await update(t.admin, id, {
      content: 'n',
      ...full,
      remark: '',
      maxViews: 0,
      content_type: 'text/markdown',
    })
    expect(await detail(t, id)).toMatchObject({
      remark: null,
      max_views: null,
      expires_at: '2031-01-01T00:00:00.000Z',
      content_type: 'text/markdown',
    })
  })

  test('the password is kept, changed, or cleared', async () => {
    await using t = await startApp()
    const { id, slug } = await create(t.admin, { password: 'first' })
    const passwordAfter = async (body: Record<string, unknown>) => {
      await update(t.admin, id, { content: 'x', ...body })
      return (await detail(t, id)).plain_password
    }
    expect(await passwordAfter({ password: '' })).toBe('first')
    expect(await passwordAfter({ password: null, clearPassword: false })).toBe('first')
    expect(await passwordAfter({ password: 'second', clearPassword: true })).toBe('second')
    const old = await t.visitor.call('POST', `/api/paste/${slug}`, { body: { password: 'first' } })
    expect(old.status).toBe(401)
    expect(await passwordAfter({ clearPassword: true })).toBeNull()
    expect((await read(t, slug)).body.content).toBe('x')
  })

  test('the suffix is unchanged if absent or equal, random if blank, 409 if taken, and 400 if malformed', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, { slug: 'mine' })
    await create(t.admin, { slug: 'taken' })
    const after = async (newSlug: unknown) => update(t.admin, id, { content: 'x', newSlug })
    expect((await update(t.admin, id, { content: 'x' })).body.data.slug).toBe('mine')
    expect((await after('mine')).body.data.slug).toBe('mine')
    expect((await after(' mine ')).body.data.slug).toBe('mine')
    const taken = await after('taken')
    expect([taken.status, taken.body.error.code]).toEqual([409, 'paste.slug_taken'])
    for (const bad of ['with space', 'x'.repeat(51), 'admin', '后缀', 7])
      expect([bad, (await after(bad)).status]).toEqual([bad, 400])
    expect((await detail(t, id)).slug).toBe('mine')
    expect((await after('moved')).body.data.slug).toBe('moved')
    expect((await read(t, 'mine')).status).toBe(404)
    const blank = (await after('')).body.data.slug
    expect(blank).toMatch(/^[A-Za-z0-9]{6}$/)
    const random = (await after(null)).body.data.slug
    expect(random).toMatch(/^[A-Za-z0-9]{6}$/)
    expect(random).not.toBe(blank)
  })

  test('the view count is reset only if a changed limit is below the used views', async () => {
    await using t = await startApp()
    const { id, slug } = await create(t.admin, { maxViews: 5 })
    for (let n = 0; n < 3; n += 1) await read(t, slug)
    const viewsAfter = async (maxViews: unknown) => {
      await update(t.admin, id, { content: 'x', maxViews })
      return (await detail(t, id)).views
    }
    expect(await viewsAfter(5)).toBe(3)
    expect(await viewsAfter(10)).toBe(3)
    expect(await viewsAfter(null)).toBe(3)
    expect(await viewsAfter('2')).toBe(0)
  })

  test('an ended share is 410, an unknown one 404, empty content 400', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, { slug: 'once', maxViews: 1 })
    await read(t, 'once')
    const over = await update(t.admin, id, { content: 'x', maxViews: 5 })
    expect([over.status, over.body.error.code]).toEqual([410, 'paste.used_up'])
    expect((await update(t.admin, 'unknown', { content: 'x' })).status).toBe(404)
    expect((await update(t.admin, id, { content: ' ' })).status).toBe(400)
    expect((await update(t.admin, id, {})).status).toBe(400)
    expect((await update(t.admin, id, { content: 'x', maxViews: -1 })).status).toBe(400)
  })
})

describeEachDatabase('pastes: delete and sweep', ({ startApp }) => {
  test('batch-delete reports the number of existing shares, by id or suffix, in both languages', async () => {
    await using t = await startApp()
    const ids = await Promise.all([1, 2, 3].map(async () => (await create(t.admin, {})).id))
    const { slug } = await create(t.admin, { slug: 'by-suffix' })
    const remove = (list: unknown, language = 'en') =>
      t.admin.call('POST', '/api/admin/pastes/batch-delete', {
        body: { ids: list },
        headers: { 'accept-language': language },
      })
    const first = await remove([ids[0], ids[1], slug, 'unknown', ids[0]])
    expect(first.body).toMatchObject({ data: { deleted: 3 }, message: expect.stringContaining('3') })
    expect((await remove([ids[2]], 'zh-CN')).body.message).toBe('已删除 1 条文本分享')
    for (const bad of [[], 'x', null, [null], [''], Array.from({ length: 1001 }, (_, n) => `${n}`)])
      expect((await remove(bad)).status).toBe(400)
  })

  test('clear-expired purges expired and used-up shares, and returns the correct number', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    await create(t.admin, { slug: 'expired', expiresAt: '2030-01-01T00:30:00Z' })
    await create(t.admin, { slug: 'used', maxViews: 1 })
    await create(t.admin, { slug: 'alive', expiresAt: '2030-01-02', maxViews: 2 })
    await read(t, 'used')
    t.clock.advance({ hours: 1 })
    const clear = () =>
      t.admin.call('POST', '/api/admin/pastes/clear-expired', { body: { clearExpired: true } })
    expect((await clear()).body).toMatchObject({ code: 200, success: true, data: { deleted: 2 } })
    expect((await clear()).body.data.deleted).toBe(0)
    const list = (await t.admin.call('GET', '/api/admin/pastes')).body
    expect(list.data.map((item: { slug: string }) => item.slug)).toEqual(['alive'])
    expect(list.pagination.total).toBe(1)
    expect((await read(t, 'used')).body.error.code).toBe('paste.used_up')
  })

  test('a used-up share answers 410 for a day after the sweep, then 404, and leaves no row', async () => {
    await using t = await startApp()
    await create(t.admin, { slug: 'once', maxViews: 1, content: 'gone', remark: 'r', password: 'p' })
    const opened = await t.visitor.call('POST', '/api/paste/once', { body: { password: 'p' } })
    expect(opened.status).toBe(200)
    await t.ctx.jobs.drain()
    const rows = await t.ctx.db.selectFrom('pastes').selectAll().execute()
    expect(rows).toMatchObject([{ content: '', remark: null, password_hash: null, password_sealed: null }])
    expect((await read(t, 'once')).body.error.code).toBe('paste.used_up')
    t.clock.advance({ hours: 24, seconds: 1 })
    await t.ctx.jobs.drain()
    expect((await read(t, 'once')).status).toBe(404)
    expect(await t.ctx.db.selectFrom('pastes').selectAll().execute()).toEqual([])
  })
})
