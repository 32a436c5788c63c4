import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import {
  draftBundle,
  objectItems,
  objectRows,
  publishBundle,
  publishedBundle,
  putObject,
  type TestBundle,
} from '../../../testing/bundles.ts'
import { filesOnDisk, share } from '../../../testing/files.ts'
import { fuzzing, FUZZ_TIMEOUT_MS } from '../../../testing/fuzzing.ts'
import { createRandom } from '../../../testing/torture/random.ts'

const idsLeft = async (t: TestApp) =>
  (await t.ctx.db.selectFrom('bundles').select('id').execute()).map(({ id }) => id)
/** Lists the files on the disk, without the parts of incomplete uploads. */
const objectsOnDisk = async (t: TestApp) =>
  (await filesOnDisk(t)).filter((name) => !name.startsWith('.dropleaf-tmp'))
const statusOf = async (t: TestApp, { id }: TestBundle) =>
  (await t.admin.call('GET', `/api/bundles/${id}/own`)).status

describeEachDatabase('the life of bundles', ({ startApp }) => {
  test('an expired bundle loses its contents, and then its row', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { expires_in: 1, password: 'pw' })
    await publishedBundle(t.admin)
    t.clock.advance({ hours: 1.1 })
    await t.ctx.jobs.drain()
    expect((await filesOnDisk(t)).length).toBe(1)
    const { purged_at_ms, password_hash, password_sealed, title } = await t.ctx.db
      .selectFrom('bundles')
      .selectAll()
      .where('id', '=', bundle.id)
      .executeTakeFirstOrThrow()
    expect([purged_at_ms === null, password_hash, password_sealed, title]).toEqual([false, null, null, null])
    expect((await t.ctx.db.selectFrom('bundle_revisions').select('bundle_id').execute()).length).toBe(1)
    expect(await statusOf(t, bundle)).toBe(404)
    expect((await publishBundle(t.admin, bundle, { page: { text: 'x' }, expected: 1 })).status).toBe(404)
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect((await idsLeft(t)).length).toBe(1)
  })

  test('a used-up bundle is kept for its tickets and devices', async () => {
    await using t = await startApp()
    await publishedBundle(t.admin, { max_views: 1 })
    const nowMs = t.clock.nowMs()
    const graceUntilMs = nowMs + 3600_000
    await t.ctx.db
      .updateTable('bundles')
      .set({ views: 1, last_view_at_ms: nowMs, grace_until_ms: graceUntilMs })
      .execute()
    for (const [hours, left] of [
      [5.9, 1],
      [0.9, 1],
      [0.3, 0],
    ] as const) {
      t.clock.advance({ hours })
      await t.ctx.jobs.drain()
      expect((await filesOnDisk(t)).length).toBe(left)
    }
  })

  test('an abandoned draft is deleted, and an active one is kept', async () => {
    await using t = await startApp()
    const forgotten = await draftBundle(t.admin)
    await putObject(t.admin, forgotten, { n: 0 })
    const kept = await draftBundle(t.admin)
    t.clock.advance({ hours: 23 })
    await t.admin.call('POST', `/api/bundles/${kept.id}/objects`, {
      body: { objects: [{ n: 0, filename: 'big', size: 3 }] },
    })
    t.clock.advance({ hours: 2 })
    await t.ctx.jobs.drain()
    expect(await idsLeft(t)).toEqual([kept.id])
    expect(await objectsOnDisk(t)).toEqual([])
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect(await idsLeft(t)).toEqual([])
    expect(await objectRows(t)).toEqual([])
  })

  test('an object that is published late is kept, and an unpublished one is deleted after a day', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin)
    await putObject(t.admin, bundle, { n: 1 })
    await putObject(t.admin, bundle, { n: 2 })
    t.clock.advance({ hours: 23.9 })
    await t.ctx.jobs.drain()
    expect((await filesOnDisk(t)).length).toBe(3)
    await publishBundle(t.admin, bundle, { items: objectItems(1), expected: 1 })
    t.clock.advance({ hours: 0.2 })
    await t.ctx.jobs.drain()
    expect((await objectRows(t)).map(({ object_number }) => object_number)).toEqual([0, 1])
    expect((await filesOnDisk(t)).length).toBe(2)
  })

  test('an upload that takes days loses nothing, in a draft and in a bundle that is published', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    const draft = await draftBundle(key)
    const bundle = await publishedBundle(key)
    for (let n = 1; n <= 4; n += 1) {
      await putObject(key, draft, { n })
      await putObject(key, bundle, { n })
      t.clock.advance({ hours: 20 })
      await t.ctx.jobs.drain()
    }
    const ofDraft = await publishBundle(key, draft, { items: objectItems(1, 2, 3, 4), expected: 0 })
    const ofBundle = await publishBundle(key, bundle, { items: objectItems(1, 2, 3), expected: 1 })
    expect([ofDraft.status, ofBundle.status]).toEqual([201, 201])
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    const left = (await objectRows(t)).filter(({ bundle_id }) => bundle_id === bundle.id)
    expect(left.map(({ object_number }) => object_number)).toEqual([0, 1, 2, 3])
  })

  test('one list shows texts, files and bundles, in pages, according to the permissions of the caller', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true, file_permission: true })
    const text = await t.keyClient({ text_permission: true })
    await key.call('POST', '/api/paste', {
      body: { content: 'a searched text', remark: 'one', slug: 'text1' },
    })
    t.clock.advance({ seconds: 1 })
    await share(key, 'two.txt', { query: { slug: 'file1', expires_in: '2', password: 'pw' } })
    t.clock.advance({ seconds: 1 })
    await publishedBundle(key, { slug: 'bundle1', max_views: 3 })
    await draftBundle(key, { slug: 'draft1' })
    t.clock.advance({ seconds: 1 })
    await t.admin.call('POST', '/api/paste', { body: { content: 'of the admin', slug: 'text2' } })
    type Listed = { slug: string; kind: string }
    const list = async (client: typeof t.admin, query: Record<string, string> = {}) => {
      const { shares, pagination } = (await client.call('GET', '/api/shares', { query })).body.data
      return [shares.map(({ slug }: Listed) => slug), pagination.total, shares] as const
    }
    expect((await list(t.admin)).slice(0, 2)).toEqual([['text2', 'bundle1', 'file1', 'text1'], 4])
    expect((await list(key)).slice(0, 2)).toEqual([['bundle1', 'file1', 'text1'], 3])
    expect((await list(text)).slice(0, 2)).toEqual([[], 0])
    expect((await list(key, { limit: '1', offset: '1' })).slice(0, 2)).toEqual([['file1'], 3])
    expect((await list(key, { kind: 'bundle' }))[0]).toEqual(['bundle1'])
    expect((await list(key, { sort: 'expires', order: 'asc' }))[0]?.[0]).toBe('file1')
    expect((await list(key, { search: 'SEARCHED' }))[0]).toEqual(['text1'])
    expect((await list(key, { search: 'trip' }))[0]).toEqual(['bundle1'])
    expect((await list(key, { protected: 'true' }))[0]).toEqual(['file1'])
    expect((await list(t.admin, { created_by: 'admin' }))[0]).toEqual(['text2'])
    expect((await list(key))[2]).toMatchObject([
      {
        kind: 'bundle',
        url: '/s/bundle1',
        title: 'Trip',
        item_count: 1,
        size: 10,
        opening: 'ask',
        max_views: 3,
      },
      { kind: 'file', url: '/file/file1', title: 'two.txt', item_count: null, size: 5, has_password: true },
      { kind: 'text', url: '/paste/text1', title: 'one', item_count: null, size: null },
    ])
    const textOnly = await t.keyClient({ mount_permission: true })
    expect((await list(textOnly))[1]).toBe(0)
    expect((await t.visitor.call('GET', '/api/shares')).status).toBe(401)
  })

  test(
    'after random edits no stored revision lacks an object, and a sweep deletes all unreferenced objects',
    async () => {
      await using t = await startApp()
      const named = await editAtRandom(t)
      expect((await objectRows(t)).filter(({ id }) => !named.has(id))).toEqual([])
      expect((await objectsOnDisk(t)).length).toBe(named.size)
    },
    FUZZ_TIMEOUT_MS,
  )
})

/** Checks that the database and the disk hold every object that a stored revision uses. */
async function requireWhole(t: TestApp): Promise<Set<string>> {
  const rows = await objectRows(t)
  const disk = new Set(await filesOnDisk(t))
  const named = new Set<string>()
  for (const { bundle_id, objects } of await t.ctx.db.selectFrom('bundle_revisions').selectAll().execute())
    for (const n of JSON.parse(objects) as number[]) {
      const row = rows.find((one) => one.bundle_id === bundle_id && one.object_number === n)
      expect(row?.committed_at_ms).toEqual(expect.any(Number))
      expect(disk.has(row?.storage_key ?? '')).toBe(true)
      named.add(row?.id ?? '')
    }
  return named
}

/** @returns the ids of the objects that are used by a stored revision after a sweep */
async function editAtRandom(t: TestApp): Promise<ReadonlySet<string>> {
  // A session of the administrator would expire during the test, so an API key is used.
  const client = await t.keyClient({ text_permission: true, file_permission: true })
  const { numRuns, seed } = fuzzing(300)
  const random = createRandom(seed)
  /** Size of a manifest. The server stores fewer than four revisions of this size. */
  const manifest_bytes = 6 * 1024 * 1024
  const below = (limit: number) => Math.floor(random.next() * limit)
  const bundles: TestBundle[] = []
  const numbers = () => Array.from({ length: 1 + below(3) }, () => below(4))
  const steps: Array<(bundle: TestBundle) => Promise<unknown>> = [
    async () => (bundles.length < 4 ? bundles.push(await draftBundle(client)) : undefined),
    (bundle) => putObject(client, bundle, { n: below(4) }),
    (bundle) => putObject(client, bundle, { n: below(4) }),
    (bundle) =>
      client.call('POST', `/api/bundles/${bundle.id}/objects`, {
        body: { objects: numbers().map((n) => ({ n, filename: 'a', size: 0 })) },
      }),
    (bundle) => client.call('POST', `/api/bundles/${bundle.id}/objects/${below(4)}/complete`),
    (bundle) => client.call('DELETE', `/api/bundles/${bundle.id}/objects/${below(4)}`),
    ...Array.from(
      { length: 3 },
      () => async (bundle: TestBundle) => publishSome(bundle, await someObjects(bundle)),
    ),
    async (bundle) => {
      const expected_revision = await currentOf(bundle)
      const r = 1 + below(Math.max(1, expected_revision))
      await client.call('POST', `/api/bundles/${bundle.id}/revisions/${r}/restore`, {
        body: { expected_revision },
      })
    },
    async (bundle) =>
      Promise.all([
        publishSome(bundle, objectItems(below(4))),
        client.call('DELETE', `/api/bundles/${bundle.id}/objects/${below(4)}`),
        t.ctx.jobs.drain(),
      ]),
    async (bundle) => {
      if (random.next() > 0.3) return
      bundles.splice(bundles.indexOf(bundle), 1)
      await client.call('POST', '/api/bundles/delete', { body: { ids: [bundle.id] } })
    },
    async () => t.clock.advance({ hours: below(30) }),
    () => t.ctx.jobs.drain(),
  ]
  const currentOf = async ({ id }: TestBundle): Promise<number> =>
    (await client.call('GET', `/api/bundles/${id}/own`)).body.data?.revision ?? 0
  /** Returns items for about half of the complete objects. */
  const someObjects = async ({ id }: TestBundle): Promise<object[]> => {
    const rows = (await objectRows(t)).filter((row) => row.bundle_id === id && row.committed_at_ms !== null)
    return objectItems(...rows.flatMap((row) => row.object_number ?? []).filter(() => random.next() < 0.5))
  }
  async function publishSome(bundle: TestBundle, items: object[]) {
    const expected = await currentOf(bundle)
    const done = await publishBundle(client, bundle, { items, page: { text: 'x' }, expected })
    await t.ctx.db.updateTable('bundle_revisions').set({ manifest_bytes }).execute()
    return done
  }
  for (let step = 0; step < numRuns; step += 1) {
    const bundle = bundles[below(bundles.length)] ?? (await draftBundle(client))
    if (!bundles.includes(bundle)) bundles.push(bundle)
    await steps[below(steps.length)]?.(bundle)
    if (step % 10 === 0) await requireWhole(t)
  }
  await t.ctx.jobs.settle()
  await requireWhole(t)
  t.clock.advance({ hours: 25 })
  await t.ctx.jobs.drain()
  return requireWhole(t)
}
