import type { WriteOptions } from '../driver.ts'
import { PARTS_MAX, planParts } from '../parts.ts'

const MIB = 1024 ** 2

/** Bodies and parts of known size up to this limit are buffered, so that the SDK can retry them. */
export const GATHERED_MAX_BYTES = MIB
/** Bodies of known size up to this limit are streamed in one request. */
const STREAMED_MAX_BYTES = 64 * MIB
/** Parts up to this size are buffered. Larger parts, of objects above 156 GiB, are streamed one after another. */
const BUFFER_MAX_BYTES = 16 * MIB
/** Smallest part size in use, even if the storage accepts less, because each part costs a request. */
export const PART_LEAST_BYTES = 6 * MIB
/** Memory limit of one write for the parts that are being sent. One more part is buffered meanwhile. */
const UNDER_WAY_MAX_BYTES = 32 * MIB
const PARTS_AT_ONCE = 3

export interface PartsPlan {
  kind: 'parts'
  /** Size of every part except the last, because some providers require equal sizes. */
  partSizeBytes: number
  partsAtOnce: number
  /** Whether parts are buffered in memory rather than streamed. */
  isGathered: boolean
}

/** Decides how a body is uploaded. A body of unknown size can have at most 10,000 parts of 16 MiB, which is 156 GiB. */
export function planWrite({
  sizeBytes,
  maxBytes,
  inParts = false,
}: Pick<WriteOptions, 'sizeBytes' | 'maxBytes' | 'inParts'>):
  | { kind: 'stream'; sizeBytes: number }
  | PartsPlan {
  const isStream =
    !inParts && sizeBytes !== undefined && sizeBytes > GATHERED_MAX_BYTES && sizeBytes <= STREAMED_MAX_BYTES
  if (isStream) return { kind: 'stream', sizeBytes }
  const mostBytes = sizeBytes ?? Math.min(maxBytes ?? Infinity, BUFFER_MAX_BYTES * PARTS_MAX)
  const partSizeBytes = Math.max(PART_LEAST_BYTES, planParts(mostBytes).partSizeBytes)
  const fitting = Math.floor(UNDER_WAY_MAX_BYTES / partSizeBytes)
  const partsAtOnce = Math.max(1, Math.min(PARTS_AT_ONCE, fitting))
  return { kind: 'parts', partSizeBytes, partsAtOnce, isGathered: partSizeBytes <= BUFFER_MAX_BYTES }
}
