import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import {
  draftBundle,
  publishBundle,
  publishedBundle,
  readBundle,
  shareBundle,
  type TestBundle,
  ticketFor,
} from '../../../testing/bundles.ts'
import { putFile } from '../../../testing/fs.ts'

const own = async (client: TestClient, { id }: Pick<TestBundle, 'id'>) =>
  (await client.call('GET', `/api/bundles/${id}/own`)).body.data
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
]
const remove = (t: TestApp, ...paths: string[]) =>
  t.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths } })
const restore = (client: TestClient, { id }: TestBundle, r: number, expected_revision: number) =>
  client.call('POST', `/api/bundles/${id}/revisions/${r}/restore`, { body: { expected_revision } })
const ref = (path: string, more: object = {}) => ({ ref: { path, ...more } })

describeEachDatabase('edited bundles', ({ startApp }) => {
  test('a pinned version is unchanged by edits, until it is renewed or moved', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/a.txt', 'first')
    const pinned = { path: 'a.txt', source: ref('/local/a.txt', { mode: 'pin' }) }
    const bundle = await shareBundle(t.admin, { items: [pinned] })
    await putFile(t.admin, '/local/a.txt', 'second, and longer')
    const readPath = async (path: string) => {
      const { text, body } = await readBundle(
        t,
        { slug: bundle.slug, ticket: await ticketFor(t, bundle.slug) },
        'file',
        { path },
      )
      return body?.error?.code ?? text
    }
    const publish = async (items: object[], expected: number) =>
      (await publishBundle(t.admin, bundle, { page: { text: `${expected}` }, items, expected })).status
    expect(await publish([pinned], 1)).toBe(201)
    expect(await readPath('a.txt')).toBe('bundle.item_gone')
    expect((await restore(t.admin, bundle, 1, 2)).status).toBe(201)
    expect(await readPath('a.txt')).toBe('bundle.item_gone')
    const renewed = { path: 'a.txt', source: ref('/local/a.txt', { mode: 'pin', renew: true }) }
    expect(await publish([renewed], 3)).toBe(201)
    expect(await readPath('a.txt')).toBe('second, and longer')
    await putFile(t.admin, '/local/a.txt', 'third')
    expect(await publish([pinned, { ...pinned, path: 'b.txt' }], 4)).toBe(201)
    expect([await readPath('a.txt'), await readPath('b.txt')]).toEqual(['bundle.item_gone', 'third'])
    expect((await own(t.admin, bundle)).manifest.items[0].source).toEqual(pinned.source)
  })

  test('deleted files do not prevent an edit or a restoration, if their items are unchanged', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/a.txt', 'a')
    await putFile(t.admin, '/local/photos/b.jpg', 'b')
    const items = [
      { path: 'a.txt', source: ref('/local/a.txt', { mode: 'follow' }) },
      { path: 'live', source: { folder: { path: '/local/photos/' } } },
    ]
    const bundle = await shareBundle(t.admin, { items })
    const before = (await own(t.admin, bundle)).manifest
    await remove(t, '/local/a.txt', '/local/photos/')
    const page = { type: 'text/plain', text: 'corrected' }
    expect((await publishBundle(t.admin, bundle, { page, items, expected: 1 })).status).toBe(201)
    expect((await own(t.admin, bundle)).manifest).toEqual({ ...before, page })
    expect((await publishBundle(t.admin, bundle, { page, expected: 2 })).status).toBe(201)
    expect((await restore(t.admin, bundle, 1, 3)).status).toBe(201)
    expect((await own(t.admin, bundle)).manifest).toEqual(before)
    const moved = items.map((item, index) => (index === 0 ? { ...item, path: 'c.txt' } : item))
    expect(codeOf(await publishBundle(t.admin, bundle, { items: moved, expected: 4 }))).toEqual([
      410,
      'bundle.item_gone',
    ])
  })

  test('an unchanged item still needs the rights of the caller', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/own/a.txt', 'a')
    const rights = { text_permission: true, file_permission: true, mount_permission: true }
    const key = await t.keyClient({ ...rights, basic_path: '/local/own' })
    const items = [{ path: 'a.txt', source: ref('/local/own/a.txt') }]
    const bundle = await shareBundle(key, { items })
    await t.admin.call('PUT', `/api/admin/api-keys/${key.id}`, { body: { basic_path: '/local/else' } })
    const page = { text: 'corrected' }
    expect(codeOf(await publishBundle(key, bundle, { page, items, expected: 1 }))).toEqual([
      403,
      'auth.path_forbidden',
    ])
    expect(codeOf(await restore(key, bundle, 1, 1))).toEqual([403, 'auth.path_forbidden'])
  })

  test('an administrator cannot add files to the bundle of a key that the key is not allowed to share', async () => {
    await using t = await startApp()
    await putFile(t.admin, '/local/own/a.txt', 'a')
    await putFile(t.admin, '/local/secret/b.txt', 'b')
    const key = await t.keyClient({
      text_permission: true,
      file_permission: true,
      mount_permission: true,
      basic_path: '/local/own',
    })
    const text = await t.keyClient({ text_permission: true })
    const added = [
      { path: 'a.txt', source: ref('/local/own/a.txt') },
      { path: 'b.txt', source: ref('/local/secret/b.txt') },
    ]
    const folders = [
      { path: 'own', source: { folder: { path: '/local/own' } } },
      { path: 'secret', source: { folder: { path: '/local/secret' } } },
    ]
    const bundle = await draftBundle(key)
    for (const items of [added, folders]) {
      const refused = await publishBundle(t.admin, bundle, { items, expected: 0 })
      expect(codeOf(refused)).toEqual([403, 'auth.path_forbidden'])
      expect(refused.body.error.details).toEqual([{ path: 'body.manifest.items.1', message: items[1]?.path }])
    }
    const items: object[] = [...added.slice(0, 1), ...folders.slice(0, 1)]
    expect((await publishBundle(t.admin, bundle, { items, expected: 0 })).status).toBe(201)
    const ticket = await ticketFor(t, bundle.slug)
    const read = await readBundle(t, { slug: bundle.slug, ticket }, 'file', { path: 'a.txt' })
    expect(read.text).toBe('a')
    const ofText = await publishBundle(t.admin, await draftBundle(text), { items, expected: 0 })
    expect(codeOf(ofText)).toEqual([403, 'auth.path_forbidden'])
  })

  test('a bundle that gets its first view limit asks, unless its owner says otherwise', async () => {
    await using t = await startApp()
    const openingAfter = async (body: object, made: object = {}) => {
      const bundle = await publishedBundle(t.admin, made)
      expect((await t.admin.call('PUT', `/api/bundles/${bundle.id}`, { body })).status).toBe(200)
      return (await own(t.admin, bundle)).opening
    }
    expect(await openingAfter({ max_views: 3 })).toBe('ask')
    expect(await openingAfter({ max_views: 3, opening: 'direct' })).toBe('direct')
    expect(await openingAfter({ remark: 'r' })).toBe('direct')
    expect(await openingAfter({ max_views: 3 }, { max_views: 5, opening: 'direct' })).toBe('direct')
    expect(await openingAfter({ max_views: null }, { max_views: 5, opening: 'ask' })).toBe('ask')
  })

  test('a change writes only the fields of the request, also with concurrent changes', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { slug: 'first', remark: 'alpha' })
    const passwords = { ...t.ctx.passwords }
    // Simulates another change that is made after the bundle was read, while the password is hashed.
    t.ctx.passwords.hash = async (password) => {
      Object.assign(t.ctx.passwords, passwords)
      const body = { slug: 'second', remark: 'beta', max_views: 7 }
      expect((await t.admin.call('PUT', `/api/bundles/${bundle.id}`, { body })).status).toBe(200)
      const page = { text: 'gamma' }
      expect((await publishBundle(t.admin, bundle, { page, expected: 1 })).status).toBe(201)
      return passwords.hash(password)
    }
    const changed = await t.admin.call('PUT', `/api/bundles/${bundle.id}`, {
      body: { password: 'pw', opening: 'ask' },
    })
    expect([changed.status, changed.body.data.slug]).toEqual([200, 'second'])
    expect(await own(t.admin, bundle)).toMatchObject({
      slug: 'second',
      remark: 'beta',
      max_views: 7,
      plain_password: 'pw',
    })
    const found = async (search: string) =>
      (await t.admin.call('GET', '/api/shares', { query: { search } })).body.data.pagination.total
    expect([await found('beta'), await found('gamma'), await found('alpha')]).toEqual([1, 1, 0])
  })

  test('a search finds a bundle by its current remark and text, also after concurrent changes', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { remark: 'alpha' })
    const found = async (search: string) =>
      (await t.admin.call('GET', '/api/shares', { query: { search } })).body.data.pagination.total
    const room = { ...t.ctx.room }
    // Changes the remark while the publication waits for disk space, after it has read the bundle.
    t.ctx.room.take = async (...args: Parameters<typeof room.take>) => {
      Object.assign(t.ctx.room, room)
      await t.admin.call('PUT', `/api/bundles/${bundle.id}`, { body: { remark: 'beta' } })
      return room.take(...args)
    }
    await publishBundle(t.admin, bundle, { page: { text: 'gamma' }, expected: 1 })
    expect([await found('beta'), await found('gamma'), await found('alpha')]).toEqual([1, 1, 0])
  })
})
