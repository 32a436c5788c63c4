import { StorageError } from './errors.ts'

const MIB = 1024 ** 2

/** Source of the limits below: AWS S3 "Amazon S3 multipart upload limits", userguide/qfacts.html, read 2026-11-20. */

/** Minimum size of a part in S3, except for the last part. */
export const PART_MIN_BYTES = 5 * MIB
/** Maximum size of a part in S3. */
export const PART_MAX_BYTES = 5 * 1024 * MIB
/** Maximum number of parts in one upload. Part numbers run from 1 to this number. */
export const PARTS_MAX = 10_000

export interface PartPlan {
  /** Size of every part except the last, a whole number of MiB. */
  partSizeBytes: number
  /** Number of parts, from 1 to 10,000. An empty object has one empty part. */
  partCount: number
}

/**
 * Divides an object of known size into parts of 5 MiB, or of the smallest whole number of MiB that gives at most 10,000
 * parts.
 * @param sizeBytes size of the whole object, 0 or more
 * @throws {StorageError} `storage.too_large` if a part would exceed 5 GiB (objects above 48.8 TiB)
 * @throws {RangeError} if the size is not a whole number, 0 or more
 */
export function planParts(sizeBytes: number): PartPlan {
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) {
    throw new RangeError(`A size is a whole number of bytes, not ${sizeBytes}.`)
  }
  const partSizeBytes = Math.max(PART_MIN_BYTES, Math.ceil(sizeBytes / PARTS_MAX / MIB) * MIB)
  if (partSizeBytes > PART_MAX_BYTES) {
    throw new StorageError('storage.too_large', `A multipart upload cannot hold ${sizeBytes} bytes.`)
  }
  return { partSizeBytes, partCount: Math.max(1, Math.ceil(sizeBytes / partSizeBytes)) }
}

/** @throws {StorageError} `storage.invalid_part` */
export function requirePartNumber(partNumber: number): void {
  if (Number.isInteger(partNumber) && partNumber >= 1 && partNumber <= PARTS_MAX) return
  throw new StorageError(
    'storage.invalid_part',
    `Parts are numbered from 1 to ${PARTS_MAX}, not ${partNumber}.`,
  )
}

/**
 * Checks a list of parts.
 * @throws {StorageError} `storage.invalid_part` for an empty list, a number out of range, or a wrong order
 */
export function requireAscendingParts(parts: readonly { partNumber: number }[]): void {
  if (parts.length === 0) throw new StorageError('storage.invalid_part', 'An object needs at least one part.')
  let previous = 0
  for (const { partNumber } of parts) {
    requirePartNumber(partNumber)
    if (partNumber <= previous) throw new StorageError('storage.invalid_part', 'The parts are out of order.')
    previous = partNumber
  }
}
