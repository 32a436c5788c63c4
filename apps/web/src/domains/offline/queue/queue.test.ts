// @vitest-environment jsdom
import { pasteRoutes } from '@dropleaf/contract'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../api/api-client.ts'
import { hasCode, isQueued } from '../../../lib/api-error.ts'
import { endSession, startSession } from '../../session/session.ts'
import { offlineDatabase } from '../database.ts'
import { isQueueMarked } from './queue-mark.ts'
import { forgetCredentials, listQueue, openEntry, wakeOwner } from './queue-store.ts'
import { SECRET_LOST, syncQueue } from './sync.ts'
import { syncNow } from './sync-page.ts'

const KEY_HOLDER = {
  kind: 'apikey',
  key: 'key-of-another',
  permissions: { text: true, file: false, mount: false, mount_read_only: false },
  info: { id: 'other', name: 'other', basic_path: '/' },
} as const

/** Replaces `fetch` with a server that records its requests. Tests can make the server unreachable. */
function stubServer() {
  const server = { isAway: true, status: 201, sent: [] as { url: string; headers: Headers; body: unknown }[] }
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    if (server.isAway) throw new TypeError('Failed to fetch')
    const body = typeof request.body === 'string' ? (JSON.parse(request.body) as unknown) : undefined
    server.sent.push({ url, headers: new Headers(request.headers), body })
    const ok = server.status < 300
    const reply = { code: server.status, success: ok, error: ok ? undefined : { code: 'auth.unauthorized' } }
    return new Response(JSON.stringify(reply), { status: server.status })
  })
  return server
}

const database = offlineDatabase()
const create = (body: { content: string; password?: string; slug?: string }) =>
  api(pasteRoutes.create, { body }).then(
    () => 'done',
    (error: unknown) => (isQueued(error) ? 'queued' : error),
  )
const sync = (authorization: string | null) =>
  syncQueue({ database, isFresh: true, credentialOf: (_owner, kept) => authorization ?? kept })

beforeEach(() => {
  vi.stubGlobal('navigator', {
    onLine: true,
    locks: { request: (_name: string, work: () => unknown) => work() },
  })
  localStorage.clear()
  startSession({ kind: 'admin', token: 'secret-token' })
})
afterEach(async () => {
  await database.offlineQueue.clear()
  await database.keys.clear()
  vi.unstubAllGlobals()
})

test('a share that does not reach the server is queued, and sent with the same Idempotency-Key', async () => {
  const server = stubServer()
  expect(await create({ content: 'text', password: 'open sesame' })).toBe('queued')
  const [entry] = await listQueue(database)
  expect(entry).toMatchObject({ type: 'create_paste', owner: 'admin', status: 'pending' })
  server.isAway = false
  expect(await sync('Bearer newer')).toMatchObject({ done: 1 })
  expect(server.sent[0]?.headers.get('idempotency-key')).toBe(entry?.idempotencyKey)
  expect(server.sent[0]?.headers.get('authorization')).toBe('Bearer newer')
  expect(server.sent[0]?.body).toEqual({ content: 'text', password: 'open sesame' })
  expect(await listQueue(database)).toEqual([])
})

test('neither the credential nor a password is stored as plain text', async () => {
  stubServer()
  await create({ content: 'text', password: 'open sesame' })
  const text = JSON.stringify(await database.offlineQueue.toArray(), (_key, value: unknown) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value)
      ? Buffer.from(value as ArrayBuffer).toString('latin1')
      : value,
  )
  expect(text).toContain('"content":"text"')
  expect(text).not.toMatch(/secret-token|open sesame/)
  const [row] = await database.offlineQueue.toArray()
  expect(await openEntry(database, row?.id ?? 0)).toMatchObject({
    authorization: 'Bearer secret-token',
    body: { password: 'open sesame' },
  })
})

test('a change of a queued share is queued after it, also when online again', async () => {
  const server = stubServer()
  const save = (content: string) =>
    api(pasteRoutes.adminUpdate, {
      params: { id: 'one' },
      body: { content },
      whenQueued: { isProtected: true },
    }).catch((error: unknown) => error)
  expect(isQueued(await save('first'))).toBe(true)
  server.isAway = false
  expect(isQueued(await save('second'))).toBe(true)
  expect(server.sent).toEqual([])
  expect(await listQueue(database)).toMatchObject([{ isProtected: true }, { isProtected: true }])
  await sync(null)
  expect(server.sent.map(({ body }) => body)).toEqual([{ content: 'first' }, { content: 'second' }])
})

test('reads and unsupported changes are not queued', async () => {
  stubServer()
  const read: unknown = await api(pasteRoutes.read, { params: { slug: 'one' } }).catch(
    (error: unknown) => error,
  )
  expect(hasCode(read, 'client.network')).toBe(true)
  expect(await listQueue(database)).toEqual([])
})

test('with an expired session an entry waits for the same user', async () => {
  const server = stubServer()
  await create({ content: 'text' })
  Object.assign(server, { isAway: false, status: 401 })
  await sync(null)
  expect((await listQueue(database))[0]).toMatchObject({ status: 'login' })
  await wakeOwner(database, 'apikey:other')
  expect((await listQueue(database))[0]).toMatchObject({ status: 'login' })
  server.status = 201
  await wakeOwner(database, 'admin')
  expect(await sync('Bearer newer')).toMatchObject({ done: 1 })
})

test('after a logout nothing is sent until the user logs in again', async () => {
  const server = stubServer()
  await create({ content: 'text' })
  endSession('logout')
  await forgetCredentials(database, 'admin')
  server.isAway = false
  expect(await sync(null)).toMatchObject({ done: 0 })
  expect(server.sent).toEqual([])
  expect((await listQueue(database))[0]).toMatchObject({ status: 'login' })
})

test('a page sends nothing of another user, also with a credential that is still stored', async () => {
  const server = stubServer()
  await create({ content: 'of the administrator' })
  endSession('logout')
  startSession(KEY_HOLDER)
  server.isAway = false
  await syncNow()
  expect(server.sent).toEqual([])
  expect(await database.offlineQueue.toArray()).toMatchObject([{ owner: 'admin', status: 'login' }])
})

test('entries are sent although the result of an attempt cannot be stored', async () => {
  const server = stubServer()
  await create({ content: 'first' })
  await create({ content: 'second' })
  vi.spyOn(database.offlineQueue, 'update').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
  expect(await sync('Bearer secret-token')).toMatchObject({ done: 0, failed: 1 })
  server.isAway = false
  expect(await sync('Bearer secret-token')).toMatchObject({ done: 2, failed: 0 })
  expect(await listQueue(database)).toEqual([])
  vi.restoreAllMocks()
})

test('if the browser stores nothing, a change fails as it would without a queue', async () => {
  stubServer()
  vi.spyOn(database.offlineQueue, 'add').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError'))
  vi.stubGlobal('reportError', vi.fn())
  expect(hasCode(await create({ content: 'text' }), 'client.network')).toBe(true)
})

test('actions of another user do not hide queued entries', async () => {
  const server = stubServer()
  await create({ content: 'of the administrator' })
  endSession('logout')
  startSession(KEY_HOLDER)
  server.isAway = false
  expect(await create({ content: 'of another' })).toBe('done')
  expect(isQueueMarked()).toBe(true)
  await database.offlineQueue.clear()
  expect(await create({ content: 'of another, once more' })).toBe('done')
  expect(isQueueMarked()).toBe(false)
})

test('a change belongs to the user who made it, also if another user is logged in when the connection is lost', async () => {
  const line = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => line.promise)
  const asked = create({ content: 'of the administrator' })
  endSession('logout')
  startSession(KEY_HOLDER)
  line.reject(new TypeError('Failed to fetch'))
  expect(await asked).toBe('queued')
  expect(await database.offlineQueue.toArray()).toMatchObject([{ owner: 'admin', credential: null }])
})

test('an error of a proxy that cannot reach the server counts as offline, an error of the server does not', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }))
  expect(await create({ content: 'text' })).toBe('queued')
  await database.offlineQueue.clear()
  const own = { code: 503, success: false, message: 'No.', error: { code: 'storage.unavailable' } }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(own), { status: 503 }))
  expect(hasCode(await create({ content: 'text' }), 'storage.unavailable')).toBe(true)
})

test('a text whose password cannot be decrypted any more is not sent without it', async () => {
  const server = stubServer()
  await create({ content: 'text', password: 'open sesame' })
  await database.keys.clear()
  server.isAway = false
  expect(await sync('Bearer newer')).toMatchObject({ done: 0, failed: 1 })
  expect(server.sent).toEqual([])
  expect(await listQueue(database)).toMatchObject([{ status: 'failed', failure: { code: SECRET_LOST } }])
})
