import { expect, test } from 'vitest'
import { describeEachDatabase } from '../../../../testing/app.ts'
import { publishBundle, readBundle, shareBundle, ticketFor } from '../../../../testing/bundles.ts'

describeEachDatabase('cached manifests', ({ startApp }) => {
  test('are parsed once, and never belong to another or a deleted revision', async () => {
    await using t = await startApp()
    const items = [{ path: 'a.txt', source: { object: 0 } }]
    const bundle = await shareBundle(t.admin, { texts: ['a'], items, page: { text: 'first' } })
    const { slug } = bundle
    const first = await ticketFor(t, slug)
    const page = async (ticket: string) => (await readBundle(t, { slug, ticket }, 'page')).text
    expect(await page(first)).toBe('first')
    const stored = await t.ctx.db.selectFrom('bundle_revisions').select('manifest').executeTakeFirstOrThrow()
    await t.ctx.db.updateTable('bundle_revisions').set({ manifest: 'not read again' }).execute()
    expect(await page(first)).toBe('first')
    await t.ctx.db.updateTable('bundle_revisions').set(stored).execute()
    await publishBundle(t.admin, bundle, { page: { text: 'second' }, expected: 1 })
    const second = await ticketFor(t, slug)
    expect([await page(second), await page(first)]).toEqual(['second', 'first'])
    // Simulates an import that replaces a revision by a revision with the same number and other contents.
    t.clock.advance({ seconds: 1 })
    await t.ctx.db.updateTable('bundles').set({ revision: 1 }).execute()
    await publishBundle(t.admin, bundle, { page: { text: 'another' }, expected: 1 })
    expect(await page(second)).toBe('another')
    await t.ctx.db.deleteFrom('bundle_revisions').where('revision', '=', 1).execute()
    expect((await readBundle(t, { slug, ticket: first }, 'list')).body.error.code).toBe(
      'bundle.ticket_invalid',
    )
  })
})
