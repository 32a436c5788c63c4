import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestApp } from '../../../testing/app.ts'

const login = (t: TestApp, username: unknown, password: unknown, headers: Record<string, string> = {}) =>
  t.visitor.call('POST', '/api/admin/login', { body: { username, password }, headers })

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

const changePassword = (t: TestApp, body: Record<string, unknown>) =>
  t.admin.call('POST', '/api/admin/change-password', { body })

describeEachDatabase('login', ({ startApp }) => {
  test('a correct name and password return a token with its expiry', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const answer = await login(t, 'admin', ADMIN_PASSWORD)
    expect(answer.body).toMatchObject({
      code: 200,
      success: true,
      data: { username: 'admin', expiresAt: '2030-01-02T00:00:00.000Z' },
    })
    const check = await t.client(`Bearer ${answer.body.data.token}`).call('GET', '/api/test/admin-token')
    expect(check.body).toMatchObject({ code: 200, success: true })
  })

  test('a wrong password and an unknown name get the same 401', async () => {
    await using t = await startApp()
    const wrong = await login(t, 'admin', 'not it')
    const unknown = await login(t, 'nobody', 'not it')
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'auth.invalid_credentials'])
    expect(unknown.status).toBe(401)
    expect(unknown.body.message).toBe(wrong.body.message)
  })

  test('missing fields are a 400 that names them', async () => {
    await using t = await startApp()
    for (const [username, password, path] of [
      [undefined, 'x', 'body.username'],
      ['admin', undefined, 'body.password'],
      ['admin', '', 'body.password'],
      ['', 'x', 'body.username'],
    ]) {
      const answer = await login(t, username, password)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'request.invalid'])
      expect(answer.body.error.details[0].path).toBe(path)
    }
  })

  test('a token expires after 24 hours, also if it is used', async () => {
    await using t = await startApp()
    t.clock.advance({ hours: 23, seconds: 3599 })
    expect((await t.admin.call('GET', '/api/test/admin-token')).status).toBe(200)
    t.clock.advance({ seconds: 1 })
    const dead = await t.admin.call('GET', '/api/test/admin-token')
    expect([dead.status, dead.body.error.code]).toEqual([401, 'auth.unauthorized'])
    await t.ctx.jobs.drain()
    expect(await t.ctx.db.selectFrom('admin_sessions').selectAll().execute()).toEqual([])
  })

  test('the token is not stored, and the password only as an argon2id hash', async () => {
    await using t = await startApp()
    const { token } = (await login(t, 'admin', ADMIN_PASSWORD)).body.data
    const sessions = await t.ctx.db.selectFrom('admin_sessions').selectAll().execute()
    const admins = await t.ctx.db.selectFrom('admins').selectAll().execute()
    expect(JSON.stringify(sessions)).not.toContain(token)
    expect(JSON.stringify(admins)).not.toContain(ADMIN_PASSWORD)
    expect(admins[0]?.password_hash).toMatch(/^\$argon2id\$/)
  })

  test('logout ends only its own session, also with an empty JSON body', async () => {
    await using t = await startApp()
    const other = t.client(`Bearer ${(await login(t, 'admin', ADMIN_PASSWORD)).body.data.token}`)
    const out = await t.admin.call('POST', '/api/admin/logout', {
      payload: '',
      headers: { 'content-type': 'application/json' },
    })
    expect(out.body).toMatchObject({ code: 200, success: true })
    expect((await t.admin.call('GET', '/api/test/admin-token')).status).toBe(401)
    expect((await other.call('GET', '/api/test/admin-token')).status).toBe(200)
  })
})

describeEachDatabase('change-password', ({ startApp }) => {
  test('a wrong current password is 401 before other fields are checked', async () => {
    await using t = await startApp()
    for (const rest of [{ newPassword: 'wrong one' }, { newUsername: '' }, {}]) {
      const answer = await changePassword(t, { currentPassword: 'wrong one', ...rest })
      expect([answer.status, answer.body.error.code]).toEqual([401, 'auth.wrong_current_password'])
    }
    expect((await t.admin.call('GET', '/api/test/admin-token')).status).toBe(200)
  })

  test('the same password, an empty change, a blank name and a short password are 400', async () => {
    await using t = await startApp()
    const currentPassword = ADMIN_PASSWORD
    const codeOf = async (body: object) => {
      const answer = await changePassword(t, { currentPassword, ...body })
      return [answer.status, answer.body.error.code]
    }
    expect(await codeOf({ newPassword: ADMIN_PASSWORD })).toEqual([400, 'auth.password_unchanged'])
    expect(await codeOf({ newPassword: ADMIN_PASSWORD, newUsername: 'boss' })).toEqual([
      400,
      'auth.password_unchanged',
    ])
    expect(await codeOf({})).toEqual([400, 'auth.nothing_to_change'])
    expect(await codeOf({ newUsername: '   ', newPassword: '' })).toEqual([400, 'auth.nothing_to_change'])
    expect(await codeOf({ newUsername: 'admin' })).toEqual([400, 'auth.nothing_to_change'])
    expect(await codeOf({ newPassword: 'short' })).toEqual([400, 'request.invalid'])
    expect(await codeOf({ newUsername: 'x'.repeat(65) })).toEqual([400, 'request.invalid'])
    const without = await changePassword(t, { newPassword: 'long enough' })
    expect(without.body.error).toMatchObject({ code: 'request.invalid' })
  })

  test('a change ends every session; the new name and password work, the old ones do not', async () => {
    await using t = await startApp()
    const other = t.client(`Bearer ${(await login(t, 'admin', ADMIN_PASSWORD)).body.data.token}`)
    const changed = await changePassword(t, {
      currentPassword: ADMIN_PASSWORD,
      newPassword: 'a new long one',
      newUsername: ' boss ',
    })
    expect(changed.body).toMatchObject({ code: 200, success: true })
    for (const client of [t.admin, other])
      expect((await client.call('GET', '/api/test/admin-token')).status).toBe(401)
    expect((await login(t, 'admin', ADMIN_PASSWORD)).status).toBe(401)
    expect((await login(t, 'boss', ADMIN_PASSWORD)).status).toBe(401)
    expect((await login(t, 'boss', 'a new long one')).status).toBe(200)
  })

  test('the name can be changed without the password', async () => {
    await using t = await startApp()
    await changePassword(t, { currentPassword: ADMIN_PASSWORD, newUsername: '管理员' })
    expect((await login(t, '管理员', ADMIN_PASSWORD)).body.data.username).toBe('管理员')
  })

  test('the name of another administrator is 409', async () => {
    await using t = await startApp()
    const [first] = await t.ctx.db.selectFrom('admins').selectAll().execute()
    if (!first) throw new Error('There is no administrator.')
    await t.ctx.db
      .insertInto('admins')
      .values({ ...first, id: 'second', username: 'second' })
      .execute()
    const answer = await changePassword(t, { currentPassword: ADMIN_PASSWORD, newUsername: 'second' })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'auth.username_taken'])
    expect((await t.admin.call('GET', '/api/test/admin-token')).status).toBe(200)
  })
})

describeEachDatabase('credentials', ({ startApp }) => {
  test('test/admin-token: 401 for visitors and expired keys, 403 for keys, 200 for the administrator', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, expires_at: '2030-01-01T01:00:00Z' })
    const statusOf = async (client: typeof t.visitor) =>
      (await client.call('GET', '/api/test/admin-token')).status
    expect(await statusOf(t.visitor)).toBe(401)
    expect(await statusOf(key)).toBe(403)
    expect(await statusOf(t.admin)).toBe(200)
    t.clock.advance({ hours: 1 })
    expect(await statusOf(key)).toBe(401)
  })

  test('test/api-key returns the permissions of a key, and for the administrator all permissions in the same form', async () => {
    await using t = await startApp()
    const key = await t.keyClient({
      name: 'photos',
      text_permission: true,
      mount_permission: true,
      mount_read_only: true,
      basic_path: '/local/photos/',
    })
    expect((await key.call('GET', '/api/test/api-key')).body).toMatchObject({
      code: 200,
      success: true,
      data: {
        name: 'photos',
        basic_path: '/local/photos',
        permissions: { text: true, file: false, mount: true, mount_read_only: true },
        key_info: { id: key.id, name: 'photos', basic_path: '/local/photos' },
      },
    })
    expect((await t.admin.call('GET', '/api/test/api-key')).body.data).toMatchObject({
      name: 'admin',
      basic_path: '/',
      permissions: { text: true, file: true, mount: true, mount_read_only: false },
    })
    expect((await t.visitor.call('GET', '/api/test/api-key')).status).toBe(401)
  })

  test('a key is refused as a Bearer token, a token as a key, and scheme names are case-sensitive', async () => {
    await using t = await startApp()
    const { key } = await t.keyClient({ text_permission: true })
    const { token } = (await login(t, 'admin', ADMIN_PASSWORD)).body.data
    for (const authorization of [
      `Bearer ${key}`,
      `ApiKey ${token}`,
      `apikey ${key}`,
      `bearer ${token}`,
      key,
    ]) {
      const answer = await t.client(authorization).call('GET', '/api/test/api-key')
      expect([authorization.slice(0, 8), answer.status]).toEqual([authorization.slice(0, 8), 401])
    }
  })

  test('Basic accepts the administrator’s name and password, and splits at the first colon', async () => {
    await using t = await startApp()
    await changePassword(t, { currentPassword: ADMIN_PASSWORD, newPassword: 'with:colons:in it' })
    const client = t.client(basic('admin', 'with:colons:in it'))
    expect((await client.call('GET', '/api/test/admin-token')).status).toBe(200)
    const paste = await client.call('POST', '/api/paste', { body: { content: 'x' } })
    expect(paste.body.authorizedBy).toBe('basic')
    expect((await t.client(basic('admin', 'with')).call('GET', '/api/test/admin-token')).status).toBe(401)
    expect((await client.call('POST', '/api/admin/logout')).status).toBe(200)
  })

  test('Basic with a key as name and password needs the mount permission', async () => {
    await using t = await startApp()
    const mount = await t.keyClient({ mount_permission: true })
    const text = await t.keyClient({ text_permission: true })
    const statusOf = async (key: string) =>
      (await t.client(basic(key, key)).call('GET', '/api/test/api-key')).status
    expect(await statusOf(mount.key)).toBe(200)
    expect(await statusOf(text.key)).toBe(401)
    expect(await statusOf('unknown')).toBe(401)
  })
})

describeEachDatabase('throttling', ({ startApp }) => {
  test('ten wrong passwords block the login for that IP address for fifteen minutes, also with the right password', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    for (let tries = 0; tries < 10; tries += 1)
      expect((await login(t, 'admin', `guess ${tries}`, from('192.0.2.1'))).status).toBe(401)
    t.clock.advance({ seconds: 60 })
    const refused = await login(t, 'admin', ADMIN_PASSWORD, from('192.0.2.1'))
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'request.rate_limited'])
    expect(refused.headers['retry-after']).toBe('840')
    expect(refused.body.message).toContain('840')
    expect((await login(t, 'admin', ADMIN_PASSWORD, from('192.0.2.2'))).status).toBe(200)
    t.clock.advance({ seconds: 840 })
    expect((await login(t, 'admin', ADMIN_PASSWORD, from('192.0.2.1'))).status).toBe(200)
  })

  test('right passwords do not count towards the limit', async () => {
    await using t = await startApp()
    for (let tries = 0; tries < 9; tries += 1) await login(t, 'admin', 'wrong')
    for (let tries = 0; tries < 5; tries += 1)
      expect((await login(t, 'admin', ADMIN_PASSWORD)).status).toBe(200)
    expect((await login(t, 'admin', 'wrong')).status).toBe(401)
    expect((await login(t, 'admin', 'wrong')).status).toBe(429)
  })

  test('guesses through Basic and change-password count like those at the login', async () => {
    await using t = await startApp()
    for (let tries = 0; tries < 5; tries += 1) {
      const guess = t.client(basic('admin', `guess ${tries}`))
      expect((await guess.call('GET', '/api/test/admin-token')).status).toBe(401)
      expect((await changePassword(t, { currentPassword: 'wrong' })).status).toBe(401)
    }
    expect((await login(t, 'admin', ADMIN_PASSWORD)).status).toBe(429)
  })

  test('without a trusted proxy a forged address in a header is ignored', async () => {
    await using t = await startApp()
    for (let tries = 0; tries < 10; tries += 1)
      await login(t, 'admin', 'wrong', { 'x-forwarded-for': `192.0.2.${tries}` })
    expect((await login(t, 'admin', 'wrong', { 'x-forwarded-for': '192.0.2.99' })).status).toBe(429)
  })

  test('fifty different unknown keys block the address for ten minutes, and one repeated wrong key does not', async () => {
    await using t = await startApp()
    const long = await t.keyClient({ text_permission: true })
    const short = await t.keyClient({ text_permission: true, custom_key: 'short' })
    const guess = async (key: string) => t.client(`ApiKey ${key}`).call('GET', '/api/test/api-key')
    for (let tries = 0; tries < 60; tries += 1) expect((await guess('outdated')).status).toBe(401)
    for (let tries = 1; tries < 50; tries += 1) expect((await guess(`guess-${tries}`)).status).toBe(401)
    const refused = await guess('one-more')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBe(600)
    expect((await short.call('GET', '/api/test/api-key')).status).toBe(429)
    // Long keys cannot be guessed, so the rate limit for guesses does not apply to them.
    expect((await long.call('GET', '/api/test/api-key')).status).toBe(200)
    t.clock.advance({ seconds: 600 })
    expect((await short.call('GET', '/api/test/api-key')).status).toBe(200)
  })

  test('right passwords are not counted as guesses: thirty concurrent ones succeed, and the next one too', async () => {
    await using t = await startApp()
    const right = t.client(basic('admin', ADMIN_PASSWORD))
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => right.call('GET', '/api/test/admin-token')),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(30)
    expect((await login(t, 'admin', ADMIN_PASSWORD)).status).toBe(200)
  })

  test('concurrent guesses cannot exceed the limit before their failures are counted', async () => {
    await using t = await startApp()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => login(t, 'admin', `guess ${number}`)),
    )
    expect(answers.filter((a) => a.status === 401)).toHaveLength(10)
    expect(answers.filter((a) => a.status === 429)).toHaveLength(30)
  })
})
