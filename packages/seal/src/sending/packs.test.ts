import { MIB, SEALED_PACK_MAX_BYTES } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { hex, plainOf, readerOf, sendAll, storageOf } from '../testing/stored.ts'
import { createSealedSource, sliceSource } from '../reading/sealed-source.ts'
import { createEncryptingSource } from './encrypting-source.ts'
import { joinReaders, planPacks } from './packs.ts'
const plan = (...sizes: number[]) =>
  planPacks(sizes.map((sizeBytes) => ({ sizeBytes }))).map(({ files, sizeBytes }) => [
    sizeBytes,
    ...files.map(({ offset }) => offset),
  ])

test('small files share an object, others have one each', () => {
  expect(plan()).toEqual([])
  expect(plan(0)).toEqual([[0, 0]])
  expect(plan(1, 2, 0, 3)).toEqual([[6, 0, 1, 3, 3]])
  expect(plan(1, MIB, 2, 5 * MIB, MIB - 1)).toEqual([
    [MIB + 2, 0, 1, 3],
    [MIB, 0],
    [5 * MIB, 0],
  ])
})

test('a pack has at most 8 MiB', () => {
  const packs = planPacks(Array.from({ length: 20 }, () => ({ sizeBytes: MIB - 1 })))
  expect(packs.map(({ files }) => files.length)).toEqual([8, 8, 4])
  expect(Math.max(...packs.map(({ sizeBytes }) => sizeBytes))).toBeLessThanOrEqual(SEALED_PACK_MAX_BYTES)
})

test('the files of a pack come back from its object', async () => {
  const files = [3, 0, 300_000, 7].map((size) => plainOf(size))
  const [pack] = planPacks(files.map((bytes) => ({ bytes, sizeBytes: bytes.length })))
  const plain = joinReaders(pack?.files.map(({ file }) => readerOf(file.bytes)) ?? [])
  const source = createEncryptingSource({ plain })
  const { readRange } = storageOf(await sendAll(source))
  const opened = createSealedSource(source.describe(0), readRange)
  for (const { file, offset } of pack?.files ?? []) {
    const bytes = await sliceSource(opened, { offset, size: file.sizeBytes }).read(0, file.sizeBytes)
    expect(hex(bytes)).toBe(hex(file.bytes))
  }
})

test('a file that is shorter than it was is no zeros', async () => {
  const cut = { sizeBytes: 10, read: async () => plainOf(9) }
  await expect(joinReaders([cut]).read({ firstByte: 0, endByte: 10 })).rejects.toMatchObject({
    code: 'source.unreadable',
  })
})

test('a pack has a fingerprint if all its files have one', async () => {
  const known = { ...readerOf(plainOf(1)), fingerprint: async () => 'a' }
  expect(await joinReaders([known, known]).fingerprint?.()).toBe('["a","a"]')
  expect(await joinReaders([known, readerOf(plainOf(1))]).fingerprint?.()).toBeNull()
})
