import type { Db } from '../../../schema.ts'
import { planRemovals } from '../files/objects/removals.usecases.ts'
import { bundleObjectsRepository } from './bundle-objects.repository.ts'
import { bundleRevisionsRepository } from './bundle-revisions.repository.ts'
import { numbersIn, revisionsToPrune } from './bundles.models.ts'

/**
 * Deletes the revisions beyond the limits that no ticket can read any more, and the objects that only these revisions
 * use. Call in a transaction that has locked the bundle.
 */
export async function pruneRevisions(trx: Db, bundleId: string, nowMs: number): Promise<void> {
  const revisions = await bundleRevisionsRepository(trx).list(bundleId)
  const due = new Set(revisionsToPrune(revisions, nowMs))
  if (due.size === 0) return
  await bundleRevisionsRepository(trx).delete(
    bundleId,
    [...due].map(({ revision }) => revision),
  )
  const kept = numbersIn(revisions.filter((revision) => !due.has(revision)))
  const unnamed = [...numbersIn([...due])].filter((number) => !kept.has(number))
  await planRemovals(trx, await bundleObjectsRepository(trx).delete(bundleId, unnamed), nowMs)
}

/**
 * Deletes revisions after the current revision, and the objects that only these revisions use. Such revisions exist
 * only if another program has changed the rows. Call in a transaction that has locked the bundle.
 * @param naming numbers of the objects that the next revision uses
 */
export async function dropRevisionsAfter(
  trx: Db,
  bundleId: string,
  { current, naming, nowMs }: { current: number; naming: readonly number[]; nowMs: number },
): Promise<void> {
  const revisions = await bundleRevisionsRepository(trx).list(bundleId)
  const stray = revisions.filter(({ revision }) => revision > current)
  if (stray.length === 0) return
  await bundleRevisionsRepository(trx).delete(
    bundleId,
    stray.map(({ revision }) => revision),
  )
  const kept = numbersIn(revisions.filter(({ revision }) => revision <= current))
  const unnamed = [...numbersIn(stray)].filter((number) => !kept.has(number) && !naming.includes(number))
  await planRemovals(trx, await bundleObjectsRepository(trx).delete(bundleId, unnamed), nowMs)
}

/** Returns the numbers of the objects that the stored revisions of a bundle use. */
export const namedNumbers = async (db: Db, bundleId: string): Promise<ReadonlySet<number>> =>
  numbersIn(await bundleRevisionsRepository(db).list(bundleId))
