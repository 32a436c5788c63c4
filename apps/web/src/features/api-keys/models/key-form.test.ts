import { expect, test } from 'vitest'
import {
  findKeyProblems,
  hasRights,
  inputOf,
  isGuessable,
  type KeyInput,
  NEW_KEY,
  rightsOf,
} from './key-form.ts'

const NOW = Date.UTC(2026, 0, 1)
const input = (change: Partial<KeyInput>): KeyInput => ({ ...NEW_KEY, name: 'Phone', ...change })

test('errors are assigned to their field', () => {
  const names = ['', '  ', 'a'.repeat(101), 'Phone']
  expect(names.map((name) => findKeyProblems(input({ name })).name)).toEqual([
    'missing',
    'missing',
    'tooLong',
    null,
  ])
  const customKeys = ['a b', '密钥', 'a'.repeat(300), '', 'my_key-1']
  expect(customKeys.map((customKey) => findKeyProblems(input({ customKey })).customKey)).toEqual([
    'characters',
    'characters',
    'tooLong',
    null,
    null,
  ])
  expect(['', 'a', 'only-eleven', 'twelve-chars'].map(isGuessable)).toEqual([false, true, true, false])
  const basicPaths = ['photos', '/a/../b', '/', '/相册/2026']
  const pathProblems = (mount: boolean) =>
    basicPaths.map((basicPath) => findKeyProblems(input({ mount, basicPath })).basicPath)
  expect(pathProblems(true)).toEqual(['notAbsolute', 'climbs', null, null])
  expect(pathProblems(false)).toEqual([null, null, null, null])
})

test.each(['', '0', '-1', '1.5', 'ten', '3651', '99999'])('%o is not a number of days', (customDays) => {
  expect(findKeyProblems(input({ expiry: 'custom', customDays })).customDays).toBe('notDays')
  expect(findKeyProblems(input({ expiry: 'never', customDays })).customDays).toBe(null)
})

test('the expiry is sent as a time, as never, or not at all', () => {
  const end = (change: Partial<KeyInput>) => rightsOf(input(change), NOW).expires_at
  expect(end({ expiry: 'day1' })).toBe('2026-01-02T00:00:00.000Z')
  expect(end({ expiry: 'custom', customDays: '90' })).toBe('2026-04-01T00:00:00.000Z')
  expect(end({ expiry: 'never' })).toBe('never')
  expect(end({ expiry: 'keep' })).toBe(undefined)
})

test('a key without mounts has no base path and is not read-only', () => {
  const rights = rightsOf(input({ mount: false, isReadOnly: true, basicPath: '/m/photos' }), NOW)
  expect(rights).toMatchObject({ basic_path: '/', mount_read_only: false })
  expect(rightsOf(input({ mount: true, isReadOnly: true, basicPath: ' /m/photos ' }), NOW)).toMatchObject({
    basic_path: '/m/photos',
    mount_read_only: true,
  })
})

test('a new key has a permission, and a key without permissions can do nothing', () => {
  expect(hasRights(NEW_KEY)).toBe(true)
  expect(hasRights(input({ text: false, file: false, isReadOnly: true }))).toBe(false)
  expect(hasRights(input({ text: false, file: false, mount: true }))).toBe(true)
})

test('editing keeps unchanged fields', () => {
  const key = {
    id: '1',
    name: 'Phone',
    key: 'k',
    key_masked: 'k…',
    basic_path: '/m',
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-02-01T00:00:00.000Z',
    text_permission: 1,
    file_permission: 0,
    mount_permission: 1,
    mount_read_only: 0,
    last_used: null,
  } as const
  expect(rightsOf(inputOf(key), NOW)).toEqual({
    name: 'Phone',
    text_permission: true,
    file_permission: false,
    mount_permission: true,
    mount_read_only: false,
    basic_path: '/m',
  })
})
