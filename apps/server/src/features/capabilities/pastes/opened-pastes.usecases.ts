import { pasteErrors, shareErrors } from '@dropleaf/contract'
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

/** Finds a text to open, even if it has expired or is used up. @throws {AppError} `paste.not_found` */
export async function getPasteToOpen(ctx: Needs<'db'>, slug: string): Promise<OpenedPaste> {
  const row = await openedPastesRepository(ctx.db).find(slug)
  if (!row) throw new AppError(pasteErrors.not_found)
  return row
}

/**
 * Returns the text without counting a view, for example again to a device that has opened it.
 * @returns `undefined` if it is purged
 */
export const readOpenedPaste = (ctx: Needs<'db'>, { id }: OpenedPaste): Promise<VisitedPaste | undefined> =>
  openedPastesRepository(ctx.db).read(id)

export const takeOpenedPaste = (
  trx: Db,
  row: OpenedPaste,
  instants: { nowMs: number; graceUntilMs: number },
): Promise<VisitedPaste | undefined> => openedPastesRepository(trx).takeView(row, instants)

/** Purges a used-up text, unless a device is allowed to reopen it. */
export const purgeOpenedPaste = (ctx: Needs<'clock' | 'db'>, { id }: OpenedPaste): Promise<number> =>
  pastesRepository(ctx.db).purgeOver(ctx.clock.nowMs(), { limit: 1, id })

/** Resets a text as if it had never been opened. @throws {AppError} `paste.not_found`, `share.contents_gone` */
export async function armPaste(
  ctx: Needs<'database' | 'db' | 'secrets' | 'throttles'>,
  actor: Actor,
  idOrSlug: string,
): Promise<void> {
  const { row } = await getOwnPaste(ctx, actor, idOrSlug)
  const share = { kind: 'paste', id: row.id, purged_at_ms: row.purged_at_ms } as const
  const isArmed = await armShare(ctx, share, (trx) => openedPastesRepository(trx).arm(row.id))
  if (isArmed) return
  // The text was purged or deleted in the meantime. If it was deleted, this call throws `paste.not_found`.
  await getOwnPaste(ctx, actor, idOrSlug)
  throw new AppError(shareErrors.contents_gone)
}

/**
 * Makes text shares that have a view limit and open directly require confirmation: all such shares for an
 * administrator, only its own shares for an API key.
 * @returns the number of changed shares
 */
export const askLimitedPastes = (ctx: Needs<'db'>, actor: Actor): Promise<number> =>
  openedPastesRepository(ctx.db).askLimited(ownerFilter(actor))
