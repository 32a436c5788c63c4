import {
  bundleRoutes,
  managedPasteRoutes,
  operationRoutes,
  pasteRoutes,
  fileRoutes,
} from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { operationOf } from './operations.ts'

const filled = (path: string) => path.replace(/:\w+/, 'a%2Fb')

test.each([
  [pasteRoutes.create, { content: 'x' }, 'create_paste', []],
  [pasteRoutes.create, { content: 'x', slug: 'mine' }, 'create_paste', ['paste:mine']],
  [pasteRoutes.adminUpdate, { content: 'x' }, 'update_paste', ['paste:a/b']],
  [pasteRoutes.userUpdate, { content: 'x' }, 'update_paste', ['paste:a/b']],
  [managedPasteRoutes.adminDelete, undefined, 'delete_paste', ['paste:a/b']],
  [managedPasteRoutes.userDelete, undefined, 'delete_paste', ['paste:a/b']],
  [managedPasteRoutes.adminBatchDelete, { ids: ['1', '2'] }, 'batch_delete_pastes', ['paste:1', 'paste:2']],
  [managedPasteRoutes.userBatchDelete, { ids: ['1'] }, 'batch_delete_pastes', ['paste:1']],
  [managedPasteRoutes.clearExpired, undefined, 'clear_expired_pastes', []],
  [managedPasteRoutes.userClearExpired, undefined, 'clear_expired_pastes', []],
  [operationRoutes.updateSettings, { max_upload_size: 5 }, 'update_settings', ['settings']],
  [operationRoutes.adminClearCache, {}, 'clear_cache', []],
  [operationRoutes.userClearCache, {}, 'clear_cache', []],
  [bundleRoutes.create, { id: 'x', manifest: 'AAAA' }, 'create_sealed_text', []],
  [fileRoutes.publicVerify, { password: 'x' }, 'verify_file_password', ['file:a/b']],
] as const)('%o waits for the line', ({ method, path }, body, type, subjects) => {
  expect(operationOf(method, filled(path), body)).toEqual({ type, subjects })
})

test.each([
  ['GET', '/api/paste/abc'],
  ['POST', '/api/paste/abc'],
  ['POST', '/api/admin/login'],
  ['POST', '/api/fs/mkdir'],
  ['POST', '/api/admin/pastes/delete-matching'],
  ['DELETE', '/api/admin/api-keys/1'],
  ['PUT', '/api/admin/pastes/a/b'],
  // The draft of a bundle that waits for files.
  ['POST', '/api/bundles'],
])('%s %s does not', (method, path) => {
  expect(operationOf(method, path, {})).toBeNull()
})
