import { fileErrors, shareErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Db } from '../../../schema.ts'
import { type Actor, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { armShare } from '../../foundation/share-opening/share-opening.usecases.ts'
import type { FileRow } from './files.table.ts'
import { isPasswordRight } from './files.usecases.ts'
import { getOwnFile } from './own-files.usecases.ts'
import { openedFilesRepository } from './opened-files.repository.ts'

/** Finds a file share to open, even if it has expired or is used up. @throws {AppError} `file.not_found` */
export async function getFileToOpen(ctx: Needs<'db'>, slug: string): Promise<FileRow> {
  const row = await openedFilesRepository(ctx.db).find(slug)
  if (!row) throw new AppError(fileErrors.not_found)
  return row
}

/**
 * Returns the file without counting a view, for example again to a device that has opened it.
 * @returns `undefined` if it is purged
 */
export const readOpenedFile = (ctx: Needs<'db'>, { id }: FileRow): Promise<FileRow | undefined> =>
  openedFilesRepository(ctx.db).read(id)

export const takeOpenedFile = (
  trx: Db,
  row: FileRow,
  instants: { nowMs: number; graceUntilMs: number },
): Promise<FileRow | undefined> => openedFilesRepository(trx).takeView(row, instants)

/** @throws {AppError} `file.password_wrong`, `request.rate_limited` */
export async function requireFilePassword(
  ctx: Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  row: FileRow,
  guess: { password: string; network: string },
): Promise<void> {
  if (!(await isPasswordRight(ctx, row, guess))) throw new AppError(fileErrors.password_wrong)
}

/** Resets a file share as if it had never been opened. @throws {AppError} `file.not_found`, `share.contents_gone` */
export async function armFile(
  ctx: Needs<'database' | 'db' | 'throttles'>,
  actor: Actor,
  idOrSlug: string,
): Promise<void> {
  const { id, purged_at_ms } = await getOwnFile(ctx, actor, idOrSlug)
  const share = { kind: 'file', id, purged_at_ms } as const
  const isArmed = await armShare(ctx, share, (trx) => openedFilesRepository(trx).arm(id))
  if (isArmed) return
  // The share was purged or deleted in the meantime. If it was deleted, this call throws `file.not_found`.
  await getOwnFile(ctx, actor, idOrSlug)
  throw new AppError(shareErrors.contents_gone)
}

/**
 * Makes file shares that have a view limit and open directly require confirmation: all such shares for an
 * administrator, only its own shares for an API key.
 * @returns the number of changed shares
 */
export const askLimitedFiles = (ctx: Needs<'db'>, actor: Actor): Promise<number> =>
  openedFilesRepository(ctx.db).askLimited(ownerFilter(actor))
