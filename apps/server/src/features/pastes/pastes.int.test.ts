import { expect, test } from 'vitest'
import { describeEachDatabase } from '../../testing/app.ts'

describeEachDatabase('pastes', ({ startApp }) => {
  test('a share of five views gives two hundred readers at once exactly five contents, then 410', async () => {
    await using t = await startApp()
    await t.admin.call('POST', '/api/paste', { body: { content: 'hi', slug: 'five', maxViews: 5 } })
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => t.visitor.call('GET', '/api/paste/five')),
    )
    expect(answers.filter((a) => a.status === 200 && a.body.content === 'hi')).toHaveLength(5)
    expect(answers.filter((a) => a.status === 410)).toHaveLength(195)
  })

  test('an expired share answers 410 for a day, swept or not, then 404', async () => {
    await using t = await startApp({ now: '2030-01-01T00:00:00Z' })
    await t.admin.call('POST', '/api/paste', {
      body: { content: 'hi', slug: 'gone', expiresAt: '2030-01-01T01:00:00Z' },
    })
    t.clock.advance({ hours: 1 })
    expect((await t.visitor.call('GET', '/api/paste/gone')).body.error.code).toBe('paste.expired')
    await t.ctx.jobs.drain()
    const row = await t.ctx.db
      .selectFrom('pastes')
      .selectAll()
      .where('slug', '=', 'gone')
      .executeTakeFirstOrThrow()
    expect(row.content).toBe('')
    expect((await t.visitor.call('GET', '/api/paste/gone')).status).toBe(410)
    t.clock.advance({ hours: 25 })
    await t.ctx.jobs.drain()
    expect((await t.visitor.call('GET', '/api/paste/gone')).status).toBe(404)
  })
})
