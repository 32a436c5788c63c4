import type { Bytes } from '../core/bytes.ts'
import type { ManifestObject } from '../manifest/manifest.schema.ts'
import { SEGMENT_BYTES } from '../objects/geometry.ts'
import { ahead } from './ahead.ts'
import { createSegments, type LoadRun, type ReadRange, runsOf, type Segments } from './segments.ts'

/**
 * Number of requests that run at the same time for one read. Each request is for 32 segments or fewer, 8 MiB of plain
 * bytes.
 */
const RUNS_AHEAD = 3

export interface StreamRange {
  /** First byte of the range; 0 by default. */
  readonly offset?: number
  /** Length of the range in bytes. By default, the range ends at the end of the file. */
  readonly length?: number
}

/**
 * Random access to the plain bytes of a file in a sealed bundle. Every byte that it returns is verified. Errors are
 * `SealError`s: `object.unreachable` means that the connection failed; for the other codes, see `isTampering`. An
 * aborted call throws the reason of its signal.
 */
export interface SealedSource {
  /** Size of the file in bytes. */
  readonly size: number
  /**
   * Returns exactly `length` bytes from `offset`. Reads use a cache of 64 segments for each object.
   * @throws {RangeError} for a range outside of the file
   */
  read(offset: number, length: number, signal?: AbortSignal): Promise<Bytes>
  /**
   * Yields the bytes of a range in order, at most 256 KiB at a time. The consumer may transfer them. Up to three
   * requests fetch bytes ahead. The generator ends without an error only after the last byte.
   * @throws {RangeError} for a range outside of the file
   */
  stream(range?: StreamRange, signal?: AbortSignal): AsyncGenerator<Bytes>
}

const never = () => new AbortController().signal

function checkRange(size: number, offset: number, length: number): void {
  const isRange = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0
  if (!isRange || offset + length > size)
    throw new RangeError(`There are no ${length} bytes from ${offset} in ${size}.`)
}

/** Yields the bytes of a range of the object in order, one piece for each segment. */
async function* pieces({
  segments: { geometry },
  load,
  offset,
  length,
  signal,
}: {
  readonly segments: Segments
  readonly load: LoadRun
  readonly offset: number
  readonly length: number
  readonly signal: AbortSignal
}): AsyncGenerator<Bytes> {
  if (length === 0) return
  const first = Math.floor(offset / SEGMENT_BYTES)
  const end = Math.ceil((offset + length) / SEGMENT_BYTES)
  let at = first * SEGMENT_BYTES
  const runs = runsOf(geometry, { first, end })
  for await (const loaded of ahead({ items: runs, count: RUNS_AHEAD, load, signal })) {
    for (const bytes of loaded) {
      // Read before the yield, because the consumer may transfer the bytes.
      const next = at + bytes.length
      yield bytes.subarray(Math.max(0, offset - at), offset + length - at)
      at = next
    }
  }
}

/** Opens an object of a checked manifest. The padding of the object cannot be read. */
export function createSealedSource(object: ManifestObject, readRange: ReadRange): SealedSource {
  const segments = createSegments(object, readRange)
  const { size } = object
  return {
    size,
    async read(offset, length, signal = never()) {
      checkRange(size, offset, length)
      const out = new Uint8Array(length)
      let at = 0
      for await (const bytes of pieces({ segments, load: segments.load, offset, length, signal })) {
        out.set(bytes, at)
        at += bytes.length
      }
      signal.throwIfAborted()
      return out
    },
    async *stream({ offset = 0, length = size - offset } = {}, signal = never()) {
      checkRange(size, offset, length)
      yield* pieces({ segments, load: segments.fetch, offset, length, signal })
      signal.throwIfAborted()
    },
  }
}

/** Returns a source for one file of an object. All files of an object share the cache of the object. */
export function sliceSource(
  source: SealedSource,
  { offset: start, size }: { readonly offset: number; readonly size: number },
): SealedSource {
  checkRange(source.size, start, size)
  return {
    size,
    async read(offset, length, signal) {
      checkRange(size, offset, length)
      return source.read(start + offset, length, signal)
    },
    async *stream({ offset = 0, length = size - offset } = {}, signal) {
      checkRange(size, offset, length)
      yield* source.stream({ offset: start + offset, length }, signal)
    },
  }
}
