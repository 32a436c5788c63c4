import { isGuarded } from '@dropleaf/contract'
import { describe, expect, test } from 'vitest'
import {
  ADMIN_PASSWORD,
  describeEachDatabase,
  describeOneDatabase,
  type TestApp,
} from '../../../testing/app.ts'
import { allRoutes } from '../../../testing/contract-routes.ts'
import { createPasswords } from '../../../lib/passwords.ts'
import { basic } from '../../../testing/drive.ts'

const login = (
  t: TestApp,
  password: string,
  o: { username?: string; headers?: Record<string, string> } = {},
) =>
  t.visitor.call('POST', '/api/admin/login', {
    body: { username: o.username ?? 'admin', password },
    ...(o.headers ? { headers: o.headers } : {}),
  })

/** Headers in which proxies and other products pass an identity. */
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

describeOneDatabase('sqlite', 'invalid places of credentials', ({ startApp }) => {
  test('a token, key or password is accepted only in its own header: not in a URL, a cookie or a body', async () => {
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

  test('a user name in a header of a proxy or a client is ignored', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const headers = Object.fromEntries(FOREIGN_HEADERS.map((name) => [name, 'admin']))
    for (const path of ['/api/admin/api-keys', '/api/test/admin-token', '/api/user/pastes', '/dav/'])
      expect([path, (await t.visitor.call('GET', path, { headers })).status]).toEqual([path, 401])
  })

  test('another site cannot act for a user: there are no cookies, and its forms are refused or have no user', async () => {
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

describeOneDatabase('sqlite', 'secret values', ({ startApp }) => {
  test('are in no line of the log at any level, and in no error', async () => {
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

describeOneDatabase('sqlite', 'a password with non-ASCII characters', ({ startApp }) => {
  test('is accepted by the API and the drive in UTF-8 and in ISO-8859-1, which many programs send', async () => {
    await using t = await startApp()
    const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'grüße à tous' }
    expect((await t.admin.call('POST', '/api/admin/change-password', { body: change })).status).toBe(200)
    for (const charset of ['utf8', 'latin1'] as const) {
      const sent = Buffer.from('admin:grüße à tous', charset).toString('base64')
      const client = t.client(`Basic ${sent}`)
      expect([charset, (await client.call('GET', '/api/fs/list?path=/')).status]).toEqual([charset, 200])
      // Authentication succeeds. The status is 403 instead of 401, because the request has no `Depth` header.
      expect([charset, (await client.call('PROPFIND', '/dav/')).status]).toEqual([charset, 403])
    }
    expect((await t.client(basic('admin', 'grusse')).call('PROPFIND', '/dav/')).status).toBe(401)
  })
})

describeEachDatabase('what is made', ({ startApp }) => {
  test('belongs to its creator with every form of credentials', async () => {
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

describeEachDatabase('guesses', ({ startApp, engine }) => {
  test('an unknown name takes as much computation as a wrong password, for the login and the drive', async () => {
    await using t = await startApp()
    const work: string[] = []
    const { passwords } = t.ctx
    const real = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
    Object.assign(passwords, {
      verify: async (stored, shown) => (work.push('verify'), real.verify(stored, shown)),
      pretendToVerify: async (shown) => (work.push('pretend'), real.pretendToVerify(shown)),
    } satisfies Partial<typeof passwords>)
    const known = await login(t, 'wrong')
    const unknown = await login(t, 'wrong', { username: 'nobody' })
    expect(work.splice(0)).toEqual(['verify', 'pretend'])
    expect([known.status, known.body.message]).toEqual([unknown.status, unknown.body.message])
    for (const name of ['admin', 'nobody']) await t.client(basic(name, 'wrong')).call('PROPFIND', '/dav/')
    expect(work).toEqual(['verify', 'pretend'])
  })

  test('ports in X-Forwarded-For do not result in new addresses, and invalid entries count as the proxy', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const enter = (written: string, password = 'wrong') =>
      login(t, password, { headers: { 'x-forwarded-for': written } })
    for (let tries = 0; tries < 10; tries += 1)
      expect((await enter(`192.0.2.1:${4000 + tries}`)).status).toBe(401)
    expect((await enter('192.0.2.1:5000', ADMIN_PASSWORD)).status).toBe(429)
    expect((await enter('::ffff:c000:201', ADMIN_PASSWORD)).status).toBe(429)
    for (let tries = 0; tries < 10; tries += 1)
      expect((await enter(`[2001:db8:1:1::${tries}]:${4000 + tries}`)).status).toBe(401)
    expect((await enter('2001:0db8:1:1:f::1', ADMIN_PASSWORD)).status).toBe(429)
    for (let tries = 0; tries < 10; tries += 1) expect((await enter(`garbage-${tries}`)).status).toBe(401)
    expect((await enter('more garbage', ADMIN_PASSWORD)).status).toBe(429)
    expect((await enter('192.0.2.2:80', ADMIN_PASSWORD)).status).toBe(200)
    await t.ctx.audit.flush()
    const kept = await t.ctx.db.selectFrom('audit_log').select('address').distinct().execute()
    expect(new Set(kept.map(({ address }) => address))).toEqual(
      new Set(['192.0.2.0/24', '2001:db8:1::/48', '127.0.0.0/24']),
    )
    const sessions = await t.ctx.db.selectFrom('admin_sessions').select('address').execute()
    expect(JSON.stringify(sessions)).not.toMatch(/192\.0\.2\.2|:80/)
  })

  test('inner proxies with ports are recognized in the list of trusted proxies', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '127.0.0.1,10.0.0.0/8' } })
    const written = { headers: { 'x-forwarded-for': '192.0.2.9:1, 10.0.0.5:2' } }
    for (let tries = 0; tries < 10; tries += 1) expect((await login(t, 'wrong', written)).status).toBe(401)
    const there = { headers: { 'x-forwarded-for': '192.0.2.9' } }
    expect((await login(t, ADMIN_PASSWORD, there)).status).toBe(429)
    const inner = { headers: { 'x-forwarded-for': '10.0.0.5' } }
    expect((await login(t, ADMIN_PASSWORD, inner)).status).toBe(200)
  })

  test('one password with many names is limited like many passwords with one name; other addresses are not blocked', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const { passwords } = t.ctx
    const real = { ...passwords }
    let checks = 0
    Object.assign(passwords, {
      verify: async (stored, shown) => ((checks += 1), real.verify(stored, shown)),
      pretendToVerify: async (shown) => ((checks += 1), real.pretendToVerify(shown)),
    } satisfies Partial<typeof passwords>)
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    const ask = (name: string, password: string, address: string) =>
      t.client(basic(name, password)).call('GET', '/api/test/admin-token', from(address))
    const statuses: number[] = []
    for (let tries = 0; tries < 60; tries += 1)
      statuses.push((await ask(`name-${tries}`, 'spring 2030', '192.0.2.1')).status)
    expect([statuses.slice(0, 10), statuses.slice(10)]).toEqual([Array(10).fill(401), Array(50).fill(429)])
    expect(checks).toBe(10)
    expect((await ask('admin', ADMIN_PASSWORD, '192.0.2.1')).status).toBe(429)
    expect((await ask('admin', ADMIN_PASSWORD, '192.0.2.2')).status).toBe(200)
    const { key } = await t.keyClient({ mount_permission: true })
    const drive = t.client(basic(key, key))
    expect((await drive.call('GET', '/api/test/api-key', from('192.0.2.1'))).status).toBe(200)
  })

  test('limits do not reveal names: the administrator’s name and an unknown one are blocked at the same attempt', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const ends = async (name: string, address: string, passwordOf: (at: number) => string) => {
      const statuses: number[] = []
      for (let at = 0; at < 15; at += 1) {
        const headers = { 'x-forwarded-for': address }
        const answer = await t.client(basic(name, passwordOf(at))).call('PROPFIND', '/dav/', { headers })
        statuses.push(answer.status)
      }
      return statuses.join(' ')
    }
    expect(await ends('nobody', '192.0.2.1', (at) => `guess ${at}`)).toBe(
      await ends('admin', '192.0.2.2', (at) => `guess ${at}`),
    )
    expect(await ends('nobody', '192.0.2.3', () => 'the same')).toBe(
      await ends('admin', '192.0.2.4', () => 'the same'),
    )
    expect(await ends('nobody', '192.0.2.5', () => 'nobody')).toBe(
      await ends('admin', '192.0.2.6', () => 'admin'),
    )
  })

  test('a drive that continues with a deleted key blocks no other client in its network, and takes no computation', async () => {
    await using t = await startApp()
    const gone = t.client(basic('key-that-has-gone-long-ago', 'key-that-has-gone-long-ago'))
    for (let tries = 0; tries < 70; tries += 1)
      expect((await gone.call('PROPFIND', '/dav/')).status).toBe(401)
    expect((await login(t, ADMIN_PASSWORD)).status).toBe(200)
    const short = await t.keyClient({ mount_permission: true, custom_key: 'short' })
    expect((await t.client(basic('any', 'short')).call('GET', '/api/test/api-key')).status).toBe(200)
    expect((await short.call('GET', '/api/test/api-key')).status).toBe(200)
  })

  test('short keys cannot be guessed with changing names', async () => {
    await using t = await startApp()
    await t.keyClient({ mount_permission: true, custom_key: 'short' })
    for (let tries = 0; tries < 50; tries += 1)
      await t.client(basic(`name-${tries}`, `${engine}-${tries}`)).call('PROPFIND', '/dav/')
    expect((await t.client(basic('any', 'short')).call('GET', '/api/test/api-key')).status).toBe(429)
  })

  test('are counted in the database: a restart lifts no block', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const there = { headers: { 'x-forwarded-for': '192.0.2.1' } }
    for (let tries = 0; tries < 10; tries += 1) await login(t, 'wrong', there)
    await using again = await t.restart()
    expect((await login(again, ADMIN_PASSWORD, there)).status).toBe(429)
    expect((await login(again, ADMIN_PASSWORD)).status).toBe(200)
  })

  test('an IPv4 address of a client or a proxy is the same on a server that listens on IPv6', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '10.0.0.0/8' } })
    const enter = async (remoteAddress: string, password: string, headers: Record<string, string> = {}) => {
      const payload = { username: 'admin', password }
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/admin/login',
        payload,
        headers,
        remoteAddress,
      })
      return answer.statusCode
    }
    for (let tries = 0; tries < 10; tries += 1)
      expect(await enter(tries % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1', 'wrong')).toBe(401)
    expect(await enter('::ffff:192.0.2.1', ADMIN_PASSWORD)).toBe(429)
    expect(await enter('::ffff:192.0.2.2', ADMIN_PASSWORD)).toBe(200)
    const there = { 'x-forwarded-for': '192.0.2.1' }
    expect(await enter('::ffff:10.0.0.5', ADMIN_PASSWORD, there)).toBe(429)
    await t.ctx.audit.flush()
    const kept = await t.ctx.db.selectFrom('audit_log').select('address').distinct().execute()
    expect(kept.map(({ address }) => address)).toContain('192.0.2.0/24')
    expect(JSON.stringify(kept)).not.toContain('ffff')
  })

  test('behind one proxy only the address written by this proxy counts, not addresses written by its client', async () => {
    await using t = await startApp({ env: { TRUST_PROXY: '1' } })
    const from = (claimed: string, real: string) => ({
      headers: { 'x-forwarded-for': `${claimed}, ${real}` },
    })
    for (let tries = 0; tries < 10; tries += 1)
      expect((await login(t, 'wrong', from(`198.51.100.${tries}`, '192.0.2.1'))).status).toBe(401)
    expect((await login(t, ADMIN_PASSWORD, from('198.51.100.99', '192.0.2.1'))).status).toBe(429)
    expect((await login(t, ADMIN_PASSWORD, from('192.0.2.1', '192.0.2.2'))).status).toBe(200)
    // All IPv6 addresses of one /64 network count as one address.
    for (let tries = 0; tries < 10; tries += 1)
      expect((await login(t, 'wrong', from('x', `2001:db8:1:1::${tries}`))).status).toBe(401)
    expect((await login(t, ADMIN_PASSWORD, from('x', '2001:db8:1:1:ffff::1'))).status).toBe(429)
    expect((await login(t, ADMIN_PASSWORD, from('x', '2001:db8:1:2::1'))).status).toBe(200)
  })
})

describe('a password hash', () => {
  test('uses the intended parameters: argon2id, 19 MiB, two passes', async () => {
    expect(await createPasswords().hash('x')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})
