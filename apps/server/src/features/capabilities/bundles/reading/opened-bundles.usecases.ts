import { bundleErrors } from '@dropleaf/contract'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { ARMED, nextGeneration } from '../../../../db/share-queries.ts'
import type { Db } from '../../../../schema.ts'
import { type Actor, owns } from '../../../foundation/identity/actor.models.ts'
import { isSeenByOwner } from '../../../foundation/share-opening/share-opening.models.ts'
import { armShare } from '../../../foundation/share-opening/share-opening.usecases.ts'
import { shareGuessRules } from '../../../../throttles/throttles.ts'
import { isProven } from '../sealed/seal.models.ts'
import { bundleRevisionsRepository } from '../bundle-revisions.repository.ts'
import { bundlesRepository } from '../bundles.repository.ts'
import type { BundleRevisionRow, BundleRow } from '../bundles.table.ts'

/** A bundle and the revision that it shows when it is opened. */
export interface OpenedBundle {
  readonly row: BundleRow
  readonly revision: BundleRevisionRow
}

/** Finds a published bundle, even if it has expired or is used up. @throws {AppError} `bundle.not_found` */
export async function getBundleToOpen(ctx: Needs<'db'>, slug: string): Promise<BundleRow> {
  const row = await bundlesRepository(ctx.db).findBySlug(slug)
  if (!row || row.revision === 0) throw new AppError(bundleErrors.not_found)
  return row
}

async function withRevision(db: Db, row: BundleRow | undefined): Promise<OpenedBundle | undefined> {
  const revision = row && (await bundleRevisionsRepository(db).find(row.id, row.revision))
  return row && revision && { row, revision }
}

/** Reads a bundle without using a view. @returns `undefined` if it is purged or deleted */
export async function readOpenedBundle(
  ctx: Needs<'db'>,
  { id }: BundleRow,
): Promise<OpenedBundle | undefined> {
  return withRevision(ctx.db, await bundlesRepository(ctx.db).findById(id))
}

/**
 * Counts a view and reads the current revision. @returns `undefined` if the bundle has expired, is used up or has
 * another link suffix
 */
export async function takeOpenedBundle(
  trx: Db,
  row: BundleRow,
  instants: { nowMs: number; graceUntilMs: number },
): Promise<OpenedBundle | undefined> {
  return withRevision(trx, await bundlesRepository(trx).takeView(row, instants))
}

/** @throws {AppError} `bundle.password_wrong`, `request.rate_limited` */
export async function requireBundlePassword(
  ctx: Needs<'passwords' | 'throttles'>,
  { id, password_hash }: BundleRow,
  { password, network }: { password: string; network: string },
): Promise<void> {
  if (password_hash === null) return
  const isRight = await ctx.throttles.guess(shareGuessRules(`bundle:${id}`, network), () =>
    ctx.passwords.verify(password_hash, { password, network }),
  )
  if (!isRight) throw new AppError(bundleErrors.password_wrong)
}

/** Whether a reader may get the contents: the bundle is not sealed, or the proof is right. */
export const isProvenBundle = (row: BundleRow, proof: string | null | undefined): boolean =>
  row.sealed === null || (Boolean(proof) && isProven(row, proof ?? ''))

/** @throws {AppError} `bundle.proof_missing`, `bundle.proof_wrong`, `request.rate_limited` */
export async function requireBundleProof(
  ctx: Needs<'throttles'>,
  row: BundleRow,
  { proof, network }: { proof: string | null | undefined; network: string },
): Promise<void> {
  if (row.sealed === null) return
  if (!proof) throw new AppError(bundleErrors.proof_missing)
  // Without a password, the proof cannot be guessed. So a right proof is accepted even if the limit for wrong proofs is
  // reached.
  if (row.kdf === null && isProven(row, proof)) return
  // A wrong proof counts as a wrong password, because the proof of a bundle with a password depends on the password.
  const isRight = await ctx.throttles.guess(shareGuessRules(`bundle:${row.id}`, network), async () =>
    isProven(row, proof),
  )
  if (!isRight) throw new AppError(bundleErrors.proof_wrong)
}

/**
 * Resets a bundle as if it had never been opened. @returns whether the caller manages such a bundle
 * @throws {AppError} `share.contents_gone`
 */
export async function armOwnBundle(
  ctx: Needs<'database' | 'db' | 'throttles'>,
  actor: Actor,
  id: string,
): Promise<boolean> {
  const row = await bundlesRepository(ctx.db).findById(id)
  if (!row || !isSeenByOwner(row) || !owns(actor, row.created_by)) return false
  const share = { kind: 'bundle', id, purged_at_ms: row.purged_at_ms } as const
  return armShare(ctx, share, async (trx) =>
    Boolean(await bundlesRepository(trx).update(id, { ...ARMED, ...nextGeneration() })),
  )
}
