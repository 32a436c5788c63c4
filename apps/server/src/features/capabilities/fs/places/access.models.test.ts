import { describe, expect, test } from 'vitest'
import type { VirtualPath } from '../../../../lib/paths.ts'
import type { Actor, PathActor } from '../../../foundation/identity/actor.models.ts'
import { type Intent, requireAccess } from './access.models.ts'

const path = (text: string) => text as VirtualPath

const admin: Actor = {
  kind: 'admin',
  id: 'a',
  username: 'admin',
  via: 'bearer',
  sessionHash: null,
  sessionId: null,
}
const keyAt = (basicPath: string): Actor => ({
  kind: 'key',
  id: 'k',
  name: 'key',
  basicPath: path(basicPath),
  canText: true,
  canFile: true,
  canMount: true,
  isMountReadOnly: false,
})
const readerOf = (owner: Actor, basicPath: string): PathActor => ({
  kind: 'reader',
  id: 'b',
  basicPath: path(basicPath),
  owner,
})

function verdictOf(actor: PathActor, text: string, purpose: Intent): string {
  try {
    requireAccess(actor, text, purpose)
    return 'yes'
  } catch (error) {
    return (error as { spec: { code: string } }).spec.code
  }
}

describe('the reader of a shared path', () => {
  test.each([
    ['/m/photos', 'read', 'yes'],
    ['/m/photos/a/b.jpg', 'read', 'yes'],
    ['/m/photos/', 'navigate', 'yes'],
    ['/m/photos2', 'read', 'auth.path_forbidden'],
    ['/m/known.txt', 'read', 'auth.path_forbidden'],
    ['/m', 'navigate', 'auth.path_forbidden'],
    ['/', 'navigate', 'auth.path_forbidden'],
    ['/m/photos/../known.txt', 'read', 'fs.path_invalid'],
    ['/m/photos/%2e%2e/known.txt', 'read', 'fs.path_invalid'],
    ['/m/photos/a', 'write', 'fs.read_only'],
  ] as const)('%s for %s: %s', (text, purpose, verdict) => {
    for (const owner of [admin, keyAt('/m'), keyAt('/m/photos')])
      expect(verdictOf(readerOf(owner, '/m/photos'), text, purpose)).toBe(verdict)
  })

  test('reads no more than its owner still can', () => {
    const reader = readerOf(keyAt('/m/photos/sub'), '/m/photos')
    expect(verdictOf(reader, '/m/photos/sub/a.jpg', 'read')).toBe('yes')
    expect(verdictOf(reader, '/m/photos/a.jpg', 'read')).toBe('auth.path_forbidden')
  })
})
