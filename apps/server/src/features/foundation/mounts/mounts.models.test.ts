import { expect, test } from 'vitest'
import { requireMountPath } from './mounts.models.ts'

test.each([
  '/photos',
  '/a',
  '/team/photos_2026-01',
  '/照片/旅行',
  '/é',
  '/🍃',
  '/binary',
  '/photos/etc',
  '/Ünïcode/x',
  `/${'a'.repeat(99)}`,
])('%j can be mounted at', (path) => {
  expect(requireMountPath(path)).toBe(path)
})

test.each([
  '',
  '/',
  'photos',
  '/photos/',
  '//photos',
  '/photos//2026',
  '/..',
  '/a/../b',
  '/.',
  '/a.b',
  '/a b',
  '/a%20b',
  '/a\\b',
  '/a?b',
  '/a#b',
  '/a\u0000',
  '/a\n',
  '/a\u0085',
  '/a\u00a0b',
  '/a\u202eb',
  '/a\u3000b',
  '/\ud800',
  `/${'a'.repeat(100)}`,
])('%j cannot', (path) => {
  expect(() => requireMountPath(path)).toThrow(expect.objectContaining({ message: 'mount.path_invalid' }))
})

test.each(['/bin', '/etc/x', '/api', '/admin/照片', '/upload', '/assets/a/b', '/tmp'])(
  '%j is reserved',
  (path) => {
    expect(() => requireMountPath(path)).toThrow(expect.objectContaining({ message: 'mount.path_reserved' }))
  },
)
