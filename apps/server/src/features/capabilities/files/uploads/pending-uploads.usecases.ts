import { authErrors, fileErrors } from '@dropleaf/contract'
import type { Needs, StorageNeeds } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../db/database.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { type Actor, owns } from '../../../foundation/identity/actor.models.ts'
import { filesRepository, type UploadName } from '../files.repository.ts'
import type { FileRow } from '../files.table.ts'
import { requireOwnPlace } from './uploads.usecases.ts'
import { dropUpload } from './dropped-uploads.usecases.ts'

/**
 * Finds a pending upload of the caller.
 * @throws {AppError} `file.not_found`, also if it is committed or aborted; as {@link requireOwnPlace}
 */
export async function getPendingUpload(
  ctx: Needs<'database' | 'db'>,
  actor: Actor,
  upload: UploadName,
): Promise<FileRow> {
  const row = await filesRepository(ctx.db).findUpload(upload)
  if (!row || row.committed_at_ms !== null || row.purged_at_ms !== null)
    throw new AppError(fileErrors.not_found)
  await requireOwnPlace(ctx, actor, row)
  return row
}

export async function extendPending(ctx: Needs<'db'>, id: string, expiresAtMs: number): Promise<void> {
  await filesRepository(ctx.db).updatePending(id, { upload_expires_at_ms: expiresAtMs })
}

export type { UploadName } from '../files.repository.ts'

/**
 * Finds the committed share or bundle object of an upload. @returns `undefined` if the upload is pending or unknown
 * @throws {AppError} `auth.forbidden` if the upload belongs to another creator
 */
export async function findCommitted(
  ctx: Needs<'db'>,
  actor: Actor,
  upload: UploadName,
): Promise<FileRow | undefined> {
  const row = await filesRepository(ctx.db).findUpload(upload)
  if (!row || row.committed_at_ms === null || row.purged_at_ms !== null) return undefined
  if (!owns(actor, row.created_by)) throw new AppError(authErrors.forbidden)
  return row
}

/** Aborts an upload and deletes its bytes. @throws {AppError} as {@link getPendingUpload} */
export async function cancelUpload(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  actor: Actor,
  upload: UploadName,
): Promise<FileRow> {
  const row = await getPendingUpload(ctx, actor, upload)
  await dropUpload(ctx, row.id)
  return row
}

/** Deletes an upload that has not been committed, without checking its owner. */
export async function dropIfPending(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  id: string,
): Promise<void> {
  const row = await filesRepository(ctx.db).findById(id)
  if (row && row.committed_at_ms === null) await dropUpload(ctx, id)
}

/** Changes the link suffix or the remark of a pending upload. @throws {AppError} `file.slug_taken` */
export async function describePending(
  ctx: Needs<'database'>,
  id: string,
  change: { slug?: string; takes_slug?: string | null; remark?: string | null },
): Promise<void> {
  const { slug } = change
  try {
    await ctx.database.transaction(async (trx) => {
      if (slug !== undefined) await filesRepository(trx).deleteTombstoneBySlug(slug)
      await filesRepository(trx).updatePending(id, change)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError(fileErrors.slug_taken, { cause: error }) : error
  }
}
