import { randomInt } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import {
  bundleErrors,
  fileErrors,
  isSealedPartSize,
  SEALED_PART_HEADER_BYTES,
  SEALED_PART_MARK,
  SEALED_PART_MIN_BYTES,
} from '@dropleaf/contract'
import { type PartPlan, PARTS_MAX, planParts, type StorageDriver, StorageError } from '@dropleaf/storage'
import type { StorageNeeds, Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import type { FileRow } from '../files.table.ts'
import { dropUpload } from './dropped-uploads.usecases.ts'

/** Length of the known start of a part's header: the mark, the number of the part, and zero bytes. The salt follows. */
const KNOWN_HEADER_BYTES = 16
/** Size of the smallest part: a header, and the tag of an empty segment. */
const PART_LEAST_BYTES = SEALED_PART_HEADER_BYTES + 16
/** Number of randomly chosen parts that are checked in addition to the first and the last part. */
const RANDOM_PARTS = 2

const planSealed = (sizeBytes: number, partSizeBytes: number): PartPlan => ({
  partSizeBytes,
  partCount: Math.max(1, Math.ceil(sizeBytes / partSizeBytes)),
})

/**
 * Returns the number and the size of an upload's parts. The client chooses them for an encrypted object. The server
 * chooses them for any other object.
 */
export const planOf = ({
  size_bytes,
  part_size_bytes,
}: Pick<FileRow, 'size_bytes' | 'part_size_bytes'>): PartPlan =>
  part_size_bytes === null ? planParts(size_bytes) : planSealed(size_bytes, part_size_bytes)

/** Checks the sizes of an encrypted object that is announced. @throws {AppError} `file.parts_invalid` */
export function requireSealedParts({
  sizeBytes,
  partSizeBytes,
}: {
  sizeBytes: number
  partSizeBytes: number
}): void {
  const { partCount } = planSealed(sizeBytes, partSizeBytes)
  const lastBytes = sizeBytes - (partCount - 1) * partSizeBytes
  const isFit =
    isSealedPartSize(partSizeBytes) &&
    (partCount === 1 || partSizeBytes >= SEALED_PART_MIN_BYTES) &&
    partCount <= PARTS_MAX &&
    lastBytes >= PART_LEAST_BYTES
  if (!isFit)
    throw new AppError(fileErrors.parts_invalid, { params: { detail: `${sizeBytes}/${partSizeBytes}` } })
}

function headerOf(part: number): Buffer {
  const header = Buffer.alloc(KNOWN_HEADER_BYTES)
  header.write(SEALED_PART_MARK, 'latin1')
  header.writeUInt32BE(part, SEALED_PART_MARK.length)
  return header
}

async function hasHeader(
  driver: StorageDriver,
  row: FileRow,
  { part, partSizeBytes }: { part: number; partSizeBytes: number },
): Promise<boolean> {
  const firstByte = part * partSizeBytes
  const range = { firstByte, lastByte: firstByte + KNOWN_HEADER_BYTES - 1 }
  try {
    const { body } = await driver.read(keyOnRecord(driver, row.storage_key), { range })
    return headerOf(part).equals(await buffer(body))
  } catch (error) {
    // A range error means that the object is shorter than announced.
    if (error instanceof StorageError && error.code === 'storage.range') return false
    throw error
  }
}

/**
 * Checks that a stored object of a sealed bundle is encrypted, by the headers of its first, its last and two random
 * parts. Deletes an object that is not encrypted, so that a faulty client leaves no readable files.
 * @throws {AppError} `bundle.not_sealed`
 */
export async function requireSealedObject(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  row: FileRow,
): Promise<void> {
  if (row.part_size_bytes === null) return
  const driver = await driverOf(ctx, await getConfig(ctx, row.storage_config_id))
  const { partSizeBytes, partCount } = planOf(row)
  const random = Array.from({ length: RANDOM_PARTS }, () => randomInt(partCount))
  for (const part of new Set([0, partCount - 1, ...random]))
    if (!(await hasHeader(driver, row, { part, partSizeBytes }))) {
      await dropUpload(ctx, row.id)
      throw new AppError(bundleErrors.not_sealed)
    }
}
