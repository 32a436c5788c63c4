import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import {
  draftBundle,
  publishBundle,
  publishedBundle,
  readBundle,
  type TestBundle,
} from '../../../../testing/bundles.ts'

const DEVICE = 'd'.repeat(43)

const open = (t: TestApp, { slug }: TestBundle, body: object = {}) =>
  t.visitor.call('POST', `/api/bundles/${slug}/open`, { body: { device: DEVICE, ...body } })

const again = (t: TestApp, { slug }: TestBundle, ticket: string) =>
  t.visitor.call('GET', `/api/bundles/${slug}/opened`, { query: { ticket } })

const viewsOf = async (t: TestApp, { id }: TestBundle): Promise<number> =>
  (await t.admin.call('GET', `/api/bundles/${id}/own`)).body.data.views

describeEachDatabase('opened bundles', ({ startApp }) => {
  test('a ticket reads its revision again without a view, also after a newer one', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { remark: 'note' })
    const { data } = (await open(t, bundle)).body
    await publishBundle(t.admin, bundle, { title: 'Later', page: { text: 'later' }, expected: 1 })
    const read = await again(t, bundle, data.ticket)
    expect(read.headers['cache-control']).toBe('private, no-store')
    expect(read.body.data).toEqual({ ...data, current_revision: 2 })
    expect(data).toMatchObject({
      title: 'Trip',
      revision: 1,
      current_revision: 1,
      manifest: { title: 'Trip' },
    })
    expect(await viewsOf(t, bundle)).toBe(1)
  })

  test('an invalid ticket, a ticket of another bundle and an expired ticket are refused', async () => {
    await using t = await startApp()
    const [bundle, other] = [await publishedBundle(t.admin), await publishedBundle(t.admin)]
    const { ticket } = (await open(t, bundle)).body.data
    for (const wrong of [`${ticket}x`, '1.9999999999.x', 'x'])
      expect((await again(t, bundle, wrong)).body.error.code).toBe('bundle.ticket_invalid')
    expect((await again(t, other, ticket)).body.error.code).toBe('bundle.ticket_invalid')
    t.clock.advance({ hours: 6 })
    expect((await again(t, bundle, ticket)).status).toBe(403)
  })

  test('a bundle that requires confirmation does not open without it, with any combination of password and PIN', async () => {
    await using t = await startApp()
    const bundle = await publishedBundle(t.admin, { max_views: 2, password: 'pw' })
    for (const body of [{}, { password: 'pw' }, { intent: null }]) {
      const answer = await open(t, bundle, body)
      expect([answer.status, answer.body.error.code]).toEqual([428, 'share.ask_first'])
    }
    const asked = await t.visitor.call('POST', `/api/opening/bundle/${bundle.slug}/intent`)
    t.clock.advance({ seconds: 1 })
    const { intent } = asked.body.data
    expect((await open(t, bundle, { intent, password: 'pw' })).status).toBe(200)
    // The same device can open the share again without an intent.
    expect((await open(t, bundle)).status).toBe(200)
    expect(await viewsOf(t, bundle)).toBe(1)
    await t.ctx.jobs.settle()
    const { data } = (await t.admin.call('GET', `/api/bundles/${bundle.id}/own`)).body
    expect(data.opening_note).toMatchObject({ previews: 3 })
  })

  test('the owner reads the files without using a view, and is notified of a newer revision', async () => {
    await using t = await startApp()
    const { id, slug } = await publishedBundle(t.admin, { max_views: 2, opening: 'direct' })
    const own = async () => (await t.admin.call('GET', `/api/bundles/${id}/own`)).body.data
    const { ticket } = await own()
    expect((await readBundle(t, { slug, ticket }, 'file', { path: 'files/0.txt' })).text).toBe('bytes of 0')
    expect((await own()).views).toBe(0)
    expect((await publishBundle(t.admin, { id }, { page: { text: 'new' }, expected: 1 })).status).toBe(201)
    const { data } = (await readBundle(t, { slug, ticket }, 'opened')).body
    expect(data).toMatchObject({ revision: 1, current_revision: 2, manifest: { title: 'Trip' } })
    const draft = await draftBundle(t.admin)
    expect((await t.admin.call('GET', `/api/bundles/${draft.id}/own`)).body.data.ticket).toBeNull()
  })
})
