import { BUNDLE_DRAFT_SECONDS, TOMBSTONE_SECONDS } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import type { Db } from '../../../schema.ts'
import { carryOutRemovals, planRemovals } from '../files/objects/removals.usecases.ts'
import { bundleObjectsRepository } from './bundle-objects.repository.ts'
import { bundleRevisionsRepository } from './bundle-revisions.repository.ts'
import { bundlesRepository } from './bundles.repository.ts'
import { endedBundlesRepository } from './ended-bundles.repository.ts'
import { namedNumbers, pruneRevisions } from './pruning.usecases.ts'

const BATCH = 100

type SweepNeeds = Needs<'clock' | 'database' | 'db'>

/** Repeats `turn` until it processes less than a full batch, or `signal` aborts. */
async function whileFull(signal: AbortSignal, turn: () => Promise<number>): Promise<void> {
  while ((await turn()) >= BATCH && !signal.aborted);
}

async function deleteObjects(trx: Db, bundleId: string, nowMs: number): Promise<void> {
  await planRemovals(trx, await bundleObjectsRepository(trx).deleteAll(bundleId), nowMs)
}

/**
 * Deletes the contents of bundles that have ended. Their rows remain for some time, so that their links respond with
 * 410.
 */
async function purgeOver({ clock, database, db }: SweepNeeds): Promise<number> {
  const nowMs = clock.nowMs()
  const due = await endedBundlesRepository(db).findOver(nowMs, BATCH)
  for (const { id } of due)
    await database.transaction(async (trx) => {
      if (!(await endedBundlesRepository(trx).purge(id, nowMs))) return
      await bundleRevisionsRepository(trx).deleteAll(id)
      await deleteObjects(trx, id, nowMs)
    })
  return due.length
}

async function dropDrafts({ clock, database, db }: SweepNeeds): Promise<number> {
  const nowMs = clock.nowMs()
  const limits = { nowMs, beforeMs: nowMs - BUNDLE_DRAFT_SECONDS * 1000 }
  const due = await endedBundlesRepository(db).findForgotten(limits, BATCH)
  for (const { id } of due)
    await database.transaction(async (trx) => {
      if (await endedBundlesRepository(trx).deleteForgotten(id, limits)) await deleteObjects(trx, id, nowMs)
    })
  return due.length
}

/** Deletes objects that no stored revision uses, including objects that arrived while their bundle was deleted. */
async function dropUnnamed({ clock, database, db }: SweepNeeds): Promise<number> {
  const nowMs = clock.nowMs()
  const bundleIds = await bundleObjectsRepository(db).withUnnamed(nowMs, BATCH)
  for (const id of bundleIds)
    await database.transaction(async (trx) => {
      await bundlesRepository(trx).lock(id)
      const named = await namedNumbers(trx, id)
      const due = await bundleObjectsRepository(trx).unnamed(id, nowMs)
      const gone = await bundleObjectsRepository(trx).delete(
        id,
        due.filter((number) => !named.has(number)),
      )
      await planRemovals(trx, gone, nowMs)
      await bundleObjectsRepository(trx).markNamed(
        id,
        due.filter((number) => named.has(number)),
      )
    })
  return bundleIds.length
}

/** Deletes old revisions that could not be deleted at the last publication, because tickets could still read them. */
async function pruneAll({ clock, database, db }: SweepNeeds, signal: AbortSignal): Promise<void> {
  let afterId = ''
  await whileFull(signal, async () => {
    const bundleIds = await endedBundlesRepository(db).withManyRevisions(afterId, BATCH)
    for (const id of bundleIds)
      await database.transaction(async (trx) => {
        if (await bundlesRepository(trx).lock(id)) await pruneRevisions(trx, id, clock.nowMs())
      })
    afterId = bundleIds.at(-1) ?? afterId
    return bundleIds.length
  })
}

/**
 * Deletes the contents of ended bundles, their old tombstones, abandoned drafts, objects that no revision uses, and
 * revisions beyond the limits. Also processes the outbox.
 */
export const sweepBundlesJob = (
  ctx: Needs<'clock' | 'config' | 'database' | 'db' | 'log' | 'storage'>,
): Job => ({
  name: 'bundles.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run(signal) {
    await whileFull(signal, () => purgeOver(ctx))
    const beforeMs = ctx.clock.nowMs() - TOMBSTONE_SECONDS * 1000
    await whileFull(signal, () => endedBundlesRepository(ctx.db).deleteTombstones(beforeMs, BATCH))
    await whileFull(signal, () => dropDrafts(ctx))
    await whileFull(signal, () => dropUnnamed(ctx))
    await pruneAll(ctx, signal)
    await carryOutRemovals(ctx, signal)
  },
})
