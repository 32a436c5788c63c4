import type { Db } from '../../../schema.ts'
import { planRemovals } from '../files/objects/removals.usecases.ts'
import { bundleObjectsRepository } from './bundle-objects.repository.ts'
import { bundleRevisionsRepository } from './bundle-revisions.repository.ts'
import { numbersIn, revisionsToPrune } from './bundles.models.ts'

/**
 * Deletes the revisions beyond the limits, and the objects that only these revisions use. Call in a transaction that
 * has locked the bundle.
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

/** Returns the numbers of the objects that stored revisions of a bundle use. */
export const namedNumbers = async (db: Db, bundleId: string): Promise<ReadonlySet<number>> =>
  numbersIn(await bundleRevisionsRepository(db).list(bundleId))
