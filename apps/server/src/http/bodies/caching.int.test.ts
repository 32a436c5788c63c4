import { isGuarded, type RouteSpec } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, describeOneDatabase, type TestAnswer } from '../../testing/app.ts'
import { allRoutes, pathWith } from '../../testing/contract-routes.ts'
import { share } from '../../testing/files.ts'

const nameOf = ({ method, path }: RouteSpec) => `${method} ${path}`
/** Whether a response contains bytes. Routes that send bytes set their own caching headers. */
const isBytes = (spec: RouteSpec, { status }: TestAnswer) => spec.reply === undefined && status < 400

describeOneDatabase('sqlite', 'caching', ({ startApp }) => {
  test('responses that require a credential are never cacheable by proxies', async () => {
    await using t = await startApp()
    await share(t.admin, 'a.txt')
    await t.admin.call('POST', '/api/paste', { body: { content: 'a' } })
    await t.keyClient({ text_permission: true })
    const faults: string[] = []
    const read = new Set<string>()
    // Calls the other methods after GET, because some of their routes end the session.
    const guarded = allRoutes.filter(({ access }) => isGuarded(access))
    const routes = [
      ...guarded.filter(({ method }) => method === 'GET'),
      ...guarded.filter(({ method }) => method !== 'GET'),
    ]
    for (const spec of routes) {
      for (const client of [t.visitor, t.admin]) {
        const query = spec.method === 'GET' && spec.query ? { path: '/local/' } : {}
        const answer = await client.call(spec.method, pathWith(spec, 'unknown'), { query })
        if (answer.status === 200 && spec.method === 'GET') read.add(spec.path)
        const said = answer.headers['cache-control']
        if (!isBytes(spec, answer) && said !== 'private, no-store')
          faults.push(`${nameOf(spec)}: ${answer.status} ${said}`)
      }
    }
    expect(faults).toEqual([])
    expect([...read]).toEqual(
      expect.arrayContaining(['/api/admin/api-keys', '/api/admin/pastes', '/api/fs/list']),
    )
    expect(read.size).toBeGreaterThan(15)
  })

  test('responses to logins are never cacheable, with a right or wrong password', async () => {
    await using t = await startApp()
    for (const password of [ADMIN_PASSWORD, 'wrong']) {
      const { headers } = await t.visitor.call('POST', '/api/admin/login', {
        body: { username: 'admin', password },
      })
      expect(headers['cache-control']).toBe('private, no-store')
    }
  })
})
