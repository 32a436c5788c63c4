import { API_KEY_NAME_MAX_LENGTH } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { configOf, mountOf, unfitOf } from './cloudpaste.models.ts'
import { freeKeyName, mendConfig, mendMount } from './mending.models.ts'

const NOW_MS = Date.UTC(2026, 0, 2)
const CONFIG = { id: 'c', name: 'R2', endpoint_url: 'https://s3.example.org', bucket_name: 'files' }
const MOUNT = { id: 'm', name: 'x', mount_path: '/x', is_active: 1, created_by: 'admin:a' }

test.each([
  ['', '', 0],
  ['photos', 'photos', 0],
  ['photos/', 'photos', 0],
  ['/photos', 'photos', 1],
  ['up//x', 'up/x', 1],
  ['/a//b/', 'a/b', 1],
  ['a/../b', '', 1],
  ['a\\b', '', 1],
  ['a\nb', '', 1],
])('a storage with the folder %j comes with %j', (given, folder, changes) => {
  const mended = mendConfig(configOf({ ...CONFIG, default_folder: given }, NOW_MS))
  expect([mended.row.default_folder.replace(/\/$/, ''), mended.changes.length]).toEqual([folder, changes])
  expect(unfitOf('storage_config', mended.row, 'R2')).toBeNull()
})

test('an invalid public address of a storage is not imported', () => {
  const { row, changes } = mendConfig(configOf({ ...CONFIG, custom_host: 'cdn.example.com' }, NOW_MS))
  expect([row.custom_host, changes]).toEqual([null, [expect.stringContaining('"cdn.example.com"')]])
  const right = mendConfig(configOf({ ...CONFIG, custom_host: 'https://cdn.example.com' }, NOW_MS))
  expect([right.row.custom_host, right.changes]).toEqual(['https://cdn.example.com', []])
})

test('a mount that CloudPaste did not serve is imported as inactive', () => {
  const mended = (more: object) => {
    const { row, changes } = mendMount(mountOf({ ...MOUNT, ...more }, NOW_MS))
    return [row.storage_type, row.is_active, changes]
  }
  expect(mended({ storage_type: 'S3', storage_config_id: 'c' })).toEqual(['S3', 1, []])
  expect(mended({ storage_type: 'WebDAV', storage_config_id: 'c' })).toEqual([
    'S3',
    0,
    [expect.stringMatching(/^storage_type: .*"WebDAV"/)],
  ])
  expect(mended({ storage_type: 'S3' })).toEqual(['S3', 0, [expect.stringMatching(/^storage_config_id: /)]])
})

test('a taken name gets a suffix, also if it is long', () => {
  const taken = new Set(['phone', 'phone (CloudPaste)', 'x'.repeat(80)])
  expect(freeKeyName('tablet', taken)).toBe('tablet')
  expect(freeKeyName('phone', taken)).toBe('phone (CloudPaste 2)')
  expect(freeKeyName('x'.repeat(80), taken)).toBe(`${'x'.repeat(API_KEY_NAME_MAX_LENGTH - 13)} (CloudPaste)`)
})
