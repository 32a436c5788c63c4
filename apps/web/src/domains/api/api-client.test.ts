// @vitest-environment jsdom
import { pasteRoutes } from '@dropleaf/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiError } from '../../lib/api-error.ts'
import { api, interpretReply, parseRetryAfter } from './api-client.ts'
import { routeUrl } from './route-url.ts'
import { getSession, onSessionEnd, startSession } from '../session/session.ts'

const failure = (status: number, code: string, message = 'No.') =>
  JSON.stringify({ code: status, message, success: false, data: null, error: { code, requestId: 'r' } })

const respond = (status: number, body: string, headers: Record<string, string> = {}) => {
  const fetched = vi.fn<typeof fetch>(async () => new Response(body, { status, headers }))
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const readPaste = (): Promise<unknown> => api(pasteRoutes.read, { params: { slug: 'a' } })
const errorOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await call.then(
    () => new Error('The call did not fail.'),
    (reason: unknown) => reason,
  )
  return error as ApiError
}

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('an address has its parameters and query filled in and encoded', () => {
  expect(routeUrl('/api/paste/:slug', { params: { slug: 'a/b c' } })).toBe('/api/paste/a%2Fb%20c')
  expect(routeUrl('/api/x', { query: { a: 1, none: undefined, nil: null, list: ['p', 'q'] } })).toBe(
    '/api/x?a=1&list=p&list=q',
  )
})

test('a call carries credential, language and JSON', async () => {
  startSession({ kind: 'admin', token: 'secret' })
  document.documentElement.lang = 'zh-CN'
  const fetched = respond(201, JSON.stringify({ code: 201, success: true, slug: 's' }))
  const reply = await api(pasteRoutes.create, { body: { content: 'x' } })
  expect(reply.slug).toBe('s')
  const [url, request] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/api/paste')
  expect(request).toMatchObject({
    method: 'POST',
    body: '{"content":"x"}',
    headers: {
      Authorization: 'Bearer secret',
      'Accept-Language': 'zh-CN',
      'Content-Type': 'application/json',
    },
  })
})

describe('failures', () => {
  test('an error envelope, with its code, message and waiting time', async () => {
    respond(429, failure(429, 'request.rate_limited', 'Slow down.'), { 'Retry-After': '30' })
    expect(await errorOf(readPaste())).toMatchObject({
      kind: 'http',
      status: 429,
      code: 'request.rate_limited',
      message: 'Slow down.',
      retryAfterSeconds: 30,
    })
  })
  test('a body code other than 200, 201 and 202', async () => {
    respond(200, JSON.stringify({ code: 500, message: 'Inside.' }))
    expect(await errorOf(readPaste())).toMatchObject({ status: 500, message: 'Inside.' })
  })
  test('a response that is not JSON', async () => {
    respond(200, '<html>')
    expect((await errorOf(readPaste())).code).toBe('client.bad_reply')
    respond(502, 'Bad gateway')
    expect(await errorOf(readPaste())).toMatchObject({ status: 502, message: 'HTTP error 502: Bad gateway' })
  })
  test('a lost connection, a cancelled call and a timeout', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    expect(await errorOf(readPaste())).toMatchObject({ kind: 'network', code: 'client.network' })
    const cancelled = api(pasteRoutes.read, { params: { slug: 'a' }, signal: AbortSignal.abort() })
    expect((await errorOf(cancelled)).code).toBe('client.cancelled')
    vi.stubGlobal(
      'fetch',
      (_url: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')))
        }),
    )
    const slow = api(pasteRoutes.read, { params: { slug: 'a' }, timeoutMs: 5 })
    expect(await errorOf(slow)).toMatchObject({ kind: 'timeout', code: 'client.timeout' })
  })
})

describe('401', () => {
  const key = {
    kind: 'apikey',
    key: 'k',
    permissions: { text: true, file: true, mount: false, mount_read_only: false },
    info: { id: '1', name: 'n', basic_path: '/' },
  } as const
  const unauthorized = {
    status: 401,
    text: failure(401, 'auth.unauthorized', 'unauthorized'),
    retryAfter: null,
  }
  const judge = (method: string, url: string, authorization?: string, answer = unauthorized) => {
    const headers: Record<string, string> = authorization ? { Authorization: authorization } : {}
    try {
      interpretReply(answer, { method, url, headers })
      return null
    } catch (error) {
      return (error as ApiError).code
    }
  }

  test('of an admin token ends the session', () => {
    startSession({ kind: 'admin', token: 't' })
    const ended = vi.fn<(reason: string) => void>()
    const stop = onSessionEnd(ended)
    expect(judge('GET', '/api/admin/pastes?page=1', 'Bearer t')).toBe('client.session_expired')
    expect(getSession().kind).toBe('none')
    expect(ended).toHaveBeenCalledWith('admin-expired')
    stop()
  })
  test('of an API key ends the session, but not on file and upload paths that deny access', () => {
    startSession(key)
    expect(judge('POST', '/api/upload', 'ApiKey k')).toBe('client.access_denied')
    expect(judge('POST', '/api/s3/presign', 'ApiKey k')).toBe('client.access_denied')
    expect(getSession().kind).toBe('apikey')
    expect(judge('GET', '/api/user/pastes', 'ApiKey k')).toBe('client.key_invalid')
    expect(getSession().kind).toBe('none')
  })
  test('of a password check does not end the session', () => {
    startSession({ kind: 'admin', token: 't' })
    const wrong = { ...unauthorized, text: failure(401, 'paste.password_wrong') }
    expect(judge('POST', '/api/paste/a', 'Bearer t', wrong)).toBe('paste.password_wrong')
    const current = { ...unauthorized, text: failure(401, 'auth.wrong_current_password') }
    expect(judge('POST', '/api/admin/change-password', 'Bearer t', current)).toBe(
      'auth.wrong_current_password',
    )
    expect(judge('POST', '/api/public/files/a/verify', 'Bearer t')).toBe('auth.unauthorized')
    expect(getSession().kind).toBe('admin')
  })
  test('of a credential that has been replaced leaves the new session alone', () => {
    startSession({ kind: 'admin', token: 'new' })
    expect(judge('GET', '/api/admin/pastes', 'Bearer old')).toBe('client.session_expired')
    expect(getSession()).toMatchObject({ kind: 'admin', token: 'new' })
  })
  test('without a credential asks to log in', () => {
    expect(judge('GET', '/api/admin/pastes')).toBe('client.unauthorized')
  })
})

test('Retry-After is a number of seconds or a date', () => {
  expect(parseRetryAfter('12')).toBe(12)
  expect(parseRetryAfter('1.2')).toBe(2)
  expect(parseRetryAfter('Tue, 01 Jan 2030 00:00:10 GMT', Date.UTC(2030, 0, 1))).toBe(10)
  expect(parseRetryAfter('soon')).toBeNull()
  expect(parseRetryAfter(null)).toBeNull()
})
