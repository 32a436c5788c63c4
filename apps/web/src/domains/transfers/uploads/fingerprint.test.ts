import { afterEach, expect, test, vi } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const MIB = 1024 * 1024

afterEach(() => {
  vi.unstubAllGlobals()
})

const changedAt = (bytes: Uint8Array<ArrayBuffer>, index: number) => new Blob([bytes.with(index, 1)])

test('the first and the last part of a file decide, whatever its size', async () => {
  for (const sizeBytes of [1, 5 * MIB, 5 * MIB + 1, 11 * MIB]) {
    const bytes = new Uint8Array(sizeBytes)
    const print = await fingerprintOf(new Blob([bytes]))
    expect(print).toMatch(/^[0-9a-f]{64}-[0-9a-f]{64}$/)
    expect(await fingerprintOf(new Blob([bytes]))).toBe(print)
    expect(await fingerprintOf(changedAt(bytes, 0))).not.toBe(print)
    expect(await fingerprintOf(changedAt(bytes, sizeBytes - 1))).not.toBe(print)
  }
})

test('no more than ten MiB of a large file are read', async () => {
  const read: number[] = []
  const large = {
    size: 2 ** 40,
    slice: (start: number, end = 2 ** 40) => {
      read.push(end - start)
      return new Blob()
    },
  }
  await fingerprintOf(large as Blob)
  expect(read).toEqual([5 * MIB, 5 * MIB])
})

test('without Web Crypto there is no fingerprint', async () => {
  vi.stubGlobal('crypto', {})
  expect(await fingerprintOf(new Blob(['a']))).toBeNull()
})
