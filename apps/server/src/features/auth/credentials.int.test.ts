import { isGuarded } from '@dropleaf/contract'
import { describe, expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, describeOneDatabase, type TestApp } from '../../testing/app.ts'
import { allRoutes } from '../../testing/contract-routes.ts'
import { createPasswords } from '../../lib/passwords.ts'
import { basic } from '../../testing/drive.ts'

const login = (
  t: TestApp,
  password: string,
  o: { username?: string; headers?: Record<string, string> } = {},
) =>
  t.visitor.call('POST', '/api/admin/login', {
    body: { username: o.username ?? 'admin', password },
    ...(o.headers ? { headers: o.headers } : {}),
  })

/** What proxies and other products take for an identity. */
const FOREIGN_HEADERS = [
  'x-remote-user',
  'remote-user',
  'x-forwarded-user',
  'x-auth-request-user',
  'x-webauth-user',
  'x-username',
  'x-authenticated-user',
  'x-original-url',
]

describeOneDatabase('sqlite', 'what is no credential', ({ startApp }) => {
  test('a token, key or password counts in its own header only: not in an address, a cookie or a body', async () => {
    await using t = await startApp()
    const token = (await login(t, ADMIN_PASSWORD)).body.data.token as string
    const { key } = await t.keyClient({
      text_permission: true,
      file_permission: true,
      mount_permission: true,
    })
    const faults: string[] = []
    for (const secret of [token, key, ADMIN_PASSWORD]) {
      const forms = [
        ...['token', 'auth', 'api_key', 'apikey', 'key', 'access_token', 'authorization', 'password'].map(
          (name) => ({ query: { [name]: secret } }),
        ),
        { headers: { cookie: `token=${secret}; session=${secret}; auth=${secret}` } },
        { headers: { 'x-api-key': secret } },
        { headers: { 'x-auth-token': secret } },
        { headers: { 'x-custom-auth-key': secret } },
      ]
      for (const form of forms) {
        for (const path of [
          '/api/admin/api-keys',
          '/api/user/pastes',
          '/api/fs/list',
          '/api/user/files',
          '/dav/',
        ]) {
          const answer = await t.visitor.call('GET', path, form)
          if (answer.status !== 401) faults.push(`${path} with ${JSON.stringify(form)}: ${answer.status}`)
        }
      }
    }
    expect(faults).toEqual([])
  })

  test('a name that a proxy or a stranger puts into a header is nobody’s', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: 'true' } })
    const headers = Object.fromEntries(FOREIGN_HEADERS.map((name) => [name, 'admin']))
    for (const path of ['/api/admin/api-keys', '/api/test/admin-token', '/api/user/pastes', '/dav/'])
      expect([path, (await t.visitor.call('GET', path, { headers })).status]).toEqual([path, 401])
  })

  test('another site cannot act for anybody: there are no cookies, and its forms are refused or by nobody', async () => {
    await using t = await startApp()
    const entered = await login(t, ADMIN_PASSWORD, { headers: { origin: 'https://evil.example' } })
    expect([entered.status, entered.headers['set-cookie']]).toEqual([200, undefined])
    expect(entered.headers['access-control-allow-credentials']).toBeUndefined()
    const faults: string[] = []
    for (const spec of allRoutes.filter(({ access, method }) => method === 'POST' && isGuarded(access))) {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=b',
      ]) {
        const answer = await t.visitor.call('POST', spec.path.replaceAll(/:\w+/g, 'unknown'), {
          payload: 'name=x',
          headers: { 'content-type': type, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        })
        if (answer.status !== 401 || answer.headers['set-cookie'] !== undefined)
          faults.push(`${spec.path} as ${type}: ${answer.status}`)
      }
    }
    expect(faults).toEqual([])
  })
})

describeOneDatabase('sqlite', 'what is secret', ({ startApp }) => {
  test('stands in no line of the log, however talkative, and in no failure', async () => {
    const lines: string[] = []
    await using t = await startApp({ onLog: (line) => void lines.push(line) })
    const token = (await login(t, ADMIN_PASSWORD)).body.data.token as string
    const { key } = await t.keyClient({
      text_permission: true,
      file_permission: true,
      mount_permission: true,
    })
    const password = 'password-of-a-share'
    const query = { password, token, api_key: key }
    const client = t.client(`ApiKey ${key}`)
    const { slug } = (
      await client.call('POST', '/api/paste', { body: { content: 'content-of-a-text', password } })
    ).body
    const answers = [
      await t.visitor.call('GET', `/api/raw/${slug}`, { query }),
      await t.visitor.call('POST', `/api/paste/${slug}`, { body: { password } }),
      await t.visitor.call('GET', '/api/file-view/unknown', { query }),
      await client.call('POST', '/api/s3-configs', { body: { secret_access_key: 'secret-of-a-storage' } }),
      await t.admin.call('POST', '/api/s3-configs', { body: { secret_access_key: 'secret-of-a-storage' } }),
      await t.client(basic(key, key)).call('GET', '/dav/local/unknown', { query }),
      await t.client(`Bearer ${token}x`).call('GET', '/api/fs/list', { query }),
      await t.admin.call('POST', '/api/admin/change-password', {
        body: { currentPassword: password, newPassword: key },
      }),
      await t.admin.call('PUT', '/api/upload-direct/a.txt', { query, payload: 'x' }),
    ]
    expect(lines.length).toBeGreaterThan(answers.length)
    const told = lines.join('')
    for (const secret of [ADMIN_PASSWORD, token, key, password, 'secret-of-a-storage', 'content-of-a-text'])
      expect([secret, told.includes(secret), told.includes(encodeURIComponent(secret))]).toEqual([
        secret,
        false,
        false,
      ])
    for (const { status, text } of answers.filter((answer) => answer.status >= 400))
      for (const secret of [ADMIN_PASSWORD, token, key, password, 'secret-of-a-storage'])
        expect([status, secret, text.includes(secret)]).toEqual([status, secret, false])
  })
})

describeEachDatabase('what is made', ({ startApp }) => {
  test('belongs to who made it, by whatever form they came in', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, mount_permission: true })
    const { id } = await t.ctx.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
    const owners = [
      [t.admin, id],
      [t.client(basic('admin', ADMIN_PASSWORD)), id],
      [key, `apikey:${key.id}`],
      [t.client(basic(key.key, key.key)), `apikey:${key.id}`],
    ] as const
    for (const [client, owner] of owners) {
      const { slug } = (await client.call('POST', '/api/paste', { body: { content: 'x' } })).body
      const read = await t.admin.call('GET', `/api/admin/pastes/${slug}`)
      expect(read.body.data.created_by).toBe(owner)
    }
  })
})

describeEachDatabase('guesses', ({ startApp }) => {
  test('an unknown name costs the work of a wrong password, at the login and at the drive', async () => {
    await using t = await startApp()
    const work: string[] = []
    const { passwords } = t.ctx
    const real = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
    Object.assign(passwords, {
      verify: async (stored: string, password: string) => (
        work.push('verify'),
        real.verify(stored, password)
      ),
      pretendToVerify: async (password: string) => (work.push('pretend'), real.pretendToVerify(password)),
    } satisfies Partial<typeof passwords>)
    const known = await login(t, 'wrong')
    const unknown = await login(t, 'wrong', { username: 'nobody' })
    expect(work.splice(0)).toEqual(['verify', 'pretend'])
    expect([known.status, known.body.message]).toEqual([unknown.status, unknown.body.message])
    for (const name of ['admin', 'nobody']) await t.client(basic(name, 'wrong')).call('PROPFIND', '/dav/')
    expect(work).toEqual(['verify', 'pretend'])
  })

  test('are counted in the database: a restart opens no closed door', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: 'true' } })
    const there = { headers: { 'x-forwarded-for': '192.0.2.1' } }
    for (let tries = 0; tries < 10; tries += 1) await login(t, 'wrong', there)
    await using again = await t.restart()
    expect((await login(again, ADMIN_PASSWORD, there)).status).toBe(429)
    expect((await login(again, ADMIN_PASSWORD)).status).toBe(200)
  })

  test('behind one proxy only the address that this proxy wrote counts, whatever its client claims', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const from = (claimed: string, real: string) => ({
      headers: { 'x-forwarded-for': `${claimed}, ${real}` },
    })
    for (let tries = 0; tries < 10; tries += 1)
      expect((await login(t, 'wrong', from(`198.51.100.${tries}`, '192.0.2.1'))).status).toBe(401)
    expect((await login(t, ADMIN_PASSWORD, from('198.51.100.99', '192.0.2.1'))).status).toBe(429)
    expect((await login(t, ADMIN_PASSWORD, from('192.0.2.1', '192.0.2.2'))).status).toBe(200)
    // The /64 of one household is one address.
    for (let tries = 0; tries < 10; tries += 1)
      expect((await login(t, 'wrong', from('x', `2001:db8:1:1::${tries}`))).status).toBe(401)
    expect((await login(t, ADMIN_PASSWORD, from('x', '2001:db8:1:1:ffff::1'))).status).toBe(429)
    expect((await login(t, ADMIN_PASSWORD, from('x', '2001:db8:1:2::1'))).status).toBe(200)
  })
})

describe('a password hash', () => {
  test('of the running product costs what guessing is to cost: argon2id, 19 MiB, two passes', async () => {
    expect(await createPasswords().hash('x')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})
