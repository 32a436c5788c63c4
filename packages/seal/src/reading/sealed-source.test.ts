import { describe, expect, test } from 'vitest'
import { type Bytes, concat } from '../core/bytes.ts'
import { isTampering } from '../core/errors.ts'
import { SEALED_SEGMENT_BYTES, SEGMENT_BYTES } from '../objects/geometry.ts'
import { hex, plainOf, sha256, storageOf, store } from '../testing/stored.ts'
import { createSealedSource, sliceSource, type SealedSource } from './sealed-source.ts'
import type { ReadRange } from './segments.ts'

const PART_BYTES = 32 + 2 * SEALED_SEGMENT_BYTES
/** Five segments in three parts. */
const stored = await store({ plain: plainOf(4 * SEGMENT_BYTES + 1) })
/** 130 segments in five parts of at most 32. */
const long = await store({ plain: plainOf(130 * SEGMENT_BYTES), segmentsPerPart: 32 })

function open(object = stored) {
  const { log, readRange } = storageOf(object.bytes)
  return { log, source: createSealedSource(object.object, readRange) }
}

/** Joins the pieces of a stream, and transfers each of them, as consumers may do. */
async function joined(stream: AsyncIterable<Bytes>): Promise<Bytes> {
  const pieces: Bytes[] = []
  for await (const piece of stream) {
    pieces.push(piece.slice())
    piece.buffer.transfer()
  }
  return new Uint8Array(Buffer.concat(pieces))
}

/** A storage whose requests the test answers. */
function manualStorage(bytes: Bytes) {
  const open: { answer: () => void; fail: (error: Error) => void; signal: AbortSignal; firstByte: number }[] =
    []
  const readRange: ReadRange = ({ firstByte, endByte, signal }) =>
    new Promise((resolve, reject) => {
      open.push({
        answer: () => resolve({ bytes: bytes.slice(firstByte, endByte), objectBytes: bytes.length }),
        fail: reject,
        signal,
        firstByte,
      })
      signal.addEventListener('abort', () => reject(new Error('The request was aborted.')))
    })
  return { open, readRange }
}

/** Runs all pending work that does not wait for the test, including WebCrypto. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('round trips', () => {
  const sizes = [0, 1, 15, 16, 17].flatMap((extra) => [
    extra,
    SEGMENT_BYTES - 1 + extra,
    2 * SEGMENT_BYTES - 1 + extra,
  ])
  test.each([...new Set(sizes)])('%i bytes', async (size) => {
    const one = await store({ plain: plainOf(size) })
    const { source } = open(one)
    expect(source.size).toBe(size)
    expect(await sha256(await source.read(0, size))).toBe(await sha256(one.plain))
    expect(await sha256(await joined(source.stream()))).toBe(await sha256(one.plain))
  })

  test('with the usual parts, around the border of a part', async () => {
    for (const size of [32 * SEGMENT_BYTES, 32 * SEGMENT_BYTES + 1]) {
      const one = await store({ plain: plainOf(size), segmentsPerPart: 32 })
      expect(await sha256(await joined(open(one).source.stream()))).toBe(await sha256(one.plain))
    }
  })

  test('an object whose size is hidden', async () => {
    const one = await store({ plain: plainOf(SEGMENT_BYTES + 5), hidesSize: true })
    expect(one.object).toMatchObject({ size: SEGMENT_BYTES + 5 })
    expect(one.bytes.length).toBe(270_336 + 2 * 16 + 32)
    const { source } = open(one)
    expect(await sha256(await source.read(0, source.size))).toBe(await sha256(one.plain))
    await expect(source.read(0, source.size + 1)).rejects.toThrow(RangeError)
  })

  test('an empty object has a padding as well', async () => {
    const one = await store({ plain: plainOf(0), hidesSize: true })
    expect(one.bytes.length).toBe(512 + 48)
    expect(await open(one).source.read(0, 0)).toEqual(new Uint8Array())
  })
})

describe('seeking', () => {
  const ranges = [
    0,
    SEGMENT_BYTES - 1,
    SEGMENT_BYTES,
    2 * SEGMENT_BYTES - 1,
    2 * SEGMENT_BYTES,
    4 * SEGMENT_BYTES,
  ]
    .flatMap((offset) =>
      [1, 2, SEGMENT_BYTES, 2 * SEGMENT_BYTES + 1].map((length) => [offset, length] as const),
    )
    .filter(([offset, length]) => offset + length <= stored.plain.length)
  test.each(ranges)('from byte %i, %i bytes', async (offset, length) => {
    const { source } = open()
    const expected = hex(stored.plain.subarray(offset, offset + length))
    expect(hex(await source.read(offset, length)) === expected).toBe(true)
    expect(hex(await joined(source.stream({ offset, length }))) === expected).toBe(true)
  })

  test.each([
    [-1, 1],
    [0, -1],
    [0.5, 1],
    [stored.plain.length, 1],
    [0, stored.plain.length + 1],
    [Number.NaN, 1],
  ])('from byte %d, %d bytes is no range', async (offset, length) => {
    const { source, log } = open()
    await expect(source.read(offset, length)).rejects.toThrow(RangeError)
    await expect(source.stream({ offset, length }).next()).rejects.toThrow(RangeError)
    expect(log).toEqual([])
  })

  test('files of a pack are slices of one object, with one cache', async () => {
    const { source, log } = open()
    const [one, other] = [
      sliceSource(source, { offset: 10, size: 20 }),
      sliceSource(source, { offset: 30, size: 5 }),
    ]
    expect(hex(await one.read(0, 20))).toBe(hex(stored.plain.subarray(10, 30)))
    expect(hex(await other.read(1, 4))).toBe(hex(stored.plain.subarray(31, 35)))
    expect(hex(await joined(other.stream()))).toBe(hex(stored.plain.subarray(30, 35)))
    expect(log).toHaveLength(2)
    await expect(one.read(0, 21)).rejects.toThrow(RangeError)
    await expect(one.stream({ offset: 21 }).next()).rejects.toThrow(RangeError)
    expect(() => sliceSource(source, { offset: stored.plain.length, size: 1 })).toThrow(RangeError)
  })
})

describe('requests', () => {
  test('the header comes with the first segment of its part, and else at the same time', async () => {
    const { log, source } = open()
    await source.read(0, 1)
    expect(log).toEqual([`0-${32 + SEALED_SEGMENT_BYTES}`])
    await source.read(SEGMENT_BYTES, 1)
    expect(log.slice(1)).toEqual([`${32 + SEALED_SEGMENT_BYTES}-${PART_BYTES}`])
    const manual = manualStorage(stored.bytes)
    const reading = createSealedSource(stored.object, manual.readRange).read(3 * SEGMENT_BYTES, 1)
    await settle()
    expect(manual.open.map(({ firstByte }) => firstByte).sort()).toEqual([
      PART_BYTES,
      PART_BYTES + 32 + SEALED_SEGMENT_BYTES,
    ])
    for (const { answer } of manual.open) answer()
    expect(await reading).toEqual(stored.plain.slice(3 * SEGMENT_BYTES, 3 * SEGMENT_BYTES + 1))
  })

  test('one header is requested once, however many reads wait for it', async () => {
    const { log, source } = open(long)
    const reads = [5, 6, 7, 8, 9].map((segment) => source.read(segment * SEGMENT_BYTES, 10))
    await Promise.all(reads)
    expect(log.filter((range) => range === '0-32')).toHaveLength(1)
    expect(log).toHaveLength(6)
  })

  test('reads of one segment at the same time share a request', async () => {
    const { log, source } = open()
    const reads = await Promise.all([1, 2, 3, 4].map((offset) => source.read(offset, 4)))
    expect(reads.map(hex)).toEqual(
      [1, 2, 3, 4].map((offset) => hex(stored.plain.subarray(offset, offset + 4))),
    )
    expect(log).toHaveLength(1)
  })

  test('64 segments stay in the cache, those that were used last', async () => {
    const { log, source } = open(long)
    await source.read(0, 64 * SEGMENT_BYTES)
    const before = log.length
    await source.read(0, 64 * SEGMENT_BYTES)
    await source.read(0, 1)
    expect(log.length).toBe(before)
    await source.read(64 * SEGMENT_BYTES, 1)
    expect(log.length).toBe(before + 1)
    await source.read(0, 1)
    expect(log.length).toBe(before + 1)
    await source.read(SEGMENT_BYTES, 1)
    expect(log.length).toBe(before + 2)
  })

  test('only missing segments are fetched', async () => {
    const { log, source } = open(long)
    await source.read(2 * SEGMENT_BYTES, 1)
    log.length = 0
    await source.read(SEGMENT_BYTES, 3 * SEGMENT_BYTES)
    const at = (segment: number) => 32 + segment * SEALED_SEGMENT_BYTES
    expect(log).toEqual([`${at(1)}-${at(2)}`, `${at(3)}-${at(4)}`])
  })

  test('what a caller does with its bytes does not reach the cache', async () => {
    const { source } = open()
    for (const bytes of [await source.read(0, SEGMENT_BYTES), await joined(source.stream())]) bytes.fill(0)
    for await (const piece of source.stream()) piece.fill(0)
    expect(hex(await source.read(0, 8))).toBe(hex(stored.plain.subarray(0, 8)))
  })
})

describe('streams', () => {
  test('three parts are fetched ahead, and no more', async () => {
    const manual = manualStorage(long.bytes)
    const stream = createSealedSource(long.object, manual.readRange).stream()
    const first = stream.next()
    await settle()
    expect(manual.open).toHaveLength(3)
    manual.open[2]?.answer()
    await settle()
    expect(manual.open).toHaveLength(3)
    manual.open[0]?.answer()
    expect(hex((await first).value?.subarray(0, 8) ?? new Uint8Array())).toBe(hex(long.plain.subarray(0, 8)))
    await settle()
    expect(manual.open).toHaveLength(4)
    await stream.return(undefined)
    expect(manual.open.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true])
  })

  test('a large part is fetched in runs of 8 MiB', async () => {
    const { log, source } = open(await store({ plain: plainOf(70 * SEGMENT_BYTES), segmentsPerPart: 128 }))
    let count = 0
    for await (const { length } of source.stream()) count += length
    expect(count).toBe(70 * SEGMENT_BYTES)
    const lengths = log
      .map((range) => range.split('-').map(Number))
      .map(([first = 0, end = 0]) => end - first)
    expect(Math.max(...lengths)).toBe(32 + 32 * SEALED_SEGMENT_BYTES)
  })

  test('a stream that fails ends with the error, never with fewer bytes', async () => {
    const cut = long.bytes.slice(0, -1)
    const { readRange } = storageOf(cut, { tellsSize: false })
    let count = 0
    const reading = async () => {
      for await (const { length } of createSealedSource(long.object, readRange).stream()) count += length
    }
    await expect(reading()).rejects.toMatchObject({ code: 'object.size' })
    expect(count).toBe(128 * SEGMENT_BYTES)
  })
})

describe('errors', () => {
  const failing = (cause: Error) =>
    createSealedSource(stored.object, async () => {
      throw cause
    })

  test('a failed connection is no tampering', async () => {
    const cause = new Error('The connection was reset.')
    const error = await failing(cause)
      .read(0, 1)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'object.unreachable', cause })
    expect(isTampering(error)).toBe(false)
  })

  test.each<[string, string, (bytes: Bytes) => Bytes]>([
    ['object.header', 'a header', (bytes) => bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte))],
    ['object.salt', 'a salt', (bytes) => bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte))],
    ['object.segment', 'a segment', (bytes) => bytes.map((byte, at) => (at === 99 ? byte ^ 1 : byte))],
    ['object.size', 'the end', (bytes) => bytes.slice(0, -1)],
    ['object.size', 'the end, extended', (bytes) => concat(bytes, bytes)],
  ])('%s: changing %s is tampering', async (code, _, change) => {
    const { readRange } = storageOf(change(stored.bytes))
    const error = await createSealedSource(stored.object, readRange)
      .read(0, 1)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ code })
    expect(isTampering(error)).toBe(true)
  })

  test('a failure is not remembered', async () => {
    const { readRange } = storageOf(stored.bytes)
    let isBroken = true
    const source = createSealedSource(stored.object, async (range) => {
      if (isBroken) throw new Error('The connection was reset.')
      return readRange(range)
    })
    await expect(source.read(SEGMENT_BYTES, 1)).rejects.toMatchObject({ code: 'object.unreachable' })
    isBroken = false
    expect(hex(await source.read(SEGMENT_BYTES, 1))).toBe(
      hex(stored.plain.subarray(SEGMENT_BYTES, SEGMENT_BYTES + 1)),
    )
  })

  test('one of two requests that fails ends the other', async () => {
    const manual = manualStorage(stored.bytes)
    const reading = createSealedSource(stored.object, manual.readRange).read(SEGMENT_BYTES, 1)
    await settle()
    manual.open.find(({ firstByte }) => firstByte !== 0)?.fail(new Error('The connection was reset.'))
    await expect(reading).rejects.toMatchObject({ code: 'object.unreachable' })
    await settle()
    expect(manual.open.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test('an object that no checked manifest has cannot be opened', () => {
    const { readRange } = storageOf(stored.bytes)
    const wrong = [{ stored: 1 }, { salts: '' }, { dek: '=' }]
    for (const change of wrong)
      expect(() => createSealedSource({ ...stored.object, ...change }, readRange)).toThrow('manifest.invalid')
  })
})

describe('aborts', () => {
  const reason = new Error('The reader closed the page.')
  const start = () => {
    const manual = manualStorage(stored.bytes)
    return {
      ...manual,
      source: createSealedSource(stored.object, manual.readRange),
      stop: new AbortController(),
    }
  }
  const first = async (source: SealedSource, signal: AbortSignal) => hex(await source.read(0, 4, signal))

  test('an aborted read throws the reason, and its requests end', async () => {
    const { open, source, stop } = start()
    const reading = source.read(SEGMENT_BYTES, 4, stop.signal)
    await settle()
    stop.abort(reason)
    await expect(reading).rejects.toBe(reason)
    await settle()
    expect(open.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test('a read that is aborted before it starts asks for nothing', async () => {
    const { source, stop } = start()
    stop.abort(reason)
    await expect(source.read(0, 4, stop.signal)).rejects.toBe(reason)
    await expect(source.read(0, 0, stop.signal)).rejects.toBe(reason)
    await expect(source.stream({}, stop.signal).next()).rejects.toBe(reason)
  })

  test('another read that waits for the same bytes gets them', async () => {
    const { open, source, stop } = start()
    const aborted = first(source, stop.signal)
    const other = first(source, new AbortController().signal)
    await settle()
    stop.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    expect(open).toHaveLength(1)
    open[0]?.answer()
    expect(await other).toBe(hex(stored.plain.subarray(0, 4)))
  })

  test('a read after an aborted one asks again', async () => {
    const { open, source, stop } = start()
    const aborted = first(source, stop.signal)
    await settle()
    stop.abort(reason)
    const other = first(source, new AbortController().signal)
    await expect(aborted).rejects.toBe(reason)
    await settle()
    expect(open).toHaveLength(2)
    open[1]?.answer()
    expect(await other).toBe(hex(stored.plain.subarray(0, 4)))
  })

  test('a stream ends with the reason', async () => {
    const { source, stop } = start()
    const next = source.stream({}, stop.signal).next()
    await settle()
    stop.abort(reason)
    await expect(next).rejects.toBe(reason)
  })
})
