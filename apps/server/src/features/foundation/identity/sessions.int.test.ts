import { isGuarded } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import {
  ADMIN_PASSWORD,
  describeEachDatabase,
  describeOneDatabase,
  type TestApp,
} from '../../../testing/app.ts'
import { basic } from '../../../testing/drive.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'

/** Logs in as the administrator from another device. */
async function enter(t: TestApp, headers: Record<string, string> = {}) {
  const answer = await t.visitor.call('POST', '/api/admin/login', {
    body: { username: 'admin', password: ADMIN_PASSWORD },
    headers,
  })
  return t.client(`Bearer ${answer.body.data.token}`)
}

const listed = async (client: TestApp['admin']) =>
  (await client.call('GET', '/api/admin/sessions')).body.data as Array<Record<string, unknown>>

const isIn = async (client: TestApp['admin']) =>
  (await client.call('GET', '/api/test/admin-token')).status === 200

describeEachDatabase('sessions', ({ startApp }) => {
  test('are listed with their times, network and program, the current one first', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z', env: { TRUST_PROXY: '1' } })
    t.clock.advance({ hours: 1 })
    const phone = await enter(t, { 'user-agent': FIREFOX, 'x-forwarded-for': '2001:db8:1:2:3::4' })
    const [own, other, ...rest] = await listed(t.admin)
    expect(rest).toEqual([])
    expect(own).toMatchObject({
      is_current: true,
      created_at: '2030-01-01T00:00:00.000Z',
      last_used_at: '2030-01-01T01:00:00.000Z',
      address: '127.0.0.0/24',
    })
    expect(other).toEqual({
      id: expect.any(String),
      is_current: false,
      created_at: '2030-01-01T01:00:00.000Z',
      last_used_at: '2030-01-01T01:00:00.000Z',
      expires_at: '2030-01-02T01:00:00.000Z',
      address: '2001:db8:1::/48',
      browser: 'Firefox',
      system: 'Windows',
    })
    t.clock.advance({ seconds: 90 })
    await phone.call('GET', '/api/test/admin-token', { headers: { 'x-forwarded-for': '198.51.100.7' } })
    expect((await listed(phone))[0]).toMatchObject({
      is_current: true,
      last_used_at: '2030-01-01T01:01:30.000Z',
    })
    const row = await t.ctx.db.selectFrom('admin_sessions').select('address').execute()
    expect(JSON.stringify(row)).not.toContain('198.51.100.7')
  })

  test('neither the list nor the database contains a token', async () => {
    await using t = await startApp()
    const rows = await t.ctx.db.selectFrom('admin_sessions').selectAll().execute()
    const list = await listed(t.admin)
    for (const { token_hash: hash } of rows) expect(JSON.stringify(list)).not.toContain(hash)
  })

  test('expired sessions are not listed and cannot be ended', async () => {
    await using t = await startApp()
    const [first] = await listed(t.admin)
    t.clock.advance({ hours: 24 })
    const late = await enter(t)
    expect(await listed(late)).toHaveLength(1)
    const answer = await late.call('DELETE', `/api/admin/sessions/${String(first?.['id'])}`)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'auth.session_not_found'])
  })

  test('one session is ended, others stay; ending it again is 404', async () => {
    await using t = await startApp()
    const [lost, kept] = [await enter(t), await enter(t)]
    const [mine] = await listed(lost)
    const path = `/api/admin/sessions/${String(mine?.['id'])}`
    expect((await t.admin.call('DELETE', path)).body).toMatchObject({ code: 200, success: true })
    expect([await isIn(lost), await isIn(kept), await isIn(t.admin)]).toEqual([false, true, true])
    expect((await t.admin.call('DELETE', path)).status).toBe(404)
  })

  test('all other sessions are ended; with name and password, all sessions', async () => {
    await using t = await startApp()
    const others = [await enter(t), await enter(t)]
    const ended = await t.admin.call('POST', '/api/admin/sessions/end-others')
    expect(ended.body.data).toEqual({ ended: 2 })
    for (const other of others) expect(await isIn(other)).toBe(false)
    expect(await isIn(t.admin)).toBe(true)
    const drive = t.client(basic('admin', ADMIN_PASSWORD))
    expect((await listed(drive)).map((one) => one['is_current'])).toEqual([false])
    expect((await drive.call('POST', '/api/admin/sessions/end-others')).body.data).toEqual({ ended: 1 })
    expect(await isIn(t.admin)).toBe(false)
  })

  test('of another administrator are neither seen nor ended', async () => {
    await using t = await startApp()
    const [admin] = await t.ctx.db.selectFrom('admins').selectAll().execute()
    if (!admin) throw new Error('There is no administrator.')
    await t.ctx.db
      .insertInto('admins')
      .values({ ...admin, id: 'second', username: 'second' })
      .execute()
    const answer = await t.visitor.call('POST', '/api/admin/login', {
      body: { username: 'second', password: ADMIN_PASSWORD },
    })
    const second = t.client(`Bearer ${answer.body.data.token}`)
    const [theirs] = await listed(second)
    expect(await listed(t.admin)).toHaveLength(1)
    expect((await t.admin.call('DELETE', `/api/admin/sessions/${String(theirs?.['id'])}`)).status).toBe(404)
    await t.admin.call('POST', '/api/admin/sessions/end-others')
    expect(await isIn(second)).toBe(true)
  })
})

describeOneDatabase('postgres', 'sessions at replicas', ({ startApp, engine }) => {
  test('a session that is ended at one replica is refused at the other from the next request on', async (context) => {
    if (engine === 'sqlite') {
      context.skip('SQLite has one process.')
      return
    }
    await using t = await startApp()
    await using replica = await t.replica()
    const mine = (await listed(t.admin)).find((one) => one['is_current'])
    const here = await enter(t)
    const changed = await enter(t)
    const lost = (await listed(here)).find((one) => one['is_current'])
    const authorizationOf = async () => {
      const answer = await t.visitor.call('POST', '/api/admin/login', {
        body: { username: 'admin', password: ADMIN_PASSWORD },
      })
      return `Bearer ${answer.body.data.token}`
    }
    const token = await authorizationOf()
    const there = replica.client(token)
    expect(await isIn(there)).toBe(true)
    expect([lost?.['id'] === mine?.['id'], await isIn(changed)]).toEqual([false, true])
    const doomed = (await listed(t.client(token))).find((one) => one['is_current'])
    await t.admin.call('DELETE', `/api/admin/sessions/${String(doomed?.['id'])}`)
    const faults: string[] = []
    for (const { method, url, access } of t.app.declaredAccess) {
      if (!isGuarded(access)) continue
      const { status } = await there.call(method, url.replaceAll(/:\w+/g, 'unknown').replace('*', 'unknown'))
      if (status !== 401) faults.push(`${method} ${url}: ${status}`)
    }
    expect(faults).toEqual([])
  })
})
