// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Session } from './stored-session.ts'
import {
  askForLogin,
  beginWork,
  endSession,
  getLoginAgain,
  getSession,
  goOnAsVisitor,
  isOwner,
  isSessionStale,
  onSessionEnd,
  onSessionGone,
  renewSession,
  startSession,
  subscribeSession,
  takeSessionEnd,
} from './session.ts'
import { can } from './stored-session.ts'

const key = {
  kind: 'apikey',
  key: 'k',
  permissions: { text: true, file: false, mount: true, mount_read_only: true },
  info: { id: 'id1', name: 'Desk', basic_path: '/a' },
} as const

beforeEach(() => {
  endSession('logout')
  localStorage.clear()
})

test('a key is stored under the names that older clients use', () => {
  startSession(key)
  expect(localStorage.getItem('api_key')).toBe('k')
  expect(JSON.parse(localStorage.getItem('api_key_permissions') ?? '')).toEqual(key.permissions)
  expect(JSON.parse(localStorage.getItem('api_key_info') ?? '')).toEqual(key.info)
  startSession({ kind: 'admin', token: 't' })
  expect(localStorage.getItem('admin_token')).toBe('t')
  expect(localStorage.getItem('api_key')).toBeNull()
})

test('logging out clears everything and reports the reason once', () => {
  const ended = vi.fn<(reason: string) => void>()
  const stop = onSessionEnd(ended)
  startSession(key)
  endSession('key-invalid')
  endSession('key-invalid')
  expect(ended.mock.calls).toEqual([['key-invalid']])
  // All credentials are removed; only the owner is still stored.
  expect(Object.keys(localStorage).toSorted()).toEqual(['away_owner', 'gone_owner'])
  startSession(key)
  endSession('logout')
  expect(localStorage).toHaveLength(0)
  stop()
})

describe('other tabs', () => {
  const tell = (name: string | null) => window.dispatchEvent(new StorageEvent('storage', { key: name }))
  test('log this one in and out', () => {
    const changed = vi.fn<() => void>()
    const stop = subscribeSession(changed)
    localStorage.setItem('admin_token', 'other')
    tell('admin_token')
    expect(getSession()).toEqual({ kind: 'admin', token: 'other' })
    localStorage.clear()
    tell(null)
    expect(getSession().kind).toBe('none')
    tell('themeMode')
    expect(changed).toHaveBeenCalledTimes(2)
    stop()
  })
  test('log out this tab too: shown data is removed', () => {
    startSession(key)
    const gone = vi.fn<(gone: { isLeft: boolean }) => void>()
    const stop = onSessionGone(gone)
    localStorage.clear()
    tell(null)
    expect(gone).toHaveBeenCalledExactlyOnceWith({ isLeft: true })
    stop()
  })
  test('can store invalid values without harm', () => {
    localStorage.setItem('api_key', 'k')
    localStorage.setItem('api_key_permissions', '{broken')
    tell('api_key')
    expect(getSession()).toMatchObject({
      kind: 'apikey',
      permissions: { text: false },
      info: { basic_path: '/' },
    })
  })
})

test('a check is due again after five minutes', () => {
  expect(isSessionStale()).toBe(false)
  startSession(key)
  expect(isSessionStale(Date.now() + 4 * 60_000)).toBe(false)
  expect(isSessionStale(Date.now() + 6 * 60_000)).toBe(true)
})

test('new information about a key is published only if it has changed', () => {
  startSession(key)
  const changed = vi.fn<() => void>()
  const stop = subscribeSession(changed)
  renewSession(structuredClone(key))
  expect(changed).not.toHaveBeenCalled()
  renewSession({ ...key, permissions: { ...key.permissions, mount: false } })
  expect(changed).toHaveBeenCalledOnce()
  expect(can(getSession(), 'mount')).toBe(false)
  stop()
})

test('the administrator has all permissions, a key only its own', () => {
  const admin: Session = { kind: 'admin', token: 't' }
  expect(can(admin, 'mount')).toBe(true)
  expect([can(key, 'text'), can(key, 'file'), can({ kind: 'none' }, 'text')]).toEqual([true, false, false])
  expect(isOwner(admin, 'apikey:other')).toBe(true)
  expect([isOwner(key, 'apikey:id1'), isOwner(key, 'apikey:id2'), isOwner(key, null)]).toEqual([
    true,
    false,
    false,
  ])
})

describe('during work in progress', () => {
  const work = (isUnderWay: boolean, stays: boolean) => beginWork({ isUnderWay: () => isUnderWay, stays })
  const gone = vi.fn<() => void>()
  onSessionGone(gone)
  beforeEach(() => {
    startSession(key)
    gone.mockClear()
  })
  afterEach(() => {
    goOnAsVisitor()
  })

  test('an expired session asks for a new login, and sends no credential', () => {
    const stop = work(true, true)
    endSession('key-invalid')
    expect(getLoginAgain()).toEqual({ session: key, reason: 'key-invalid', isLosing: false })
    expect(getSession().kind).toBe('none')
    expect(takeSessionEnd()).toBeNull()
    expect(gone).not.toHaveBeenCalled()
    startSession({ ...key, key: 'another of the same' })
    expect(getLoginAgain()).toBeNull()
    expect(gone).not.toHaveBeenCalled()
    stop()
  })

  test('another user who logs in sees nothing of the work', () => {
    const stop = work(true, false)
    endSession('key-invalid')
    expect(getLoginAgain()?.isLosing).toBe(true)
    startSession({ kind: 'admin', token: 't' })
    expect(gone).toHaveBeenCalledOnce()
    stop()
  })

  test('the session ends when the login is cancelled', () => {
    const stop = work(true, true)
    endSession('key-invalid')
    goOnAsVisitor()
    expect(getLoginAgain()).toBeNull()
    expect(gone).toHaveBeenCalledOnce()
    askForLogin()
    expect(getLoginAgain()).toEqual({ session: null, reason: null, isLosing: false })
    stop()
  })

  test('an end in another tab has the same effect; a logout here does not', () => {
    const stop = work(true, true)
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    expect(getLoginAgain()).toMatchObject({ session: key, reason: null })
    startSession(key)
    endSession('logout')
    expect(getLoginAgain()).toBeNull()
    expect(gone).toHaveBeenCalledOnce()
    stop()
  })

  test('without work in progress no login is requested', () => {
    const stop = work(false, true)
    endSession('key-invalid')
    expect(getLoginAgain()).toBeNull()
    expect(takeSessionEnd()).toBe('key-invalid')
    stop()
  })
})
