import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isGuarded, route, type RouteSpec } from '@dropleaf/contract'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  ADMIN_PASSWORD,
  describeOneDatabase,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '../../testing/app.ts'
import { allRoutes } from '../../testing/contract-routes.ts'
import { shareBundle } from '../../testing/bundles.ts'
import { basic } from '../../testing/drive.ts'
import { pathOf, share } from '../../testing/files.ts'
import { newDevice } from '../../testing/opening-load.ts'
import { createCallers, expectedVerdict, nameOfRoute, verdictOf } from '../../testing/permissions.ts'
import { accessTable, CALLERS, TABLE_BEGIN, TABLE_END } from '../docs/access-docs.ts'
import { type DeclaredRoute, installAccess } from './access.ts'

/**
 * Fills each parameter of a URL with the name of something that does not exist; on the drive, with a path that could
 * exist.
 */
const addressOf = ({ url }: DeclaredRoute) =>
  url.replace('/dav/*', '/dav/local/permissions').replaceAll(/:\w+/g, 'unknown').replace(/\*$/, 'unknown')

/** Sends the smallest request that shows whether the route admits the caller. */
async function ask(client: TestClient, declared: DeclaredRoute): Promise<TestAnswer> {
  const takesJson = allRoutes.some(
    (spec) => spec.method === declared.method && spec.path === declared.url && spec.body !== undefined,
  )
  return client.call(declared.method, addressOf(declared), {
    headers: { depth: '0' },
    ...(takesJson ? { body: {} } : {}),
  })
}

async function withWebRoot<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'dropleaf-web-'))
  await writeFile(join(root, 'index.html'), '<title>x</title>')
  try {
    return await work(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

const tokenOf = (answer: TestAnswer) => `Bearer ${answer.body.data.token}`

const login = (t: TestApp) =>
  t.visitor.call('POST', '/api/admin/login', { body: { username: 'admin', password: ADMIN_PASSWORD } })

/** Returns credentials that used to be valid, and credentials that were never valid. */
async function wrongCredentials(t: TestApp): Promise<Record<string, string>> {
  const all = { text_permission: true, file_permission: true, mount_permission: true }
  const deleted = await t.keyClient(all)
  await t.admin.call('DELETE', `/api/admin/api-keys/${deleted.id}`)
  const expired = await t.keyClient({ ...all, expires_at: new Date(t.clock.nowMs() + 60_000).toISOString() })
  const left = tokenOf(await login(t))
  await t.client(left).call('POST', '/api/admin/logout')
  t.clock.advance({ hours: 1 })
  const right = await t.keyClient(all)
  return {
    'a token that is none': 'Bearer nonsense',
    'a token that was logged out': left,
    'a key that is none': 'ApiKey nonsense',
    'a key that was deleted': `ApiKey ${deleted.key}`,
    'a key that has expired': `ApiKey ${expired.key}`,
    'a key as a token': `Bearer ${right.key}`,
    'a key in small letters': `apikey ${right.key}`,
    'no token': 'Bearer ',
    'another scheme': 'Digest x',
    'a name without a password': basic('admin', ''),
  }
}

describeOneDatabase('sqlite', 'permissions', ({ startApp }) => {
  test('every route of the contract is mounted as declared, and every other route declares its access', async () => {
    await using t = await startApp()
    const mounted = t.app.declaredAccess
    for (const { method, path, access } of allRoutes)
      expect(mounted).toContainEqual({ method, url: path, access })
    const others = mounted.filter(
      ({ method, url }) =>
        method !== 'HEAD' && !allRoutes.some((spec) => spec.method === method && spec.path === url),
    )
    expect(new Set(others.map(({ url }) => url))).toEqual(
      new Set(['/', '/api/openapi.json', '/api/docs', '/metrics', '/dav', '/dav/*']),
    )
  })

  test('each route accepts only the callers that it declares', async () => {
    await withWebRoot(async (root) => {
      await using t = await startApp({ env: { WEB_ROOT: root } })
      const callers = await createCallers(t)
      const seen: string[] = []
      const meant: string[] = []
      for (const declared of t.app.declaredAccess) {
        for (const caller of CALLERS) {
          for (const [form, client] of callers[caller].entries()) {
            // Does not end the session of the second client, which is needed until the end of the test.
            if (form > 0 && declared.url.endsWith('/logout')) continue
            if (form === 0 && caller === 'administrator' && declared.url.endsWith('/end-others')) continue
            const what = `${nameOfRoute(declared)} for ${caller}`
            seen.push(`${what}: ${verdictOf(declared, await ask(client, declared))}`)
            meant.push(`${what}: ${expectedVerdict(declared, caller)}`)
          }
        }
      }
      expect(seen.filter((line, place) => line !== meant[place])).toEqual([])
      expect(seen.length).toBeGreaterThan(900)
      expect(t.app.declaredAccess.map(({ url }) => url)).toContain('/share-target')
    })
  })

  test('a wrong, expired or revoked credential is refused everywhere', async () => {
    await using t = await startApp()
    const guarded = t.app.declaredAccess.filter(({ access }) => isGuarded(access))
    const credentials = await wrongCredentials(t)
    const faults: string[] = []
    for (const [what, authorization] of Object.entries(credentials)) {
      // Tries passwords on a few routes only, because each attempt counts as a guess.
      const asked = authorization.startsWith('Basic') ? guarded.slice(0, 3) : guarded
      for (const declared of asked) {
        const answer = await ask(t.client(authorization), declared)
        if (answer.status !== 401) faults.push(`${nameOfRoute(declared)} with ${what}: ${answer.status}`)
      }
    }
    t.clock.advance({ hours: 24 })
    for (const declared of guarded) {
      const answer = await ask(t.admin, declared)
      if (answer.status !== 401) faults.push(`${nameOfRoute(declared)} after a day: ${answer.status}`)
    }
    expect(faults).toEqual([])
  })

  test('a share with a password opens through none of its routes without the password', async () => {
    await using t = await startApp()
    const sharer = await t.keyClient({ text_permission: true, file_permission: true })
    const password = 'right one'
    const text = await sharer.call('POST', '/api/paste', { body: { content: 'UNDISCLOSED', password } })
    const file = await share(sharer, 'a.txt', { bytes: 'UNDISCLOSED', query: { password } })
    const bundle = await shareBundle(sharer, { page: { text: 'UNDISCLOSED' } }, { password })
    const kinds: Readonly<Record<string, string>> = {
      [text.body.slug]: 'paste',
      [file.slug]: 'file',
      [bundle.slug]: 'bundle',
    }
    const routes = allRoutes.filter(({ access }) => access === 'share')
    expect(routes.length).toBe(30)
    const clients = [...Object.values(await createCallers(t)).map(([client]) => client ?? t.visitor), sharer]
    const device = newDevice()
    const guess = (client: TestClient, spec: RouteSpec, slug: string, words: object) =>
      client.call(
        spec.method,
        spec.path.replace(':slug', slug).replace(':kind', kinds[slug] ?? ''),
        spec.body ? { body: { device, ...words } } : { query: { ...words } },
      )
    const faults: string[] = []
    let opened = 0
    for (const [spec, slug] of routes.flatMap((one) => Object.keys(kinds).map((it) => [one, it] as const))) {
      for (const words of [{}, { password: 'wrong one' }, { password: '' }, { ticket: '9999999999.x' }]) {
        for (const client of clients) {
          const { status, text: told } = await guess(client, spec, slug, words)
          const isOpen = told.includes('UNDISCLOSED') || told.includes(password)
          if (isOpen || status >= 500)
            faults.push(`${spec.method} ${spec.path} ${JSON.stringify(words)}: ${status} ${told}`)
        }
        // Advances the clock, because even a correct password is refused after too many guesses.
        t.clock.advance({ seconds: 601 })
      }
      const right = await guess(t.visitor, spec, slug, { password })
      if (right.text.includes('UNDISCLOSED')) opened += 1
    }
    expect(faults).toEqual([])
    // Checks that the correct passwords opened the shares. Otherwise the refusals above would prove nothing.
    expect(opened).toBe(5)
  })

  test('a signed URL of the server works only for its target and time, and cannot be forged', async () => {
    await using t = await startApp()
    const file = await share(t.admin, 'a.txt', { bytes: 'UNDISCLOSED', query: { use_proxy: '0' } })
    const signed = pathOf(file.previewUrl)
    expect((await t.visitor.call('GET', signed)).text).toBe('UNDISCLOSED')
    const [path = '', query = ''] = signed.split('?')
    const forged = query.replace(/(?<=signature=)./, (first) => (first === '_' ? '-' : '_'))
    const made = [
      path,
      `${path}?`,
      `${path}?${query.replace(/expires=\d+/, 'expires=99999999999')}`,
      `${path}?${query}&disposition=inline`,
      `${path}x?${query}`,
      `${path}/../${path.split('/').at(-1)}?${forged}`,
      '/api/fs/archive/unknown',
      `/api/url/proxy?url=${encodeURIComponent('https://example.com/')}`,
    ]
    const faults: string[] = []
    for (const address of made) {
      for (const client of [t.visitor, t.admin, await t.keyClient({ file_permission: true })]) {
        const answer = await client.call('GET', address)
        if (answer.status < 400 || answer.status >= 500) faults.push(`${address}: ${answer.status}`)
      }
    }
    const put = await t.visitor.call('PUT', signed, { payload: 'x' })
    expect([put.status, faults]).toEqual([403, []])
    t.clock.advance({ hours: 24 * 8 })
    expect((await t.visitor.call('GET', signed)).status).toBe(403)
  })

  test('the table in docs/security.md matches the code', async () => {
    await withWebRoot(async (root) => {
      await using t = await startApp({ env: { WEB_ROOT: root } })
      const page = await readFile(new URL('../../../../../docs/security.md', import.meta.url), 'utf8')
      const written = page.split(TABLE_BEGIN)[1]?.split(TABLE_END)[0] ?? ''
      const squeeze = (table: string) =>
        table
          .trim()
          .replaceAll(/ *\| */g, '|')
          .replaceAll(/-+/g, '-')
          .split('\n')
      // `npm run docs:permissions` updates the file.
      expect(squeeze(written)).toEqual(squeeze(accessTable(t.app.declaredAccess)))
    })
  })
})

describeOneDatabase('postgres', 'permissions at replicas', ({ startApp }) => {
  test('a credential that is revoked at one replica is refused at the other from the next request on', async (context) => {
    await using t = await startApp()
    if (t.ctx.database.engine === 'sqlite') {
      context.skip('SQLite has one process.')
      return
    }
    await using replica = await t.replica()
    const all = { text_permission: true, file_permission: true, mount_permission: true }
    const [deleted, narrowed, expired] = [
      await t.keyClient(all),
      await t.keyClient(all),
      await t.keyClient(all),
    ]
    const left = tokenOf(await login(t))
    const there = (authorization: string) => replica.client(authorization)
    const credentials = [`ApiKey ${deleted.key}`, `ApiKey ${expired.key}`, left]
    for (const credential of [...credentials, `ApiKey ${narrowed.key}`])
      expect((await there(credential).call('GET', '/api/fs/list')).status).toBe(200)
    const change = (id: string, body: object) => t.admin.call('PUT', `/api/admin/api-keys/${id}`, { body })
    await t.admin.call('DELETE', `/api/admin/api-keys/${deleted.id}`)
    await change(expired.id, { expires_at: new Date(t.clock.nowMs() + 1000).toISOString() })
    await change(narrowed.id, { text_permission: false, file_permission: false, mount_permission: false })
    await t.client(left).call('POST', '/api/admin/logout')
    t.clock.advance({ seconds: 1 })
    const faults: string[] = []
    const guarded = t.app.declaredAccess.filter(({ access }) => isGuarded(access))
    for (const [place, declared] of guarded.entries()) {
      // Each of these credentials is tried with many routes, but each route only with one of them.
      const { status } = await ask(there(credentials[place % credentials.length] ?? ''), declared)
      if (status !== 401) faults.push(`${nameOfRoute(declared)}: ${status}`)
      const verdict = verdictOf(declared, await ask(there(`ApiKey ${narrowed.key}`), declared))
      if (verdict !== expectedVerdict(declared, 'no permission'))
        faults.push(`${nameOfRoute(declared)}: ${verdict}`)
    }
    expect(faults).toEqual([])
  })
})

describe('a route without declared access', () => {
  test('does not compile in the contract', () => {
    // @ts-expect-error -- `access` is missing, which is what this shows: without the error the build of types fails
    const spec: RouteSpec = route({ method: 'GET', path: '/api/x', summary: '', errors: [] })
    expect(spec.path).toBe('/api/x')
  })

  test('prevents the start, for every kind of route', () => {
    const app = Fastify()
    installAccess(app)
    expect(() => app.get('/open', { config: { access: 'public' } }, () => 'x')).not.toThrow()
    expect(() => app.get('/x', () => 'x')).toThrow('The route GET /x does not say who may call it.')
    expect(() => app.route({ method: ['PUT', 'DELETE'], url: '/y', handler: () => 'x' })).toThrow(
      /PUT, DELETE/,
    )
  })

  test('cannot omit the check: declared access is checked before the handler runs', async () => {
    const app = Fastify()
    const asked: string[] = []
    app.decorate('authorize', async (_request, access) => {
      asked.push(access)
      throw Object.assign(new Error('no'), { statusCode: 401 })
    })
    installAccess(app)
    app.get('/x', { config: { access: 'mount' } }, () => 'secret')
    app.get('/y', { config: { access: 'signed' } }, () => 'open')
    expect([(await app.inject('/x')).statusCode, (await app.inject('/y')).body, asked]).toEqual([
      401,
      'open',
      ['mount'],
    ])
    await app.close()
  })
})
