import { expect, test } from 'vitest'
import { fieldsOfMount, findMountProblems, inputOfMount, type MountInput, newMount } from './mount-form.ts'

const input = (change: Partial<MountInput>): MountInput => ({
  ...newMount('disk'),
  name: 'Photos',
  path: '/photos',
  ...change,
})

test.each([
  ['', 'missing'],
  ['photos', 'noSlash'],
  ['/', 'root'],
  ['//', 'doubleSlash'],
  ['/photos//2026', 'doubleSlash'],
  ['/photos/', 'trailingSlash'],
  [`/${'a'.repeat(100)}`, 'tooLong'],
  ['/a b', 'characters'],
  ['/a.b', 'characters'],
  ['/a?b', 'characters'],
  ['/bin', 'reserved'],
  ['/api/files', 'reserved'],
  ['/upload', 'reserved'],
  ['/API', 'reserved'],
  [`/${'a'.repeat(99)}`, null],
  ['/照片/2026_a-b', null],
  ['/photos/bin', null],
  [' /photos ', null],
])('a mount at %j: %s', (path, problem) => {
  expect(findMountProblems(input({ path })).path).toBe(problem)
})

test('names have 1 to 50 characters, not counting surrounding spaces', () => {
  const problem = (name: string) => findMountProblems(input({ name })).name
  expect(['', '   ', 'a'.repeat(51), ` ${'a'.repeat(50)} `, '相'].map(problem)).toEqual([
    'missing',
    'missing',
    'tooLong',
    null,
    null,
  ])
})

test('cache time is a whole number of seconds up to a day', () => {
  const problem = (cacheTtl: string) => findMountProblems(input({ cacheTtl })).cacheTtl
  expect(['', '-1', '1.5', '86401', 'x', '1e3'].map(problem)).toEqual(Array(6).fill('notSeconds'))
  expect(['0', '300', ' 86400 '].map(problem)).toEqual([null, null, null])
})

test('the order is a whole number, also below 0', () => {
  const problem = (sortOrder: string) => findMountProblems(input({ sortOrder })).sortOrder
  expect(['', '1.5', 'first', '2147483648'].map(problem)).toEqual(Array(4).fill('notWhole'))
  expect(['0', '-5', '2147483647'].map(problem)).toEqual([null, null, null])
})

test('an edited mount keeps its unchanged fields', () => {
  const mount = {
    id: 'm',
    name: 'Photos',
    storage_type: 'S3',
    storage_config_id: 'disk',
    mount_path: '/photos',
    remark: null,
    is_active: 0,
    created_by: 'admin',
    sort_order: -3,
    cache_ttl: 0,
    created_at: '',
    updated_at: '',
    last_used: null,
  } as const
  expect(fieldsOfMount(inputOfMount(mount))).toEqual({
    name: 'Photos',
    storage_config_id: 'disk',
    mount_path: '/photos',
    remark: null,
    cache_ttl: 0,
    sort_order: -3,
    is_active: false,
  })
})
