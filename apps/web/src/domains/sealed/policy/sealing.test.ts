// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { endSession, startSession } from '../../session/session.ts'
import { lastPolicy, readChoice, sealingOf, storeChoice } from './sealing.ts'

afterEach(() => {
  endSession('logout')
  localStorage.clear()
})

const on = { choice: true, canSeal: true }
const off = { choice: false, canSeal: true }
const none = { choice: null, canSeal: true }

test('the administrator decides whether there is a switch, and how it stands at first', () => {
  expect(sealingOf('off', on)).toMatchObject({ isShown: false, isOn: false })
  expect(sealingOf('offered', none)).toMatchObject({ isShown: true, isOn: false, reason: null })
  expect(sealingOf('default', none)).toMatchObject({ isShown: true, isOn: true, reason: null })
})

test('the last choice wins unless encryption is required', () => {
  expect(sealingOf('offered', on).isOn).toBe(true)
  expect(sealingOf('default', off).isOn).toBe(false)
  expect(sealingOf('required', off)).toMatchObject({ isOn: true, reason: 'required' })
})

test('a page that cannot encrypt says so, and shares nothing if it would have to', () => {
  const plain = { choice: true, canSeal: false }
  expect(sealingOf('offered', plain)).toMatchObject({ isOn: false, reason: 'insecure', isBlocked: false })
  expect(sealingOf('required', plain)).toMatchObject({ isOn: false, reason: 'insecure', isBlocked: true })
})

test('each user has a choice of their own', () => {
  startSession({ kind: 'admin', token: 'one' })
  expect(readChoice()).toBeNull()
  storeChoice(true)
  startSession({
    kind: 'apikey',
    key: 'k',
    permissions: { text: true, file: true, mount: false, mount_read_only: false },
    info: { id: '1', name: 'other', basic_path: '/' },
  })
  expect(readChoice()).toBeNull()
  storeChoice(false)
  expect(readChoice()).toBe(false)
  startSession({ kind: 'admin', token: 'two' })
  expect(readChoice()).toBe(true)
})

test('an unknown policy counts as none', () => {
  expect(lastPolicy()).toBe('off')
  localStorage.setItem('sealed_policy', 'default')
  expect(lastPolicy()).toBe('default')
  localStorage.setItem('sealed_policy', 'something')
  expect(lastPolicy()).toBe('off')
})
