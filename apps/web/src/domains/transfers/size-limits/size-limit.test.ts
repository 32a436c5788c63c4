import { MIB } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { findSizeProblem, lowestLimit } from './size-limit.ts'

const TIB = 1024 ** 4
const R2_BYTES = 5 * TIB - 5 * 1024 ** 3

test('the limit in the settings applies to every storage', () => {
  const limits = { maxUploadBytes: 100 * MIB, providerType: 'Cloudflare R2' }
  expect(findSizeProblem(100 * MIB, limits)).toBeNull()
  expect(findSizeProblem(100 * MIB + 1, limits)).toEqual({ kind: 'settings', limitBytes: 100 * MIB })
})

test.each([
  ['Cloudflare R2', R2_BYTES],
  ['Backblaze B2', 10_000_000_000_000],
])('%s takes no larger object', (providerType, limitBytes) => {
  const limits = { maxUploadBytes: 10 * TIB, providerType }
  expect(findSizeProblem(limitBytes, limits)).toBeNull()
  expect(findSizeProblem(limitBytes + 1, limits)).toEqual({ kind: 'storage', limitBytes })
})

test.each(['AWS S3', 'Aliyun OSS', 'Other', 'Local disk'])(
  '%s accepts 10,000 parts of 5 GiB',
  (providerType) => {
    const all = 10_000 * 5 * 1024 ** 3
    expect(lowestLimit({ maxUploadBytes: 100 * TIB, providerType })).toEqual({
      kind: 'storage',
      limitBytes: all,
    })
  },
)

test('while the storage is unknown, only the settings count', () => {
  expect(findSizeProblem(9 * TIB, { maxUploadBytes: 10 * TIB, providerType: null })).toBeNull()
})
