// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { endSession, startSession } from './session.ts'
import { draftOwner, holdForOwner, inheritedOwners, ownersHere } from './session-owner.ts'

const admin = { kind: 'admin', token: 't' } as const
const key = {
  kind: 'apikey',
  key: 'k',
  permissions: { text: true, file: true, mount: true, mount_read_only: false },
  info: { id: 'id1', name: 'Desk', basic_path: '/' },
} as const

const told: string[] = []
holdForOwner({
  onAway: () => told.push('away'),
  onBack: () => told.push('back'),
  onGone: ({ isLogout }) => told.push(isLogout ? 'logged out' : 'another'),
})
const toldSince = (work: () => void) => {
  told.length = 0
  work()
  return [...told]
}

test('after an expired session pending work waits for its owner', () => {
  startSession(admin)
  expect(toldSince(() => endSession('admin-expired'))).toEqual(['away'])
  expect(toldSince(() => startSession(admin))).toEqual(['back'])
  endSession('admin-expired')
  expect(toldSince(() => startSession(key))).toEqual(['another', 'back'])
})

test('nothing is kept after a logout, and the next user starts without data', () => {
  startSession(admin)
  expect(toldSince(() => endSession('logout'))).toEqual(['away', 'logged out'])
  expect(toldSince(() => startSession(key))).toEqual(['back'])
})

test('another tab that logs out makes this one wait', () => {
  const follow = () => window.dispatchEvent(new StorageEvent('storage', { key: null }))
  startSession(admin)
  localStorage.clear()
  expect(toldSince(follow)).toEqual(['away'])
  localStorage.setItem('admin_token', 'new')
  expect(toldSince(follow)).toEqual(['back'])
})

test('a repeated check of the session changes nothing', () => {
  startSession(key)
  expect(toldSince(() => startSession(key))).toEqual([])
})

test('drafts are shown to their owner, also after the session has expired, and to nobody after a logout', () => {
  startSession(admin)
  expect(draftOwner()).toBe('admin')
  endSession('admin-expired')
  expect(draftOwner()).toBe('admin')
  startSession(key)
  expect(draftOwner()).toBe('apikey:id1')
  endSession('logout')
  expect(draftOwner()).toBe('none')
})

test('a text typed with a deleted key belongs to the next user, until that user logs out', () => {
  startSession(key)
  endSession('key-invalid')
  expect(draftOwner()).toBe('apikey:id1')
  startSession(admin)
  expect(inheritedOwners()).toEqual(['none', 'apikey:', 'apikey:id1'])
  endSession('logout')
  expect(inheritedOwners()).toEqual(['apikey:'])
  expect([...ownersHere()]).toEqual(['none', 'apikey:'])
})
