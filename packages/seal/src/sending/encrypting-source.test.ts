import { type Clock, createLanes, type PartTag, type Transport, Upload } from '@dropleaf/uploader'
import { expect, test } from 'vitest'
import type { Bytes } from '../core/bytes.ts'
import type { Sealed } from '../core/sealed.ts'
import { SEGMENT_BYTES } from '../objects/geometry.ts'
import { createSealedSource } from '../reading/sealed-source.ts'
import { hex, plainOf, readerOf, sendAll, sha256, storageOf } from '../testing/stored.ts'
import { createEncryptingSource, resumeEncryptingSource, withAttempt } from './encrypting-source.ts'
import type { PartAttempt } from './encrypting-state.ts'

/** Three parts, of one segment each. */
const plain = plainOf(2 * SEGMENT_BYTES + 10)
const create = (bytes = plain, onAttempt?: (attempt: PartAttempt) => void | Promise<void>) =>
  createEncryptingSource({ plain: readerOf(bytes), segmentsPerPart: 1, onAttempt })
const changed = plain.map((byte, at) => (at === SEGMENT_BYTES ? byte ^ 1 : byte))
const slicePart = (source: ReturnType<typeof create>, part: number) => {
  const { partSizeBytes } = source.facts
  return source.slice(part * partSizeBytes, Math.min(source.sizeBytes, (part + 1) * partSizeBytes))
}

test('sizes are known before anything is encrypted', () => {
  const { facts, sizeBytes } = createEncryptingSource({
    plain: { sizeBytes: 10 * 2 ** 30, read: async () => plain },
  })
  expect(facts).toEqual({ storedBytes: sizeBytes, partSizeBytes: 8_389_152, partCount: 1280 })
  expect(sizeBytes).toBe(10 * 2 ** 30 + 696_320)
})

test('each part reads only its own bytes', async () => {
  const reads: string[] = []
  const source = createEncryptingSource({
    plain: {
      sizeBytes: plain.length,
      read: async ({ firstByte, endByte }) => {
        reads.push(`${firstByte}-${endByte}`)
        return plain.slice(firstByte, endByte)
      },
    },
    segmentsPerPart: 1,
  })
  expect((await slicePart(source, 2)).length).toBe(10 + 48)
  expect((await slicePart(source, 0)).length).toBe(32 + 262_160)
  expect(reads).toEqual([`${2 * SEGMENT_BYTES}-${2 * SEGMENT_BYTES + 10}`, `0-${SEGMENT_BYTES}`])
})

test('ranges that are no whole parts are refused', async () => {
  const source = create()
  const { partSizeBytes } = source.facts
  const ranges: [number, number][] = [
    [0, partSizeBytes - 1],
    [0, 1],
    [1, partSizeBytes],
    [1, partSizeBytes + 1],
    [0, 0],
    [partSizeBytes, partSizeBytes],
    [partSizeBytes, 0],
    [-partSizeBytes, 0],
    [0, source.sizeBytes + 1],
    [3 * partSizeBytes, source.sizeBytes],
  ]
  for (const [first, end] of ranges)
    await expect(source.slice(first, end)).rejects.toMatchObject({ code: 'source.misaligned' })
  expect(source.state().parts).toEqual([null, null, null])
})

test('a small object goes in one request, however many parts it has', async () => {
  const source = create()
  const { readRange } = storageOf(await source.slice(0, source.sizeBytes))
  const opened = createSealedSource(source.describe(0), readRange)
  expect(await sha256(await opened.read(0, opened.size))).toBe(await sha256(plain))
})

test('a part that is sent again is encrypted with another salt, and readers accept both', async () => {
  const source = create()
  const stored = await sendAll(source)
  const again = await slicePart(source, 1)
  expect(hex(again) === hex(stored.slice(262_192, 2 * 262_192))).toBe(false)
  expect(
    source
      .describe(0)
      .salts.split(',')
      .map(({ length }) => length),
  ).toEqual([22, 44, 22])
  for (const late of [
    stored,
    new Uint8Array(Buffer.concat([stored.slice(0, 262_192), again, stored.slice(2 * 262_192)])),
  ]) {
    const opened = createSealedSource(source.describe(0), storageOf(late).readRange)
    expect(await sha256(await opened.read(0, opened.size))).toBe(await sha256(plain))
  }
})

test('a file that has changed since the first attempt is not sent', async () => {
  let bytes = plain
  const attempts: PartAttempt[] = []
  const source = createEncryptingSource({
    plain: {
      sizeBytes: plain.length,
      read: async ({ firstByte, endByte }) => bytes.slice(firstByte, endByte),
    },
    segmentsPerPart: 1,
    onAttempt: (attempt) => void attempts.push(attempt),
  })
  await slicePart(source, 0)
  await slicePart(source, 1)
  bytes = changed
  await slicePart(source, 0)
  await expect(slicePart(source, 1)).rejects.toMatchObject({ code: 'source.changed' })
  expect(attempts.map(({ part }) => part)).toEqual([0, 1, 0])
})

test('of two attempts at the same time with other bytes, one fails', async () => {
  let reads = 0
  const source = createEncryptingSource({
    plain: {
      sizeBytes: plain.length,
      read: async ({ firstByte, endByte }) =>
        ((reads += 1) === 1 ? plain : changed).slice(firstByte, endByte),
    },
    segmentsPerPart: 1,
  })
  const results = await Promise.allSettled([slicePart(source, 1), slicePart(source, 1)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('an attempt is stored before its bytes leave', async () => {
  const steps: string[] = []
  let finish = (): void => undefined
  const source = create(plain, async ({ part }) => {
    steps.push(`stores ${part}`)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    steps.push(`stored ${part}`)
  })
  const slicing = slicePart(source, 1).then(() => steps.push('leaves'))
  while (steps.length === 0) await new Promise((resolve) => setImmediate(resolve))
  finish()
  await slicing
  expect(steps).toEqual(['stores 1', 'stored 1', 'leaves'])
  const full = create(plain, async () => Promise.reject(new Error('The disk is full.')))
  await expect(slicePart(full, 0)).rejects.toThrow('The disk is full.')
})

test('an upload resumes from its state', async () => {
  const attempts: PartAttempt[] = []
  const before = create(plain, (attempt) => void attempts.push(attempt))
  const empty = before.state()
  const first = await slicePart(before, 0)
  await slicePart(before, 1)
  const state = JSON.parse(JSON.stringify(before.state())) as unknown
  expect(attempts.reduce(withAttempt, empty)).toEqual(state)

  const after = resumeEncryptingSource({ plain: readerOf(plain), state })
  expect(after.facts).toEqual(before.facts)
  expect(() => after.describe(0)).toThrow('object.incomplete part 2')
  const rest = [await slicePart(after, 1), await slicePart(after, 2)]
  const stored = new Uint8Array(Buffer.concat([first, ...rest]))
  const opened = createSealedSource(after.describe(0), storageOf(stored).readRange)
  expect(await sha256(await opened.read(0, opened.size))).toBe(await sha256(plain))
})

test('an upload does not resume with another file', async () => {
  const before = create()
  await slicePart(before, 1)
  const state = before.state()
  expect(() => resumeEncryptingSource({ plain: readerOf(plainOf(5)), state })).toThrow('source.changed')
  const after = resumeEncryptingSource({ plain: readerOf(changed), state })
  await expect(slicePart(after, 1)).rejects.toMatchObject({ code: 'source.changed' })
})

test('a hidden size stays hidden after a resumption', async () => {
  const before = createEncryptingSource({ plain: readerOf(plain), hidesSize: true })
  const after = resumeEncryptingSource({ plain: readerOf(plain), state: before.state() })
  expect(after.sizeBytes).toBe(before.sizeBytes)
  const opened = createSealedSource(
    (await sendAll(after), after).describe(0),
    storageOf(new Uint8Array()).readRange,
  )
  expect(opened.size).toBe(plain.length)
})

test('a part is sent at most as often as a manifest can list', async () => {
  const small = readerOf(plainOf(1))
  const fresh = createEncryptingSource({ plain: small })
  await sendAll(fresh)
  const { parts, ...rest } = fresh.state()
  const salts = Array.from({ length: 255 }, () => parts[0]?.salts[0] ?? '')
  const state = { ...rest, parts: [{ salts, digest: parts[0]?.digest ?? '' }] }
  const worn = resumeEncryptingSource({ plain: small, state })
  await sendAll(worn)
  await expect(sendAll(worn)).rejects.toMatchObject({ code: 'part.too_many_attempts' })
})

test.each([
  null,
  {},
  { v: 2 },
  { dek: 'x' },
  { size: plain.length * 2 },
  { stored: 1 },
  { k: 0 },
  { parts: [] },
  { parts: [{ salts: ['x'], digest: '' }, null, null] },
  { parts: [{ salts: [], digest: '' }, null, null] },
])('the state with %j is refused', (change) => {
  const state = change && Object.keys(change).length > 0 ? { ...create().state(), ...change } : change
  expect(() => resumeEncryptingSource({ plain: readerOf(plain), state })).toThrow('state.invalid')
})

test('a reader that returns fewer bytes is an error', async () => {
  const source = createEncryptingSource({ plain: { sizeBytes: 10, read: async () => plainOf(9) } })
  await expect(source.slice(0, source.sizeBytes)).rejects.toMatchObject({ code: 'source.unreadable' })
})

test('the fingerprint of the file is that of the source', async () => {
  const source = createEncryptingSource({ plain: { ...readerOf(plain), fingerprint: async () => 'print' } })
  expect(await source.fingerprint?.()).toBe('print')
  expect(create().fingerprint).toBeUndefined()
})

/** A clock whose short delays end immediately. Timeouts of a minute or more never end. */
const clock: Clock = {
  nowMs: () => 0,
  after: (delayMs, run) => {
    if (delayMs < 60_000) queueMicrotask(run)
    return () => undefined
  },
}

test('the upload engine sends it in parts, and again where a part fails', async () => {
  const source = create()
  const { partSizeBytes, partCount } = source.facts
  const parts = new Map<number, Bytes>()
  let failures = 2
  const transport: Transport<Sealed<Bytes>, readonly PartTag[]> = {
    begin: async () => ({ id: 'x', plan: { partSizeBytes, partCount }, addresses: new Map() }),
    send: async ({ partNumber, body }) => {
      parts.set(partNumber, body)
      failures -= 1
      if (failures >= 0) throw new Error('The answer was lost.')
      return 'tag'
    },
    finish: async ({ parts }) => parts,
    discard: async () => undefined,
    judge: () => 'again',
  }
  const upload = new Upload({ transport, clock, lanes: createLanes(3), source })
  upload.start()
  while (upload.state === 'uploading') await new Promise((resolve) => setImmediate(resolve))
  expect(upload.state).toBe('completed')
  const stored = new Uint8Array(
    Buffer.concat([1, 2, 3].map((number) => parts.get(number) ?? new Uint8Array())),
  )
  const opened = createSealedSource(source.describe(0), storageOf(stored).readRange)
  expect(await sha256(await opened.read(0, opened.size))).toBe(await sha256(plain))
  expect(source.describe(0).salts.length).toBe(5 * 22 + 2)
})
