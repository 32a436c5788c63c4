import { parseStorageKey } from '@dropleaf/storage'
import type { Needs, WriteNeeds } from '../../../../context.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { receiveBody } from '../../../../lib/bodies/receive-body.ts'
import type { SignedGrant } from '../../../../storage/signed-links.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { isTooLarge, withinRoom } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { publishObjects } from '../objects/publish.usecases.ts'
import { claimKeys } from '../objects/shared-objects.usecases.ts'
import { type SignedBody, tooLargeFor } from './signed-put.usecases.ts'

/**
 * Receives a file that a client sends to a signed URL of the local disk. The object is visible immediately, as in a
 * bucket.
 * @returns the etag of the object
 * @throws {AppError} `file.too_large`, `file.storage_full`; as `claimKeys` and `requireMay`
 */
export async function receiveSignedCopy(
  ctx: WriteNeeds & Needs<'secrets'>,
  grant: SignedGrant,
  { source, sizeBytes, requireMay }: SignedBody,
): Promise<string> {
  const config = await getConfig(ctx, grant.configId)
  const driver = await driverOf(ctx, config)
  const key = parseStorageKey(grant.key)
  await claimKeys(ctx, { configId: config.id, keys: [key] })
  const replaced = config.total_storage_bytes === null ? null : await driver.stat(key)
  const claim = {
    config,
    sizeBytes: sizeBytes ?? grant.maxBytes ?? 0,
    replacesBytes: replaced?.sizeBytes ?? 0,
  }
  return withinRoom(ctx, claim, async ({ maxBytes: roomBytes, grow }) => {
    try {
      const maxBytes = Math.min(roomBytes, grant.maxBytes ?? Infinity)
      const options = { sizeBytes, grow, beforeEnd: requireMay, hashes: false }
      const { body } = await receiveBody(source, options)
      const contentType = inferMimeType(grant.key)
      const stat = await driver.write(key, body, { sizeBytes, maxBytes, contentType })
      await publishObjects(ctx, config.id, [stat])
      return stat.etag
    } catch (error) {
      const isBeyondGrant = isTooLarge(error) && (grant.maxBytes ?? Infinity) < roomBytes
      throw isBeyondGrant ? tooLargeFor(grant, error) : error
    }
  })
}
