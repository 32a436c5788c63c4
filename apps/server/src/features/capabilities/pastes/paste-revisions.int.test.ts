import { PASTE_REVISIONS_MAX } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'

const create = async (client: TestClient, body: Record<string, unknown>) =>
  (await client.call('POST', '/api/paste', { body })).body as { id: string; slug: string }
const update = (client: TestClient, id: string, body: Record<string, unknown>) =>
  client.call('PUT', `/api/user/pastes/${id}`, { body })
const list = (client: TestClient, id: string) => client.call('GET', `/api/pastes/${id}/revisions`)
const read = (client: TestClient, id: string, revision: string) =>
  client.call('GET', `/api/pastes/${id}/revisions/${revision}`)
const detail = async (t: TestApp, id: string) =>
  (await t.admin.call('GET', `/api/admin/pastes/${id}`)).body.data
const keptTexts = async (t: TestApp) =>
  (await t.ctx.db.selectFrom('paste_revisions').select('content').execute()).map(({ content }) => content)

describeEachDatabase('pastes: earlier versions', ({ startApp }) => {
  test('each change of the text stores the previous version, newest first; other changes store none', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const { id } = await create(t.admin, { content: 'one', slug: 'versions' })
    t.clock.advance({ seconds: 60 })
    await update(t.admin, id, { content: 'two 文' })
    t.clock.advance({ seconds: 60 })
    await update(t.admin, id, { content: 'two 文', remark: 'only the remark' })
    await update(t.admin, id, { content: 'two 文', content_type: 'text/plain' })
    const { data } = (await list(t.admin, 'versions')).body
    expect(data).toMatchObject([
      { content_type: 'text/markdown', size: 7, created_at: '2030-01-01T00:02:00.000Z' },
      {
        content_type: 'text/markdown',
        size: 3,
        created_at: '2030-01-01T00:00:00.000Z',
        replaced_at: '2030-01-01T00:01:00.000Z',
      },
    ])
    const oldest = await read(t.admin, id, data[1].id)
    expect(oldest.body.data).toMatchObject({ id: data[1].id, content: 'one' })
    expect(oldest.headers['cache-control']).toBe('private, no-store')
  })

  test('restoring a version replaces the text only, and stores the replaced text as an earlier version', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, { content: 'one', maxViews: 5, remark: 'stays' })
    await update(t.admin, id, { content: 'two', content_type: 'text/plain', maxViews: 5, remark: 'stays' })
    const [first] = (await list(t.admin, id)).body.data
    const restored = await t.admin.call('POST', `/api/pastes/${id}/revisions/${first.id}/restore`)
    expect(restored.body.data.id).toBe(id)
    expect(await detail(t, id)).toMatchObject({
      content: 'one',
      content_type: 'text/markdown',
      max_views: 5,
      remark: 'stays',
    })
    const found = (await t.admin.call('GET', '/api/admin/pastes?search=one')).body
    expect(found.pagination.total).toBe(1)
    expect((await keptTexts(t)).toSorted()).toEqual(['one', 'two'])
  })

  test('another key, a visitor and a wrong URL get no information about them', async () => {
    await using t = await startApp()
    const mine = await t.keyClient({ name: 'mine', text_permission: true })
    const other = await t.keyClient({ name: 'other', text_permission: true })
    const { id } = await create(mine, { content: 'secret one' })
    const elsewhere = await create(mine, { content: 'x' })
    await update(mine, id, { content: 'two' })
    const [version] = (await list(mine, id)).body.data
    for (const client of [other, t.visitor]) {
      const answers = await Promise.all([
        list(client, id),
        read(client, id, version.id),
        client.call('POST', `/api/pastes/${id}/revisions/${version.id}/restore`),
        client.call('DELETE', `/api/pastes/${id}/revisions`),
      ])
      for (const { status, body } of answers) {
        expect([401, 404]).toContain(status)
        expect(JSON.stringify(body)).not.toContain('secret')
      }
    }
    const astray = await read(mine, elsewhere.id, version.id)
    expect([astray.status, astray.body.error.code]).toEqual([404, 'paste.revision_not_found'])
    expect((await detail(t, id)).content).toBe('two')
    expect((await list(mine, id)).body.data).toHaveLength(1)
  })

  test('they are deleted on request, with their share, and when the share ends', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    const withHistory = async (slug: string, expiresAt: string | null) => {
      const { id } = await create(t.admin, { content: `first of ${slug}`, slug, expiresAt })
      await update(t.admin, id, { content: `second of ${slug}`, expiresAt })
      return id
    }
    const cleared = await withHistory('cleared', null)
    const deleted = await withHistory('deleted', null)
    await withHistory('expiring', '2030-01-01T01:00:00Z')
    await withHistory('kept', null)
    expect((await t.admin.call('DELETE', `/api/pastes/${cleared}/revisions`)).body.data.deleted).toBe(1)
    await t.admin.call('DELETE', `/api/admin/pastes/${deleted}`)
    t.clock.advance({ hours: 1 })
    await t.ctx.jobs.drain()
    expect(await keptTexts(t)).toEqual(['first of kept'])
  })

  test('the limits on number and size determine how many are kept', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, { content: 'text 0' })
    for (let n = 1; n <= PASTE_REVISIONS_MAX + 2; n += 1) await update(t.admin, id, { content: `text ${n}` })
    const { data } = (await list(t.admin, id)).body
    expect(data).toHaveLength(PASTE_REVISIONS_MAX)
    expect((await read(t.admin, id, data.at(-1).id)).body.data.content).toBe('text 2')
    const large = 'x'.repeat(9 * 1024 * 1024)
    for (const text of [`${large}1`, `${large}2`, `${large}3`, 'small'])
      await update(t.admin, id, { content: text })
    const sizes = (await list(t.admin, id)).body.data.map(({ size }: { size: number }) => size)
    expect(sizes).toEqual([large.length + 1, large.length + 1])
  })
})

describeEachDatabase('pastes: concurrent changes of one text', ({ startApp }) => {
  test('a change of an outdated version is refused, and nothing is overwritten', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, { content: 'one' })
    const { updated_at: expectedUpdatedAt } = await detail(t, id)
    expect((await update(t.admin, id, { content: 'mine', expectedUpdatedAt })).status).toBe(200)
    const late = await update(t.admin, id, { content: 'theirs', expectedUpdatedAt })
    expect([late.status, late.body.error.code]).toEqual([409, 'paste.changed'])
    expect((await detail(t, id)).content).toBe('mine')
    expect((await update(t.admin, id, { content: 'over it' })).status).toBe(200)
  })

  test('of concurrent saves that expect one version one succeeds; other saves all succeed, and no text is lost', async () => {
    await using t = await startApp()
    const { id } = await create(t.admin, { content: 'start' })
    const { updated_at: expectedUpdatedAt } = await detail(t, id)
    const strict = await Promise.all(
      [1, 2, 3].map((n) => update(t.admin, id, { content: `strict ${n}`, expectedUpdatedAt })),
    )
    expect(strict.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const free = await Promise.all([1, 2, 3].map((n) => update(t.admin, id, { content: `free ${n}` })))
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200])
    const texts = new Set([...(await keptTexts(t)), (await detail(t, id)).content])
    for (const text of ['start', 'free 1', 'free 2', 'free 3']) expect(texts).toContain(text)
  })
})
