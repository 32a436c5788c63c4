import { authErrors, fileErrors, type fileRoutes, type ParsedOf } from '@dropleaf/contract'
import { parseStorageKey } from '@dropleaf/storage'
import type { Needs, UploadNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { type Actor, owns } from '../../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../../foundation/link-issuers/link-issuers.usecases.ts'
import {
  driverOf,
  getConfig,
  requireUploadConfig,
} from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { isWithoutRoom, takeRoom } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { filesRepository, type UploadName } from '../files.repository.ts'
import type { FileRow } from '../files.table.ts'
import {
  claimOf,
  finishUpload,
  isYes,
  type Reservation,
  requireOwnPlace,
  reserveUpload,
  shareSettingsOf,
} from './uploads.usecases.ts'
import { dropUpload } from './dropped-uploads.usecases.ts'

/** An upload can be committed for this long after its signed URL has expired. */
const COMMIT_GRACE_MS = 6 * 3_600_000

/**
 * Reserves a share and returns a signed URL to which the client sends the bytes.
 * @throws {AppError} as `reserveUpload`
 */
export async function presignUpload(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'secrets' | 'storage'>,
  actor: Actor,
  body: ParsedOf<typeof fileRoutes.presign, 'body'>,
): Promise<{ reservation: Reservation; uploadUrl: string }> {
  const config = await requireUploadConfig(ctx, actor, body.s3_config_id)
  const validSeconds = config.signature_expires_in
  const reservation = await reserveUpload(ctx, actor, {
    filename: body.filename,
    configId: config.id,
    folder: body.path,
    slug: body.slug,
    sizeBytes: body.size,
    replacesOwn: isYes(body.override),
    keepsName: false,
    useProxy: true,
    kind: 'signed',
    lifetimeMs: validSeconds * 1000 + COMMIT_GRACE_MS,
  })
  const uploadUrl = await reservation.driver.links.put(reservation.key, {
    expiresInSeconds: validSeconds,
    contentType: reservation.row.mimetype,
    maxBytes: body.size ?? reservation.maxBytes,
    issuer: issuerOf(actor, 'file'),
  })
  return { reservation, uploadUrl }
}

type CommitBody = ParsedOf<typeof fileRoutes.commit, 'body'>

/** Turns a signed upload into a share. @throws {AppError} as {@link commitNamed} */
export const commitUpload = (ctx: UploadNeeds, actor: Actor, body: CommitBody): Promise<FileRow> =>
  commitNamed(ctx, actor, { fileId: body.file_id }, body)

/**
 * Turns a signed upload into a share or into an object of a bundle. The storage supplies the size and the etag.
 * Repeated calls return the same share.
 * @throws {AppError} `file.not_found`, `auth.forbidden` for an upload of another creator, `file.upload_expired`,
 * `file.not_uploaded`; `file.size_mismatch`, which deletes an upload larger than declared; `file.too_large` and
 * `file.storage_full`, which delete the upload; as `requireOwnPlace` and `finishUpload`
 */
export async function commitNamed(
  ctx: UploadNeeds,
  actor: Actor,
  upload: UploadName,
  body: Omit<CommitBody, 'file_id'>,
): Promise<FileRow> {
  const row = await filesRepository(ctx.db).findUpload(upload)
  if (!row || row.purged_at_ms !== null || row.upload_kind !== 'signed')
    throw new AppError(fileErrors.not_found)
  if (!owns(actor, row.created_by)) throw new AppError(authErrors.forbidden)
  if (row.committed_at_ms !== null) return row
  await requireOwnPlace(ctx, actor, row)
  if (row.upload_expires_at_ms !== null && row.upload_expires_at_ms <= ctx.clock.nowMs())
    throw new AppError(fileErrors.upload_expired)
  const config = await getConfig(ctx, row.storage_config_id)
  const stat = await (await driverOf(ctx, config)).stat(parseStorageKey(row.storage_key))
  if (!stat) throw new AppError(fileErrors.not_uploaded)
  if (body.size !== null && body.size !== stat.sizeBytes) {
    if (row.size_bytes > 0 && stat.sizeBytes > row.size_bytes) await dropUpload(ctx, row.id)
    throw new AppError(fileErrors.size_mismatch, { params: { actual: stat.sizeBytes, expected: body.size } })
  }
  try {
    const claim = claimOf(row, { config, sizeBytes: stat.sizeBytes })
    const change = { size_bytes: stat.sizeBytes }
    await takeRoom(ctx, claim, (trx) => filesRepository(trx).updatePending(row.id, change))
  } catch (error) {
    // Keeps the upload after any other error, because the error can be temporary and the client can retry.
    if (isWithoutRoom(error)) await dropUpload(ctx, row.id)
    throw error
  }
  const sha256 = row.etag === stat.etag ? row.sha256 : null
  return finishUpload(ctx, row, {
    bytes: { sizeBytes: stat.sizeBytes, etag: stat.etag, sha256 },
    settings: shareSettingsOf(body),
  })
}
