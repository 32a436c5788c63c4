import { SealError } from '../core/errors.ts'

/** Number of plain bytes in a segment. The last segment of an object can be shorter. */
export const SEGMENT_BYTES = 262_144
/** Length of the tag of AES-GCM, which follows each segment. */
export const TAG_BYTES = 16
export const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES
/** Length of the header of each part. */
export const HEADER_BYTES = 32
/**
 * Minimum number of segments in each part but the last. A part with this number of segments is a little over 8 MiB
 * long, more than the 5 MiB that S3 requires.
 */
export const PART_SEGMENTS_MIN = 32
/** Maximum number of parts of an upload in S3. */
export const PARTS_MAX = 10_000
/** Number of segments that fit in one part of an S3 multipart upload, which is at most 5 GiB. */
export const PART_SEGMENTS_MAX = Math.floor((5 * 1024 ** 3 - HEADER_BYTES) / SEALED_SEGMENT_BYTES)

/** How the bytes of an object are divided. */
export interface Geometry {
  readonly plainBytes: number
  /** Size of the object in the storage. */
  readonly storedBytes: number
  readonly segmentCount: number
  readonly segmentsPerPart: number
  readonly partCount: number
  /** Size in the storage of each part but the last. */
  readonly storedPartBytes: number
  readonly plainPartBytes: number
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0

/**
 * Computes how an object is divided into segments and parts.
 * @param segmentsPerPart defaults to {@link PART_SEGMENTS_MIN}, or to more if the object would have more than
 *   {@link PARTS_MAX} parts
 * @throws {SealError} `object.too_large`
 */
export function planObject({
  plainBytes,
  segmentsPerPart,
}: {
  readonly plainBytes: number
  readonly segmentsPerPart?: number | undefined
}): Geometry {
  if (!isCount(plainBytes)) throw new SealError('object.too_large')
  const segmentCount = Math.max(1, Math.ceil(plainBytes / SEGMENT_BYTES))
  const perPart = segmentsPerPart ?? Math.max(PART_SEGMENTS_MIN, Math.ceil(segmentCount / PARTS_MAX))
  const partCount = Math.ceil(segmentCount / perPart)
  if (!isCount(perPart) || perPart < 1 || perPart > PART_SEGMENTS_MAX || partCount > PARTS_MAX)
    throw new SealError('object.too_large')
  return {
    plainBytes,
    storedBytes: plainBytes + TAG_BYTES * segmentCount + HEADER_BYTES * partCount,
    segmentCount,
    segmentsPerPart: perPart,
    partCount,
    storedPartBytes: HEADER_BYTES + perPart * SEALED_SEGMENT_BYTES,
    plainPartBytes: perPart * SEGMENT_BYTES,
  }
}

/** Returns how a stored object of this size is divided, or `null` if no object has this size. */
export function findGeometry({
  storedBytes,
  segmentsPerPart,
}: {
  readonly storedBytes: number
  readonly segmentsPerPart: number
}): Geometry | null {
  const storedPartBytes = HEADER_BYTES + segmentsPerPart * SEALED_SEGMENT_BYTES
  const wholeParts = Math.floor(storedBytes / storedPartBytes)
  const rest = storedBytes - wholeParts * storedPartBytes
  const restSegments = rest === 0 ? 0 : Math.ceil((rest - HEADER_BYTES) / SEALED_SEGMENT_BYTES)
  const overhead =
    HEADER_BYTES * (wholeParts + (rest === 0 ? 0 : 1)) +
    TAG_BYTES * (wholeParts * segmentsPerPart + restSegments)
  const plainBytes = storedBytes - overhead
  if (!isCount(storedBytes) || !isCount(plainBytes)) return null
  try {
    const geometry = planObject({ plainBytes, segmentsPerPart })
    return geometry.storedBytes === storedBytes ? geometry : null
  } catch {
    // An object cannot have this many parts, or a part this many segments.
    return null
  }
}

export interface PartPlace {
  readonly part: number
  readonly isLast: boolean
  readonly plainFirst: number
  readonly plainEnd: number
  readonly storedFirst: number
  readonly storedEnd: number
}

export function placeOfPart(geometry: Geometry, part: number): PartPlace {
  const plainFirst = part * geometry.plainPartBytes
  const storedFirst = part * geometry.storedPartBytes
  return {
    part,
    isLast: part === geometry.partCount - 1,
    plainFirst,
    plainEnd: Math.min(geometry.plainBytes, plainFirst + geometry.plainPartBytes),
    storedFirst,
    storedEnd: Math.min(geometry.storedBytes, storedFirst + geometry.storedPartBytes),
  }
}

export interface SegmentPlace {
  readonly part: number
  /** Number of the segment within its part. */
  readonly index: number
  /** Whether the segment is the final segment of the object. */
  readonly isLast: boolean
  readonly storedFirst: number
  readonly storedEnd: number
}

/** @param segment number of the segment within the object */
export function placeOfSegment(geometry: Geometry, segment: number): SegmentPlace {
  const part = Math.floor(segment / geometry.segmentsPerPart)
  const index = segment % geometry.segmentsPerPart
  const plainLength = Math.min(SEGMENT_BYTES, geometry.plainBytes - segment * SEGMENT_BYTES)
  const storedFirst = part * geometry.storedPartBytes + HEADER_BYTES + index * SEALED_SEGMENT_BYTES
  return {
    part,
    index,
    isLast: segment === geometry.segmentCount - 1,
    storedFirst,
    storedEnd: storedFirst + plainLength + TAG_BYTES,
  }
}
