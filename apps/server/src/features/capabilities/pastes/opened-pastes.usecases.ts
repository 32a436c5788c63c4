import { pasteErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Db } from '../../../schema.ts'
import { type Actor, ownerFilter } from '../../foundation/identity/actor.models.ts'
import { armShare } from '../../foundation/share-opening/share-opening.usecases.ts'
import { type OpenedPaste, openedPastesRepository } from './opened-pastes.repository.ts'
import { pastesRepository } from './pastes.repository.ts'
import type { VisitedPaste } from './pastes.table.ts'
import { getOwnPaste } from './pastes.usecases.ts'

export type { OpenedPaste } from './opened-pastes.repository.ts'

/** A text that someone may open; it may have ended. @throws {AppError} `paste.not_found` */
export async function getPasteToOpen(ctx: Needs<'db'>, slug: string): Promise<OpenedPaste> {
  const row = await openedPastesRepository(ctx.db).find(slug)
  if (!row) throw new AppError(pasteErrors.not_found)
  return row
}

/** The text for a device that has opened it; `undefined` once it is purged. Costs no view. */
export const readOpenedPaste = (ctx: Needs<'db'>, { id }: OpenedPaste): Promise<VisitedPaste | undefined> =>
  openedPastesRepository(ctx.db).read(id)

/** Counts the view of an opening in its transaction; `undefined` if the text has ended. */
export const takeOpenedPaste = (
  trx: Db,
  row: OpenedPaste,
  instants: { nowMs: number; graceUntilMs: number },
): Promise<VisitedPaste | undefined> => openedPastesRepository(trx).takeView(row, instants)

/** Purges a text that is used up, unless a device may come back. */
export const purgeOpenedPaste = (ctx: Needs<'clock' | 'db'>, { id }: OpenedPaste): Promise<number> =>
  pastesRepository(ctx.db).purgeOver(ctx.clock.nowMs(), { limit: 1, id })

/** Makes a text open again, as if nobody had opened it. @throws {AppError} `paste.not_found`, also once it is purged */
export async function armPaste(
  ctx: Needs<'database' | 'db' | 'secrets' | 'throttles'>,
  actor: Actor,
  idOrSlug: string,
): Promise<void> {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  const share = { kind: 'paste', id: row.id } as const
  const isArmed = await armShare(ctx, share, (trx) => openedPastesRepository(trx).arm(row.id))
  // Purged or deleted meanwhile.
  if (!isArmed) throw new AppError(pasteErrors.not_found)
}

/** Lets all texts of the caller with a view limit ask before they open. @returns how many did not before */
export const askLimitedPastes = (ctx: Needs<'db'>, actor: Actor): Promise<number> =>
  openedPastesRepository(ctx.db).askLimited(ownerFilter(actor))
