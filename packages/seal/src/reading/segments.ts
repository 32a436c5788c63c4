import { type Bytes, fromBase64url, mapSome, toBase64url } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import type { ManifestObject } from '../manifest/manifest.schema.ts'
import {
  findGeometry,
  type Geometry,
  HEADER_BYTES,
  placeOfPart,
  placeOfSegment,
} from '../objects/geometry.ts'
import { decryptSegment, derivePartKey, readPartHeader } from '../objects/part-cipher.ts'
import { parseSalts } from '../objects/salts.ts'
import { createLruCache } from './lru-cache.ts'
import { type SharedCall, shareCall } from './shared-call.ts'

export interface StoredRange {
  readonly firstByte: number
  /** Position after the last byte. */
  readonly endByte: number
  readonly signal: AbortSignal
}

export interface StoredBytes {
  readonly bytes: Bytes
  /** Size of the whole object as reported by the storage; `null` if the storage does not report it. */
  readonly objectBytes: number | null
}

/**
 * Reads bytes of a stored object. Throws if the connection fails. Returns fewer bytes only if the object ends before
 * the end of the range. Such an object counts as tampered with.
 */
export type ReadRange = (range: StoredRange) => Promise<StoredBytes>

/** Maximum number of segments per request, so that memory use does not grow with the size of a part. */
const RUN_SEGMENTS_MAX = 32
const CACHED_SEGMENTS = 64
const CACHED_KEYS = 64

/** Consecutive segments of one part. */
export interface Run {
  readonly first: number
  readonly end: number
}

interface PartKey {
  readonly key: CryptoKey
  readonly header: Bytes
}

interface SharedRun {
  readonly first: number
  readonly call: SharedCall<Bytes[]>
}

/** Returns the plain bytes of the segments of a run. */
export type LoadRun = (run: Run, signal: AbortSignal) => Promise<Bytes[]>

export interface Segments {
  readonly geometry: Geometry
  /** Fetches and decrypts a run into new memory, which the caller may change. */
  readonly fetch: LoadRun
  /**
   * Returns a run from the cache, or fetches it. Callers must not change the bytes, because other callers get the same
   * bytes.
   */
  readonly load: LoadRun
}

const numbers = ({ first, end }: Run): number[] => Array.from({ length: end - first }, (_, at) => first + at)

/** Divides segments into runs. No run extends beyond one part. */
export function* runsOf({ segmentsPerPart }: Geometry, { first, end }: Run): Generator<Run> {
  for (let at = first; at < end;) {
    const partEnd = (Math.floor(at / segmentsPerPart) + 1) * segmentsPerPart
    const until = Math.min(end, partEnd, at + RUN_SEGMENTS_MAX)
    yield { first: at, end: until }
    at = until
  }
}

/** Reads exactly a range. A failed connection and a wrong size of the object result in different errors. */
function createFetch(readRange: ReadRange, storedBytes: number) {
  return async ({ firstByte, endByte, signal }: StoredRange): Promise<Bytes> => {
    signal.throwIfAborted()
    let answer: StoredBytes
    try {
      answer = await readRange({ firstByte, endByte, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw new SealError('object.unreachable', { cause: error })
    }
    signal.throwIfAborted()
    const isOtherSize = answer.objectBytes !== null && answer.objectBytes !== storedBytes
    if (isOtherSize || answer.bytes.length !== endByte - firstByte) throw new SealError('object.size')
    return answer.bytes
  }
}

/**
 * Caches the keys of the most recently used parts. Concurrent callers that need the header of the same part share one
 * request.
 */
function createKeys({
  dek,
  salts,
  geometry,
  fetch,
}: {
  readonly dek: Bytes
  readonly salts: readonly ReadonlySet<string>[]
  readonly geometry: Geometry
  readonly fetch: (range: StoredRange) => Promise<Bytes>
}) {
  const keys = createLruCache<SharedCall<PartKey>>(CACHED_KEYS)

  /** Checks the header of a part, and derives its key. */
  async function toKey(part: number, header: Bytes): Promise<PartKey> {
    const salt = readPartHeader(header, part)
    if (!salts[part]?.has(toBase64url(salt)))
      throw new SealError('object.salt', { details: [`part ${part}`] })
    return { key: await derivePartKey({ dek, part, salt }, 'decrypt'), header }
  }

  return {
    /** Returns a key that is known or being requested. */
    findKey: (part: number): SharedCall<PartKey> | undefined => {
      const call = keys.get(part)
      return call?.isStopped ? undefined : call
    },
    requestKey: (part: number): SharedCall<PartKey> => {
      const firstByte = placeOfPart(geometry, part).storedFirst
      const call = shareCall(async (signal) => {
        try {
          return await toKey(part, await fetch({ firstByte, endByte: firstByte + HEADER_BYTES, signal }))
        } catch (error) {
          if (keys.get(part) === call) keys.delete(part)
          throw error
        }
      })
      keys.set(part, call)
      return call
    },
    addKey: async (part: number, header: Bytes): Promise<PartKey> => {
      const key = await toKey(part, header)
      keys.set(
        part,
        shareCall(async () => key),
      )
      return key
    },
  }
}

/** Loads runs with a cache of segments. Concurrent callers that need the same segment share one request. */
function createSharedLoads(fetchRun: LoadRun): LoadRun {
  const cache = createLruCache<Bytes>(CACHED_SEGMENTS)
  const running = new Map<number, SharedRun>()

  const findRunning = (segment: number): SharedRun | undefined => {
    const found = running.get(segment)
    return found?.call.isStopped ? undefined : found
  }
  const isMissing = (segment: number) => cache.get(segment) === undefined && !findRunning(segment)

  function start(run: Run): SharedRun {
    const call = shareCall(async (signal) => {
      try {
        const plain = await fetchRun(run, signal)
        for (const [at, bytes] of plain.entries()) cache.set(run.first + at, bytes)
        return plain
      } finally {
        for (const segment of numbers(run)) if (running.get(segment) === shared) running.delete(segment)
      }
    })
    const shared = { first: run.first, call }
    for (const segment of numbers(run)) running.set(segment, shared)
    return shared
  }

  return async (run, signal) => {
    const pieces: Promise<Bytes>[] = []
    const waits = new Map<SharedRun, Promise<Bytes[]>>()
    for (const segment of numbers(run)) {
      const cached = cache.get(segment)
      if (cached) {
        pieces.push(Promise.resolve(cached))
        continue
      }
      let shared = findRunning(segment)
      if (!shared) {
        let end = segment + 1
        while (end < run.end && isMissing(end)) end += 1
        shared = start({ first: segment, end })
      }
      const { first, call } = shared
      const wait = waits.get(shared) ?? call.wait(signal)
      waits.set(shared, wait)
      pieces.push(wait.then((plain) => plain[segment - first] ?? new Uint8Array()))
    }
    return Promise.all(pieces)
  }
}

/** @throws {SealError} `manifest.invalid` for an object that no valid manifest contains */
export function createSegments(object: ManifestObject, readRange: ReadRange): Segments {
  const geometry = findGeometry({ storedBytes: object.stored, segmentsPerPart: object.k })
  const dek = fromBase64url(object.dek)
  const salts = parseSalts(object.salts)
  if (geometry === null || dek === null || salts?.length !== geometry.partCount)
    throw new SealError('manifest.invalid', { details: ['objects'] })
  const fetch = createFetch(readRange, geometry.storedBytes)
  const { findKey, requestKey, addKey } = createKeys({ dek, salts, geometry, fetch })

  const fetchRun: LoadRun = async (run, signal) => {
    const places = numbers(run).map((segment) => placeOfSegment(geometry, segment))
    const { part, index, storedFirst } = places[0] ?? placeOfSegment(geometry, run.first)
    const known = findKey(part)
    // The header precedes the first segment of its part, so one request fetches both.
    const headerBytes = index === 0 && !known ? HEADER_BYTES : 0
    const firstByte = storedFirst - headerBytes
    const endByte = placeOfSegment(geometry, run.end - 1).storedEnd
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    try {
      const [bytes, found] = await Promise.all([
        fetch({ firstByte, endByte, signal: either }),
        headerBytes > 0 ? null : (known ?? requestKey(part)).wait(either),
      ])
      const { key, header } = found ?? (await addKey(part, bytes.slice(0, HEADER_BYTES)))
      return await mapSome(places, (place) =>
        decryptSegment({
          ...place,
          key,
          header,
          sealed: bytes.subarray(place.storedFirst - firstByte, place.storedEnd - firstByte),
        }),
      )
    } finally {
      // If one of the two requests fails, the other is aborted.
      stop.abort()
    }
  }
  return { geometry, fetch: fetchRun, load: createSharedLoads(fetchRun) }
}
