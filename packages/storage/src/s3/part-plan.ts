import type { WriteOptions } from '../driver.ts'
import { PARTS_MAX, planParts } from '../parts.ts'

const MIB = 1024 ** 2

/** Bodies and parts of known size up to this are gathered, so that the SDK can send them again after a failure. */
export const GATHERED_MAX_BYTES = MIB
/** Bodies of known size up to this go up in one request, as they come. */
const STREAMED_MAX_BYTES = 64 * MIB
/** Parts up to this are gathered; larger ones, of objects above 156 GiB, are sent as they come, one after the other. */
const BUFFER_MAX_BYTES = 16 * MIB
/** Least that a part holds, where the storage would take less: each is a request, which costs a storage time of its own. */
export const PART_LEAST_BYTES = 6 * MIB
/** Memory of one write for the parts under way; one more is being gathered meanwhile. */
const UNDER_WAY_MAX_BYTES = 32 * MIB
const PARTS_AT_ONCE = 3

export interface PartsPlan {
  kind: 'parts'
  /** Of every part but the last: some providers demand that. */
  partSizeBytes: number
  partsAtOnce: number
  /** Whether parts are held in memory; they are sent as they come otherwise. */
  isGathered: boolean
}

/** How a body goes up. One of unknown size may have as many bytes as 10,000 parts of 16 MiB hold: 156 GiB. */
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
