import { storageErrors } from '@dropleaf/contract'
import { parseStorageKey, StorageError } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { relayBody } from '../../../../lib/bodies/relay-body.ts'
import type { SignedGrant } from '../../../../storage/signed-links.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { type SignedBody, tooLargeFor } from './signed-put.usecases.ts'
import { isTooLarge } from '../../../foundation/storage-usage/storage-usage.usecases.ts'

/**
 * Receives a part of a multipart upload that a client sends to a signed URL of the local disk. A part can be sent
 * repeatedly until the upload is completed or aborted. Needs no row in the database, because only the storage has a
 * record of the upload.
 * @returns the etag of the part
 * @throws {AppError} `storage.link_invalid` if the upload is completed or aborted; `file.too_large`
 */
export async function receiveSignedPart(
  ctx: Needs<'db' | 'storage'>,
  grant: SignedGrant,
  { source, sizeBytes, requireMay }: SignedBody,
): Promise<string> {
  const { multipart } = await driverOf(ctx, await getConfig(ctx, grant.configId))
  if (grant.part === null || multipart === null) throw new AppError(storageErrors.link_invalid)
  const { uploadId, partNumber } = grant.part
  const upload = { key: parseStorageKey(grant.key), uploadId }
  try {
    const limits = { sizeBytes, maxBytes: grant.maxBytes ?? undefined }
    return (
      await multipart.uploadPart(upload, partNumber, relayBody(source, { beforeEnd: requireMay }), limits)
    ).etag
  } catch (error) {
    if (isTooLarge(error)) throw tooLargeFor(grant, error)
    const isGone = error instanceof StorageError && error.code === 'storage.not_found'
    throw isGone ? new AppError(storageErrors.link_invalid, { cause: error }) : error
  }
}
