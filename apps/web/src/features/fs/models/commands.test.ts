import { expect, test } from 'vitest'
import { commandsFor, groupsOf } from './commands.ts'
import type { Entry } from './entries.ts'

const file: Entry = {
  path: '/m/a.txt',
  name: 'a.txt',
  isFolder: false,
  isVirtual: false,
  sizeBytes: 1,
  modifiedAtMs: 0,
  etag: 'x',
}
const folder: Entry = { ...file, path: '/m/f/', name: 'f', isFolder: true }
const mount: Entry = { ...folder, path: '/m/', name: 'm', isVirtual: true }
const all = { canWrite: true, canCopy: true, canShare: true, canSealCopy: false, hasBasket: true }

test('all commands are available for one file', () => {
  expect(commandsFor([file], all)).toHaveLength(10)
})
test('several entries and folders can be shared, but have no direct link', () => {
  expect(commandsFor([file, folder], all)).toEqual(['share', 'download', 'basket', 'move', 'copy', 'delete'])
  expect(commandsFor([folder], all)).not.toContain('link')
  expect(commandsFor([folder], all)).toContain('rename')
})
test('mounts can be opened and downloaded, but not changed', () => {
  expect(commandsFor([mount], all)).toEqual(['open', 'download', 'properties'])
  expect(commandsFor([mount, file], all)).toEqual(['download'])
})
test('a read-only user is offered no commands that write', () => {
  const reader = { canWrite: false, canCopy: false, canShare: false, canSealCopy: false, hasBasket: false }
  expect(commandsFor([file], reader)).toEqual(['open', 'download', 'link', 'properties'])
  expect(commandsFor([], reader)).toEqual([])
})
test('groups without commands are left out', () => {
  expect(groupsOf(commandsFor([mount], all))).toEqual([['open', 'download'], ['properties']])
})
