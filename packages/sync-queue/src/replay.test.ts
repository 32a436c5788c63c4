import { expect, test } from 'vitest'
import type { EntryStatus, NewEntry } from './entry.ts'
import { nextOf } from './entry.ts'
import { createMemoryStore } from './memory-store.ts'
import { type Answer, judge } from './outcome.ts'
import { replay, type ReplayHost, revive } from './replay.ts'

const entry = (changes: Partial<NewEntry> = {}): NewEntry => ({
  owner: 'admin',
  type: 'update_paste',
  method: 'PUT',
  endpoint: '/api/admin/pastes/one',
  data: { content: 'text' },
  idempotencyKey: 'key',
  subjects: ['paste:one'],
  status: 'pending',
  conflict: null,
  failure: null,
  attempts: 0,
  nextAttemptAtMs: 0,
  timestamp: 1,
  ...changes,
})

const answered = (status: number, code = '', body: unknown = null): Answer => ({
  kind: 'answer',
  status,
  code,
  message: code,
  retryAfterSeconds: null,
  body,
})
const NOTHING: Answer = { kind: 'none', message: 'no line' }

function setUp(answers: Array<Answer | null>) {
  const store = createMemoryStore()
  const sent: number[] = []
  let nowMs = 0
  const host: ReplayHost = {
    store,
    nowMs: () => nowMs,
    send: async ({ id }) => {
      sent.push(id)
      const answer = answers.shift()
      return answer === undefined ? answered(200) : answer
    },
    settle: async (_entry, outcome) => outcome,
  }
  return { store, sent, host, wait: (ms: number) => (nowMs += ms) }
}

test('entries are sent in the order of their creation', async () => {
  const { store, sent, host } = setUp([])
  for (const name of ['one', 'two', 'three']) await store.add(entry({ subjects: [name] }))
  expect(await replay(host)).toEqual({ done: 3, failed: 0, nextAtMs: null })
  expect(sent).toEqual([1, 2, 3])
  expect(await store.all()).toEqual([])
})

test.each<EntryStatus>(['login', 'conflict', 'failed', 'retry'])(
  'what follows for the same text waits behind one that is at "%s", others do not',
  (status) => {
    const entries = [
      { ...entry({ status, nextAttemptAtMs: 5000 }), id: 1 },
      { ...entry(), id: 2 },
      { ...entry({ owner: 'apikey:1' }), id: 3 },
    ]
    expect(nextOf(entries, 0).entry?.id).toBe(3)
    expect(nextOf(entries.slice(0, 2), 0)).toEqual({
      entry: null,
      nextAtMs: status === 'retry' ? 5000 : null,
    })
  },
)

test('a failed connection is retried three times, after one and two seconds, then held until it returns', async () => {
  const { store, sent, host, wait } = setUp([NOTHING, NOTHING, NOTHING])
  await store.add(entry())
  expect(await replay(host)).toEqual({ done: 0, failed: 1, nextAtMs: 1000 })
  wait(999)
  expect(await replay(host)).toEqual({ done: 0, failed: 0, nextAtMs: 1000 })
  wait(1)
  expect((await replay(host)).nextAtMs).toBe(3000)
  wait(2000)
  expect((await replay(host)).nextAtMs).toBeNull()
  expect((await store.all())[0]).toMatchObject({ status: 'failed', attempts: 3, failure: { status: 0 } })
  await revive(store, await store.all())
  expect((await replay(host)).done).toBe(1)
  expect(sent).toHaveLength(4)
})

test('a retry time named by the server is respected', async () => {
  const busy: Answer = { ...answered(503), retryAfterSeconds: 20 } as Answer
  const { store, host } = setUp([busy])
  await store.add(entry())
  expect((await replay(host)).nextAtMs).toBe(20_000)
})

test('if a server does not answer, its other entries are not tried, those of other servers are', async () => {
  const { store, sent, host, wait } = setUp([NOTHING, answered(201), NOTHING, NOTHING])
  for (const server of ['a', 'a', 'b', 'a']) await store.add(entry({ server, subjects: [] }))
  expect(await replay(host)).toEqual({ done: 1, failed: 1, nextAtMs: 1000 })
  expect(sent).toEqual([1, 3])
  for (const ms of [1000, 2000, 60_000]) {
    wait(ms)
    await replay(host)
  }
  expect(sent).toEqual([1, 3, 1, 1])
  await revive(store, await store.all())
  expect(await replay(host)).toEqual({ done: 3, failed: 0, nextAtMs: null })
})

test('a text that expires before it is sent waits for a choice', async () => {
  const { store, sent, host, wait } = setUp([])
  const expiresAt = new Date(5000).toISOString()
  await store.add(entry({ type: 'create_paste', data: { content: 'text', expiresAt } }))
  await store.add(entry({ data: { content: 'was over when it was asked for', expiresAt }, timestamp: 5000 }))
  wait(5000)
  expect(await replay(host)).toMatchObject({ failed: 1 })
  expect(sent).toEqual([])
  expect((await store.all())[0]).toMatchObject({ status: 'conflict', conflict: 'overdue' })
})

test('without a credential an entry waits for its owner, and a returning connection does not send it', async () => {
  const { store, host } = setUp([null])
  await store.add(entry())
  await replay(host)
  await revive(store, await store.all())
  expect((await store.all())[0]).toMatchObject({ status: 'login', attempts: 0 })
})

test('a later change of the same text builds on the result of the earlier one', async () => {
  const made = { data: { id: 'id-1', slug: 'new', updated_at: '2026-01-02T00:00:00.000Z' } }
  const { store, host } = setUp([answered(200, '', made), NOTHING])
  const from = '2026-01-01T00:00:00.000Z'
  await store.add(entry({ data: { content: 'first', newSlug: 'new', expectedUpdatedAt: from } }))
  await store.add(entry({ data: { content: 'second', expectedUpdatedAt: from }, continues: 1 }))
  await store.add(entry({ type: 'delete_paste', method: 'DELETE', data: undefined }))
  await replay(host)
  const [second, third] = await store.all()
  expect(second?.endpoint).toBe('/api/admin/pastes/id-1')
  expect(second?.data).toEqual({ content: 'second', expectedUpdatedAt: made.data.updated_at })
  expect([third?.endpoint, third?.data]).toEqual(['/api/admin/pastes/id-1', undefined])
})

test('a change by another tab of the same version does not build on it', async () => {
  const made = { data: { id: 'id-1', slug: 'one', updated_at: '2026-01-02T00:00:00.000Z' } }
  const { store, host } = setUp([answered(200, '', made), NOTHING])
  await store.add(entry({ data: { content: 'first', expectedUpdatedAt: '2026-01-01T00:00:00.000Z' } }))
  await store.add(entry({ data: { content: 'second', expectedUpdatedAt: '2026-01-01T00:00:00.000Z' } }))
  await replay(host)
  expect((await store.all())[0]?.data).toMatchObject({ expectedUpdatedAt: '2026-01-01T00:00:00.000Z' })
})

test.each([
  ['update_paste', 409, 'paste.changed', { kind: 'conflict', conflict: 'changed' }],
  ['create_paste', 409, 'paste.slug_taken', { kind: 'conflict', conflict: 'slug_taken' }],
  ['update_paste', 404, 'paste.not_found', { kind: 'conflict', conflict: 'gone' }],
  ['update_paste', 410, 'paste.expired', { kind: 'conflict', conflict: 'gone' }],
  ['delete_paste', 404, 'paste.not_found', { kind: 'done' }],
  ['create_paste', 401, 'auth.unauthorized', { kind: 'login' }],
  ['verify_file_password', 401, 'file.password_wrong', { kind: 'failed' }],
  ['create_paste', 403, 'auth.forbidden', { kind: 'failed' }],
  ['create_paste', 400, 'request.invalid', { kind: 'failed' }],
  ['create_paste', 409, 'request.idempotency_in_progress', { kind: 'later', afterMs: null, isLine: false }],
  ['create_paste', 502, '', { kind: 'later', afterMs: null, isLine: false }],
] as const)('%s answered %i %s', (type, status, code, outcome) => {
  expect(judge({ type }, answered(status, code))).toEqual(outcome)
})
