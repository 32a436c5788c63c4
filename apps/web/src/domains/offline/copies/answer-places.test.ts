import { describe, expect, test } from 'vitest'
import { findPlace } from './answer-places.ts'

const place = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'http://dropleaf.test')
  return findPlace(pathname, searchParams)
}

describe('places of answers that may be kept', () => {
  test.each([
    ['/api/paste/Ab-1', 'pastes', 'Ab-1'],
    ['/api/public/files/r%C3%A9sum%C3%A9', 'files', 'résumé'],
    ['/api/fs/list?path=/local/a%20b', 'directories', '/local/a b'],
    ['/api/fs/list', 'directories', '/'],
    ['/api/fs/list?limit=300&path=/local', 'directories', '/local?limit=300'],
    ['/api/admin/system-settings', 'settings', 'system-settings'],
    ['/api/user/pastes?offset=0&limit=20', 'answers', '/api/user/pastes?limit=20&offset=0'],
    ['/api/admin/pastes/abc', 'answers', '/api/admin/pastes/abc'],
    ['/api/admin/dashboard/stats', 'answers', '/api/admin/dashboard/stats'],
  ])('%s is kept in %s as %s', (address, table, key) => {
    expect(place(address)).toMatchObject({ table, key, mayStandIn: true })
  })

  test.each([
    '/api/admin/api-keys',
    '/api/admin/backup/export',
    '/api/s3-configs',
    '/api/s3-configs/1',
    '/api/fs/get?path=/local/a',
    '/api/fs/file-link?path=/local/a',
    '/api/raw/abc',
    '/api/file-download/abc',
    '/api/test/admin-token',
    '/api/tasks',
    '/api/fs/archive/abc',
    '/api/storage/1/a',
    '/api/pastes/1/revisions',
    '/api/paste/a/b',
    '/api/bundles/abc/opened?ticket=1',
    '/api/bundles/abc/list?ticket=1&path=pics',
    '/api/bundles/abc/file?ticket=1&path=a.png',
    '/api/opening/bundle/abc/state',
    '/api/paste/%E0%A4%A',
    '/paste/abc',
  ])('%s is not', (address) => {
    expect(place(address)).toBeNull()
  })

  test('a refresh from the storage is stored as the listing, and no copy replaces its response', () => {
    expect(place('/api/fs/list?path=/local&refresh=true')).toMatchObject({
      key: '/local',
      mayStandIn: false,
    })
  })
})
