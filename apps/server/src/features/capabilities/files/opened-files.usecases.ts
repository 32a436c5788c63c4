import { fileErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Db } from '../../../schema.ts'
import { type Actor, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { armShare } from '../../foundation/share-opening/share-opening.usecases.ts'
import type { FileRow } from './files.table.ts'
import { isPasswordRight } from './files.usecases.ts'
import { getOwnFile } from './own-files.usecases.ts'
import { openedFilesRepository } from './opened-files.repository.ts'

/** A file that someone may open; it may have ended. @throws {AppError} `file.not_found` */
export async function getFileToOpen(ctx: Needs<'db'>, slug: string): Promise<FileRow> {
  const row = await openedFilesRepository(ctx.db).find(slug)
  if (!row) throw new AppError(fileErrors.not_found)
  return row
}

/** The file for a device that has opened it; `undefined` once it is purged. Costs no view. */
export const readOpenedFile = (ctx: Needs<'db'>, { id }: FileRow): Promise<FileRow | undefined> =>
  openedFilesRepository(ctx.db).read(id)

/** Counts the view of an opening in its transaction; `undefined` if the file has ended. */
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

/** Makes a file open again, as if nobody had opened it. @throws {AppError} `file.not_found`, also once it is purged */
export async function armFile(
  ctx: Needs<'database' | 'db' | 'throttles'>,
  actor: Actor,
  idOrSlug: string,
): Promise<void> {
  const { id } = await getOwnFile(ctx, actor, idOrSlug)
  const isArmed = await armShare(ctx, { kind: 'file', id }, (trx) => openedFilesRepository(trx).arm(id))
  // Purged or deleted meanwhile.
  if (!isArmed) throw new AppError(fileErrors.not_found)
}

/** Lets all files of the caller with a view limit ask before they open. @returns how many did not before */
export const askLimitedFiles = (ctx: Needs<'db'>, actor: Actor): Promise<number> =>
  openedFilesRepository(ctx.db).askLimited(ownerFilter(actor))
