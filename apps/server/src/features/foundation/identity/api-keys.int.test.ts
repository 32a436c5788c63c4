import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'

const NEVER = '9999-12-31T23:59:59.000Z'
const create = (t: TestApp, body: Record<string, unknown>) =>
  t.admin.call('POST', '/api/admin/api-keys', { body })
const update = (t: TestApp, id: string, body: Record<string, unknown>) =>
  t.admin.call('PUT', `/api/admin/api-keys/${id}`, { body })
const list = async (t: TestApp) => (await t.admin.call('GET', '/api/admin/api-keys')).body.data

describeEachDatabase('API keys: create', ({ startApp }) => {
  test('a key that is created with only a name lasts one day and has no permissions', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { body } = await create(t, { name: '  printer  ' })
    expect(body).toMatchObject({
      code: 201,
      success: true,
      data: {
        name: 'printer',
        basic_path: '/',
        text_permission: false,
        file_permission: false,
        mount_permission: false,
        mount_read_only: false,
        created_at: '2030-01-01T00:00:00.000Z',
        expires_at: '2030-01-02T00:00:00.000Z',
      },
    })
    expect(body.data.key).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(body.data.key_masked).toBe(`${body.data.key.slice(0, 6)}...`)
  })

  test.each([
    [null, NEVER],
    ['never', NEVER],
    ['', '2030-01-02T00:00:00.000Z'],
    ['2031-05-06T07:08:09+02:00', '2031-05-06T05:08:09.000Z'],
    ['2020-01-01', '2020-01-01T00:00:00.000Z'],
  ])('an expiry of %j becomes %s', async (given, expected) => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { body } = await create(t, { name: 'k', expires_at: given })
    expect(body.data.expires_at).toBe(expected)
  })

  test('bad names, dates and custom keys are 400', async () => {
    await using t = await startApp()
    for (const body of [
      {},
      { name: '' },
      { name: '   ' },
      { name: 7 },
      { name: 'x'.repeat(65) },
      { name: 'k', expires_at: 'tomorrow' },
      { name: 'k', expires_at: 7 },
      { name: 'k', expires_at: '+123456-01-01T00:00:00Z' },
      { name: 'k', custom_key: 'with space' },
      { name: 'k', custom_key: '密钥' },
      { name: 'k', custom_key: 'x'.repeat(129) },
      { name: 'k', text_permission: 'yes' },
    ]) {
      const answer = await create(t, body)
      expect([JSON.stringify(body), answer.status]).toEqual([JSON.stringify(body), 400])
    }
    expect(await list(t)).toEqual([])
  })

  test('a custom key is used unchanged; a duplicate name or key is 409', async () => {
    await using t = await startApp()
    const custom = await create(t, { name: 'mine', custom_key: 'My_own-key-1', text_permission: true })
    expect(custom.body.data.key).toBe('My_own-key-1')
    expect((await t.client('ApiKey My_own-key-1').call('GET', '/api/user/pastes')).status).toBe(200)
    const sameName = await create(t, { name: 'mine' })
    expect([sameName.status, sameName.body.error.code]).toEqual([409, 'api_key.name_taken'])
    const sameKey = await create(t, { name: 'other', custom_key: 'My_own-key-1' })
    expect([sameKey.status, sameKey.body.error.code]).toEqual([409, 'api_key.key_taken'])
    const both = await Promise.all([1, 2, 3].map(() => create(t, { name: 'race' })))
    expect(both.map((a) => a.status).sort((a, b) => a - b)).toEqual([201, 409, 409])
  })

  test('a base path is normalized; one with ".." or hidden segments is 400', async () => {
    await using t = await startApp()
    const pathOf = async (basic_path: unknown, name: string) =>
      (await create(t, { name, basic_path })).body.data?.basic_path
    expect(await pathOf('/photos/2030/', 'a')).toBe('/photos/2030')
    expect(await pathOf('photos', 'b')).toBe('/photos')
    expect(await pathOf('', 'c')).toBe('/')
    expect(await pathOf(null, 'd')).toBe('/')
    expect(await pathOf('/照片/a b', 'e')).toBe('/照片/a b')
    for (const hostile of [
      '/photos/../secret',
      '..',
      '/./x',
      '/a//b',
      '//',
      '/a/%2e%2e/b',
      '/a%2f..%2fb',
      '/a\\b',
      '/a\u0000b',
      '/a%00b',
      '/a\nb',
    ]) {
      const answer = await create(t, { name: `bad ${hostile}`, basic_path: hostile })
      expect([hostile, answer.status]).toEqual([hostile, 400])
    }
  })

  test('no column contains the plain key: it is encrypted, and found by a keyed hash', async () => {
    await using t = await startApp()
    await create(t, { name: 'one', custom_key: 'PLAIN-KEY-VALUE' })
    const rows = await t.ctx.db.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('PLAIN-KEY-VALUE')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('PLAIN-KEY-VALUE').toString('base64url'))
    expect(rows[0]?.key_fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect((await list(t))[0].key).toBe('PLAIN-KEY-VALUE')
  })
})

describeEachDatabase('API keys: list, change, delete', ({ startApp }) => {
  test('the list is newest first, with 0 and 1 for booleans, and complete keys', async () => {
    await using t = await startApp()
    const old = await create(t, { name: 'old', text_permission: true, expires_at: 'never' })
    t.clock.advance({ seconds: 1 })
    await create(t, { name: 'new', mount_permission: true, mount_read_only: true })
    const keys = await list(t)
    expect(keys.map((key: { name: string }) => key.name)).toEqual(['new', 'old'])
    expect(keys[1]).toMatchObject({
      id: old.body.data.id,
      key: old.body.data.key,
      text_permission: 1,
      file_permission: 0,
      mount_permission: 0,
      mount_read_only: 0,
      last_used: null,
      expires_at: NEVER,
    })
    expect(keys[0]).toMatchObject({ mount_permission: 1, mount_read_only: 1 })
  })

  test('absent fields are unchanged; the key itself cannot change', async () => {
    await using t = await startApp()
    const { id, key } = (
      await create(t, { name: 'k', text_permission: true, basic_path: '/a', expires_at: 'never' })
    ).body.data
    const answer = await update(t, id, { name: 'renamed', file_permission: 1, key: 'x', custom_key: 'y' })
    expect(answer.body).toMatchObject({ code: 200, success: true })
    expect((await list(t))[0]).toMatchObject({
      name: 'renamed',
      key,
      text_permission: 1,
      file_permission: 1,
      basic_path: '/a',
      expires_at: NEVER,
    })
    await update(t, id, { expires_at: '2031-01-01T00:00:00Z', text_permission: false, basic_path: '/' })
    expect((await list(t))[0]).toMatchObject({
      text_permission: 0,
      basic_path: '/',
      expires_at: '2031-01-01T00:00:00.000Z',
    })
    await update(t, id, { expires_at: null })
    expect((await list(t))[0].expires_at).toBe(NEVER)
  })

  test('an unknown key is 404; an empty change, a blank name and a bad date are 400; a taken name is 409', async () => {
    await using t = await startApp()
    const { id } = (await create(t, { name: 'k' })).body.data
    await create(t, { name: 'taken' })
    const codeOf = async (target: string, body: Record<string, unknown>) => {
      const answer = await update(t, target, body)
      return [answer.status, answer.body.error?.code]
    }
    expect(await codeOf('unknown', { name: 'x' })).toEqual([404, 'api_key.not_found'])
    expect(await codeOf('unknown', {})).toEqual([404, 'api_key.not_found'])
    expect(await codeOf(id, {})).toEqual([400, 'api_key.nothing_to_change'])
    expect(await codeOf(id, { name: '  ' })).toEqual([400, 'request.invalid'])
    expect(await codeOf(id, { expires_at: 'soon' })).toEqual([400, 'request.invalid'])
    expect(await codeOf(id, { basic_path: '/a/../b' })).toEqual([400, 'api_key.invalid_path'])
    expect(await codeOf(id, { name: 'taken' })).toEqual([409, 'api_key.name_taken'])
    expect(await codeOf(id, { name: 'k' })).toEqual([200, undefined])
  })

  test('changed permissions apply from the next request on', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    expect((await key.call('GET', '/api/user/pastes')).status).toBe(200)
    await update(t, key.id, { text_permission: false })
    expect((await key.call('GET', '/api/user/pastes')).status).toBe(403)
  })

  test('a key cannot list, create or change keys, including itself', async () => {
    await using t = await startApp()
    const all = { text_permission: true, file_permission: true, mount_permission: true }
    const key = await t.keyClient({ ...all, name: 'maker', mount_read_only: true, basic_path: '/local/a' })
    const own = `/api/admin/api-keys/${key.id}`
    for (const [method, path, body] of [
      ['GET', '/api/admin/api-keys', undefined],
      ['POST', '/api/admin/api-keys', { ...all, name: 'made', custom_key: 'MADE-BY-A-KEY' }],
      ['PUT', own, { mount_read_only: false, basic_path: '/' }],
      ['DELETE', own, undefined],
    ] as const)
      expect([method, (await key.call(method, path, { body })).status]).toEqual([method, 403])
    expect(await list(t)).toMatchObject([{ id: key.id, mount_read_only: 1, basic_path: '/local/a' }])
  })

  test('an expired key is refused, but stays in the list and can be extended', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ text_permission: true, expires_at: '2030-01-01T01:00:00Z' })
    t.clock.advance({ seconds: 3599 })
    expect((await key.call('GET', '/api/user/pastes')).status).toBe(200)
    t.clock.advance({ seconds: 1 })
    expect((await key.call('GET', '/api/user/pastes')).body.error.code).toBe('auth.unauthorized')
    await t.ctx.jobs.drain()
    expect(await list(t)).toHaveLength(1)
    await update(t, key.id, { expires_at: 'never' })
    expect((await key.call('GET', '/api/user/pastes')).status).toBe(200)
  })

  test('the time of the last use is stored at most once a minute', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const key = await t.keyClient({ text_permission: true })
    const lastUsed = async () => (await list(t))[0].last_used
    await key.call('GET', '/api/user/pastes')
    t.clock.advance({ seconds: 59 })
    await key.call('GET', '/api/user/pastes')
    expect(await lastUsed()).toBe('2030-01-01T00:00:00.000Z')
    t.clock.advance({ seconds: 1 })
    await key.call('GET', '/api/user/pastes')
    expect(await lastUsed()).toBe('2030-01-01T00:01:00.000Z')
  })

  test('a deleted key is refused immediately, its shares stay, and deleting it again is 404', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    await key.call('POST', '/api/paste', { body: { content: 'stays', slug: 'stays' } })
    const path = `/api/admin/api-keys/${key.id}`
    expect((await t.admin.call('DELETE', path)).body).toMatchObject({ code: 200, success: true })
    expect((await key.call('GET', '/api/user/pastes')).status).toBe(401)
    expect((await t.admin.call('DELETE', path)).status).toBe(404)
    expect((await t.visitor.call('GET', '/api/paste/stays')).body).toMatchObject({
      content: 'stays',
      created_by: `apikey:${key.id}`,
    })
    expect((await t.admin.call('GET', '/api/admin/pastes')).body.data[0]).not.toHaveProperty('key_name')
  })
})
