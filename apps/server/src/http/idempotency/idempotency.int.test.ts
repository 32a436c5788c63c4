import { randomUUID } from 'node:crypto'
import { pasteRoutes } from '@dropleaf/contract'
import { beforeEach, expect, test } from 'vitest'
import { adminWithoutSession } from '../../features/foundation/identity/actor.models.ts'
import { createPaste } from '../../features/capabilities/pastes/pastes.usecases.ts'
import { describeEachDatabase, type TestApp } from '../../testing/app.ts'

describeEachDatabase('requests with an Idempotency-Key', ({ startApp }) => {
  let t: TestApp
  beforeEach(async () => {
    t = await startApp()
  })

  const share = (key: string, body: object, path = '/api/paste') =>
    t.admin.call('POST', path, { body, headers: { 'idempotency-key': key } })
  const countPastes = async () => (await t.ctx.db.selectFrom('pastes').select('id').execute()).length

  test('a repetition creates nothing, and gets the same response', async () => {
    const key = randomUUID()
    const first = await share(key, { content: 'once' })
    const second = await share(key, { content: 'once' })
    expect(first.status).toBe(201)
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await countPastes()).toBe(1)
  })

  test('twenty at once make one', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => share(key, { content: 'at once' })))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true)
    expect(await countPastes()).toBe(1)
    const waiting = answers.find(({ status }) => status === 409)
    if (waiting) {
      expect(waiting.body.error.code).toBe('request.idempotency_in_progress')
      expect(waiting.headers['retry-after']).toBe('2')
    }
  })

  test('the same key for a different request is refused; the same key of another sender is independent', async () => {
    const key = randomUUID()
    await share(key, { content: 'one' })
    const other = await share(key, { content: 'another' })
    expect([other.status, other.body.error.code]).toEqual([422, 'request.idempotency_key_reused'])
    const holder = await t.keyClient({ text_permission: true })
    const theirs = await holder.call('POST', '/api/paste', {
      body: { content: 'another' },
      headers: { 'idempotency-key': key },
    })
    expect(theirs.status).toBe(201)
    expect(await countPastes()).toBe(2)
  })

  test('an error is not stored: the next attempt can succeed', async () => {
    await share(randomUUID(), { content: 'taken', slug: 'taken' })
    const key = randomUUID()
    const refused = await share(key, { content: 'mine', slug: 'taken' })
    expect(refused.status).toBe(409)
    await t.admin.call('DELETE', '/api/admin/pastes/taken')
    expect((await share(key, { content: 'mine', slug: 'taken' })).status).toBe(201)
  })

  test('a repetition of an attempt that was interrupted after its change creates nothing', async () => {
    const key = randomUUID()
    const first = await share(key, { content: 'cut off', password: 'secret-1' })
    // Simulates a process that ended between making the change and storing the response.
    await t.ctx.db.updateTable('idempotent_requests').set({ status: null, answer: null }).execute()
    const busy = await share(key, { content: 'cut off', password: 'secret-1' })
    expect(busy.body.error.code).toBe('request.idempotency_in_progress')
    t.clock.advance({ seconds: 61 })
    const again = await share(key, { content: 'cut off', password: 'secret-1' })
    expect([again.status, again.body.id, again.body.slug]).toEqual([201, first.body.id, first.body.slug])
    expect(await countPastes()).toBe(1)
  })

  test('a repetition during a running attempt gets the result of that attempt', async () => {
    const actor = adminWithoutSession({ id: 'admin', username: 'admin' })
    const input = pasteRoutes.create.body.parse({ content: 'slow', slug: 'slow', password: 'secret-1' })
    for (const slug of ['chosen', null]) {
      const id = randomUUID()
      const attempts = [1, 2, 3].map(() => createPaste(t.ctx, actor, { ...input, slug, id }))
      const made = await Promise.all(attempts)
      expect(new Set(made.map((row) => `${row.id} ${row.slug}`)).size).toBe(1)
    }
    expect(await countPastes()).toBe(2)
  })

  test('a late repetition of an update does not undo later changes', async () => {
    const { body } = await share(randomUUID(), { content: 'one' })
    const save = (key: string, content: string) =>
      t.admin.call('PUT', `/api/admin/pastes/${body.slug}`, {
        body: { content },
        headers: { 'idempotency-key': key },
      })
    const key = randomUUID()
    await save(key, 'two')
    await save(randomUUID(), 'three')
    expect((await save(key, 'two')).status).toBe(200)
    const now = await t.admin.call('GET', `/api/admin/pastes/${body.slug}`)
    expect(now.body.data.content).toBe('three')
  })

  test('a repeated deletion gets the same response', async () => {
    const { body } = await share(randomUUID(), { content: 'gone' })
    const key = randomUUID()
    const remove = () =>
      t.admin.call('DELETE', `/api/admin/pastes/${body.slug}`, { headers: { 'idempotency-key': key } })
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
  })

  test.each(['short', 'x'.repeat(129), 'with spaces in the middle'])(
    'the key "%s" is refused',
    async (key) => {
      const answer = await share(key, { content: 'x' })
      expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
        400,
        'request.invalid',
        [{ path: 'headers.idempotency-key', message: 'must have 16 to 128 letters, digits, "-" and "_"' }],
      ])
    },
  )

  test('errors about a key are in the language of the caller', async () => {
    const { body } = await t.admin.call('POST', '/api/paste', {
      body: { content: 'x' },
      headers: { 'idempotency-key': 'short', 'accept-language': 'zh-CN' },
    })
    expect(body.message).toContain('headers.idempotency-key: 应为 16 至 128 个字母、数字、“-”和“_”')
  })
})
