import { pasteErrors, requestErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { databaseTrouble } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isOfDigest } from '../../../lib/passwords.ts'
import { shareGuessRules } from '../../../throttles/throttles.ts'
import { previewerOf } from '../../foundation/share-opening/previewers.models.ts'
import { askFirst } from '../../foundation/share-opening/share-opening.models.ts'
import { notePreview } from '../../foundation/share-opening/share-opening.usecases.ts'
import { findEnd } from './pastes.models.ts'
import { pastesRepository } from './pastes.repository.ts'
import type { PasteRow, VisitedPaste } from './pastes.table.ts'
import { protect } from './pastes.usecases.ts'

/** Maximum number of attempts if a share changes concurrently. */
const TRIES = 5

/** Response to a visitor who sent no password. `locked`: the share requires a password. */
export type PasteAnswer =
  | { readonly kind: 'open'; readonly row: VisitedPaste }
  | { readonly kind: 'locked'; readonly row: VisitedPaste }

/** The user agent is recorded if the share requires confirmation. */
export interface Visit {
  readonly slug: string
  readonly userAgent: string
}

/**
 * Finds a share that opens without confirmation. A request for a share that requires confirmation is recorded as a
 * preview.
 * @throws {AppError} `paste.not_found`, `paste.expired`, `paste.used_up`, `share.ask_first`
 */
async function getAlive(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  { slug, userAgent }: Visit,
): Promise<PasteRow> {
  const row = await pastesRepository(ctx.db).findBySlug(slug)
  if (!row) throw new AppError(pasteErrors.not_found)
  const end = findEnd(row, ctx.clock.nowMs())
  if (end) throw new AppError(end)
  if (row.opening === 'ask') {
    notePreview(ctx, row.id, previewerOf(userAgent))
    throw askFirst('paste', row.slug)
  }
  return row
}

/**
 * If the disk is full, finds a text that can be shown without counting the view. Such a text has no password and no
 * view limit.
 * @throws the original error in all other cases
 */
async function lookUncounted(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  visit: Visit,
  error: unknown,
): Promise<PasteRow> {
  if (databaseTrouble(error) !== 'full') throw error
  const row = await getAlive(ctx, visit)
  if (row.max_views !== null || row.password_hash !== null) throw error
  return row
}

/**
 * Reads a share for a visitor. Reading an unprotected share uses a view. A protected share is returned locked, and no
 * view is used.
 * @throws {AppError} `paste.not_found`, `paste.expired`, `paste.used_up`, `share.ask_first`; `request.unavailable` if
 * the share keeps changing
 */
export async function readPaste(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>,
  visit: Visit,
): Promise<PasteAnswer> {
  const repository = pastesRepository(ctx.db)
  for (let tries = 1; ; tries += 1) {
    const viewed = await repository
      .takeView({ slug: visit.slug, nowMs: ctx.clock.nowMs() })
      .catch((error: unknown) => lookUncounted(ctx, visit, error))
    if (viewed) return { kind: 'open', row: viewed }
    const row = await getAlive(ctx, visit)
    if (row.password_hash !== null) return { kind: 'locked', row }
    // Tries again, because the password was removed or the limit was raised between the two statements.
    if (tries >= TRIES) throw new AppError(requestErrors.unavailable)
  }
}

/** Checks whether {@link readPaste} would succeed, without using a view. @throws {AppError} as `readPaste` */
export async function checkPaste(ctx: Needs<'clock' | 'db' | 'jobs' | 'state'>, visit: Visit): Promise<void> {
  await getAlive(ctx, visit)
}

/** @throws {AppError} `paste.no_password`, `paste.password_wrong`, `request.rate_limited` */
export async function requirePassword(
  ctx: Needs<'db' | 'jobs' | 'passwords' | 'secrets' | 'throttles'>,
  row: Pick<PasteRow, 'id' | 'password_hash'>,
  { password, network }: { password: string; network: string },
): Promise<void> {
  if (row.password_hash === null) throw new AppError(pasteErrors.no_password)
  const rules = shareGuessRules(`paste:${row.id}`, network)
  const { password_hash } = row
  const isRight = await ctx.throttles.guess(rules, () =>
    ctx.passwords.verify(password_hash, { password, network }),
  )
  if (!isRight) throw new AppError(pasteErrors.password_wrong)
  if (isOfDigest(password_hash))
    ctx.jobs.background('pastes.renew-password', async () => {
      const renewed = await protect(ctx, row.id, password)
      await pastesRepository(ctx.db).renewPassword(row.id, password_hash, renewed)
    })
}

/**
 * Reads a protected share, and counts a view if the password is correct. Limits wrong passwords by the `network` of the
 * caller.
 * @throws {AppError} as {@link readPaste}; `paste.no_password`, `paste.password_wrong`, `request.rate_limited`
 */
export async function unlockPaste(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  visit: Visit,
  { password, network }: { password: string; network: string },
): Promise<VisitedPaste> {
  const row = await getAlive(ctx, visit)
  await requirePassword(ctx, row, { password, network })
  const viewed = await pastesRepository(ctx.db).takeUnlockedView({
    slug: visit.slug,
    nowMs: ctx.clock.nowMs(),
  })
  if (viewed?.id === row.id) return viewed
  // Reports why no view was counted, for example because another client used the last view during the password check.
  await getAlive(ctx, visit)
  throw new AppError(pasteErrors.not_found)
}

/**
 * Reads the plain text of a protected or unprotected share.
 * @throws {AppError} as {@link readPaste} and {@link unlockPaste}; `paste.password_missing`
 */
export async function readRaw(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  visit: Visit,
  { password, network }: { password: string | undefined; network: string },
): Promise<VisitedPaste> {
  if (password) {
    const row = await getAlive(ctx, visit)
    if (row.password_hash !== null) return unlockPaste(ctx, visit, { password, network })
  }
  const answer = await readPaste(ctx, visit)
  if (answer.kind === 'locked') throw new AppError(pasteErrors.password_missing)
  return answer.row
}

/** Checks whether {@link readRaw} would succeed, without using a view. @throws {AppError} as `readRaw` */
export async function checkRaw(
  ctx: Needs<'clock' | 'db' | 'jobs' | 'passwords' | 'secrets' | 'state' | 'throttles'>,
  visit: Visit,
  { password, network }: { password: string | undefined; network: string },
): Promise<void> {
  const row = await getAlive(ctx, visit)
  if (row.password_hash === null) return
  if (!password) throw new AppError(pasteErrors.password_missing)
  await requirePassword(ctx, row, { password, network })
}
