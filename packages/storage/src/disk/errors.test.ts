import { expect, test } from 'vitest'
import { StorageError } from '../errors.ts'
import { translate } from './errors.ts'

const errno = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['ENOSPC', 'storage.full', 'storage.full'],
  ['EDQUOT', 'storage.full', 'storage.full'],
  ['ENOENT', 'storage.not_found', 'storage.not_found'],
  ['EACCES', 'storage.denied', 'storage.denied'],
  ['EROFS', 'storage.denied', 'storage.denied'],
  ['EEXIST', 'storage.exists', 'storage.exists'],
  ['EISDIR', 'storage.not_found', 'storage.exists'],
  ['ENOTDIR', 'storage.not_found', 'storage.exists'],
  ['ENAMETOOLONG', 'storage.invalid_key', 'storage.invalid_key'],
  ['EIO', 'storage.unavailable', 'storage.unavailable'],
  ['EMFILE', 'storage.unavailable', 'storage.unavailable'],
])('%s is %s for a reader and %s for a writer', (code, forReader, forWriter) => {
  const cause = errno(code)
  expect(translate(cause, 'read', 'a')).toMatchObject({ name: 'StorageError', code: forReader, cause })
  expect(translate(cause, 'write', 'a')).toMatchObject({ name: 'StorageError', code: forWriter, cause })
})

test('a StorageError stays unchanged', () => {
  const error = new StorageError('storage.range', 'No such bytes.')
  expect(translate(error, 'read', 'a')).toBe(error)
})

test('other errors are failures of the storage', () => {
  expect(translate('nonsense', 'write', 'a')).toMatchObject({
    code: 'storage.unavailable',
    cause: 'nonsense',
  })
})
