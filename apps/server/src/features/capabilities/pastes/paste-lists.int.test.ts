import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'

const create = (client: TestClient, body: Record<string, unknown>) =>
  client.call('POST', '/api/paste', { body: { content: 'x', ...body } })
const slugs = async (client: TestClient, query: Record<string, string>, path = '/api/admin/pastes') => {
  const { status, body } = await client.call('GET', path, { query })
  expect(status).toBe(200)
  return { slugs: body.data.map((item: { slug: string }) => item.slug), total: body.pagination.total }
}
const found = async (client: TestClient, query: Record<string, string>) => (await slugs(client, query)).slugs

async function fill(t: TestApp) {
  const key = await t.keyClient({ name: 'Phone', text_permission: true })
  const texts: [TestClient, Record<string, unknown>][] = [
    [t.admin, { slug: 'plain', content: 'Grüße aus KÖLN, 100% real_text' }],
    [t.admin, { slug: 'locked', content: '你好，世界', password: 'p', remark: 'Über alles' }],
    [key, { slug: 'brief', content: 'soon gone', expiresAt: '2030-01-01T10:00:00Z' }],
    [key, { slug: 'scarce', content: 'two views', maxViews: 2 }],
    [key, { slug: 'Zebra', content: 'last' }],
  ]
  for (const [client, body] of texts) {
    await create(client, body)
    t.clock.advance({ seconds: 1 })
  }
  for (let view = 0; view < 2; view += 1) await t.visitor.call('GET', '/api/paste/scarce')
  t.clock.advance({ hours: 12 })
  return key
}

describeEachDatabase('pastes: searching and deleting what matches', ({ startApp }) => {
  test('a search covers suffix, remark and text, ignores case, and treats no character as a pattern', async () => {
    await using t = await startApp()
    await fill(t)
    const search = (words: string) => found(t.admin, { search: words })
    expect(await search('köln')).toEqual(['plain'])
    expect(await search('ÜBER ALLES')).toEqual(['locked'])
    expect(await search('世界')).toEqual(['locked'])
    expect(await search('ZEB')).toEqual(['Zebra'])
    expect(await search('100% real_')).toEqual(['plain'])
    expect(await search('%')).toEqual(['plain'])
    expect(await search('_')).toEqual(['plain'])
    expect(await search('\\')).toEqual([])
    expect(await search("'; drop table pastes; --")).toEqual([])
    expect(await search('')).toHaveLength(5)
  })

  test('texts that are searched in place are found like those with a separate search text', async () => {
    await using t = await startApp()
    const texts = {
      ascii: 'Plain WORDS',
      chinese: '剪贴板 Clip',
      folded: 'Straße ÀÉ',
      long: 'Far AWAY '.repeat(400),
    }
    for (const [slug, content] of Object.entries(texts)) await create(t.admin, { slug, content })
    await create(t.admin, { slug: 'noted', content: 'x', remark: 'My REMARK' })
    await create(t.admin, { slug: 'umlaut', content: 'same', remark: 'ÜBUNG' })
    const search = (words: string) => found(t.admin, { search: words })
    expect(await search('plain words')).toEqual(['ascii'])
    expect(await search('贴板 cLIP')).toEqual(['chinese'])
    expect(await search('STRASSE')).toEqual([])
    expect(await search('straße àé')).toEqual(['folded'])
    expect(await search('far away')).toEqual(['long'])
    expect(await search('my remark')).toEqual(['noted'])
    expect(await search('übung')).toEqual(['umlaut'])
    expect(await search('SAME')).toEqual(['umlaut'])
    await t.admin.call('PUT', '/api/admin/pastes/folded', { body: { content: 'PLAIN again', remark: null } })
    expect(await search('plain')).toEqual(['folded', 'ascii'])
    expect(await search('àé')).toEqual([])
  })

  test('a changed text is found by its current content', async () => {
    await using t = await startApp()
    await create(t.admin, { slug: 'moved', content: 'before' })
    await t.admin.call('PUT', '/api/admin/pastes/moved', { body: { content: 'AFTER', remark: null } })
    expect(await found(t.admin, { search: 'before' })).toEqual([])
    expect(await found(t.admin, { search: 'after' })).toEqual(['moved'])
  })

  test('filters and orders, alone and together; shares without expiry are last', async () => {
    await using t = await startApp()
    const key = await fill(t)
    expect(await found(t.admin, { state: 'over', sort: 'slug', order: 'asc' })).toEqual(['brief', 'scarce'])
    expect(await found(t.admin, { state: 'active' })).toEqual(['Zebra', 'locked', 'plain'])
    expect(await found(t.admin, { protected: 'true' })).toEqual(['locked'])
    expect(await found(t.admin, { protected: 'false', state: 'active' })).toEqual(['Zebra', 'plain'])
    expect(await found(t.admin, { created_by: 'admin' })).toEqual(['locked', 'plain'])
    expect(await found(t.admin, { created_by: `apikey:${key.id}`, state: 'active' })).toEqual(['Zebra'])
    expect((await found(t.admin, { sort: 'views', order: 'desc' }))[0]).toBe('scarce')
    expect((await found(t.admin, { sort: 'expires', order: 'asc' }))[0]).toBe('brief')
    expect(await slugs(t.admin, { search: 'e', limit: '1', page: '2' })).toEqual({
      slugs: ['scarce'],
      total: 5,
    })
    const bad = await t.admin.call('GET', '/api/admin/pastes', { query: { sort: 'password_hash' } })
    expect(bad.status).toBe(400)
  })

  test('a key searches and deletes only its own shares', async () => {
    await using t = await startApp()
    const key = await fill(t)
    expect(await slugs(key, { search: 'plain' }, '/api/user/pastes')).toEqual({ slugs: [], total: 0 })
    const { status, body } = await key.call('POST', '/api/user/pastes/delete-matching', { body: {} })
    expect([status, body.data.matching]).toEqual([200, 3])
    await t.ctx.tasks.drain()
    expect(await found(t.admin, {})).toEqual(['locked', 'plain'])
    const refused = await key.call('POST', '/api/admin/pastes/delete-matching', { body: {} })
    expect(refused.status).toBe(403)
    const task = (await key.call('GET', `/api/tasks/${body.data.task_id}`)).body.data
    expect(task).toMatchObject({ state: 'completed', result: { deleted: 3 }, progress: { doneItems: 3 } })
  })

  test('all matches are deleted in many batches, with correct counts; new shares stay', async () => {
    await using t = await startApp()
    for (let number = 0; number < 450; number += 1) {
      await create(t.admin, { slug: `batch-${number}`, remark: number % 10 === 0 ? 'keep' : 'goes' })
    }
    const { body } = await t.admin.call('POST', '/api/admin/pastes/delete-matching', {
      body: { search: 'goes' },
    })
    expect(body.data.matching).toBe(405)
    t.clock.advance({ seconds: 1 })
    await create(t.admin, { slug: 'late', remark: 'goes' })
    await t.ctx.tasks.drain()
    expect(await slugs(t.admin, { search: 'goes' })).toEqual({ slugs: ['late'], total: 1 })
    expect((await slugs(t.admin, { search: 'keep' })).total).toBe(45)
    const task = (await t.admin.call('GET', `/api/tasks/${body.data.task_id}`)).body.data
    expect(task.progress).toMatchObject({ totalItems: 405, doneItems: 405, failedItems: 0 })
  })

  test('a key purges its own ended shares, and gets their number', async () => {
    await using t = await startApp()
    const key = await fill(t)
    await create(t.admin, { slug: 'admins', expiresAt: '2030-01-01T13:00:00Z' })
    t.clock.advance({ hours: 2 })
    expect((await key.call('POST', '/api/user/pastes/clear-expired')).body.data.deleted).toBe(2)
    expect(await found(t.admin, { state: 'over' })).toEqual(['admins'])
    expect((await t.admin.call('POST', '/api/admin/pastes/clear-expired')).body.data.deleted).toBe(1)
  })
})
