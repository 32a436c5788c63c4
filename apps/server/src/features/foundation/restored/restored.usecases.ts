import type { Needs } from '../../../context.ts'
import { toInstant } from '../../../lib/clock.ts'
import type { Db } from '../../../schema.ts'
import type { Forgotten } from './restored.models.ts'
import { restoredRepository } from './restored.repository.ts'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Returns the storages in which nothing is deleted for now. After a restore, or an import that added a bucket, these
 * are all buckets, because the original server might still use them.
 * @returns storage ids; empty without a restore or import, and after an administrator has confirmed that this server
 * replaces the original server.
 */
export async function heldStorages(ctx: Needs<'db'>): Promise<ReadonlySet<string>> {
  const repository = restoredRepository(ctx.db)
  return (await repository.find()) ? new Set(await repository.buckets()) : NOTHING
}

/** Describes an unconfirmed restore for administrators; `null` if there is none. */
export async function presentRestored(ctx: Needs<'db'>) {
  const repository = restoredRepository(ctx.db)
  const mark = await repository.find()
  if (!mark) return null
  return {
    savedAt: mark.savedAt,
    restoredAt: toInstant(mark.restoredAtMs),
    waitingRemovals: await repository.countWaiting(),
  }
}

/** Confirms that this server replaces the backed-up server, so that objects in buckets can be deleted again. */
export async function confirmRestored(ctx: Needs<'db' | 'events'>): Promise<void> {
  await restoredRepository(ctx.db).unmark()
  await ctx.events.announce('restore_confirmed', null)
}

/**
 * Prepares a restored database: work in buckets is discarded, and no object in them is deleted until an administrator
 * confirms. Does nothing of this if there are no buckets.
 * @param isSameServer whether the administrator has already confirmed that the original server is gone
 * @returns what was discarded; `null` if there are no buckets
 */
export async function settleRestored(
  db: Db,
  { savedAt, nowMs, isSameServer }: { savedAt: string; nowMs: number; isSameServer: boolean },
): Promise<Forgotten | null> {
  const repository = restoredRepository(db)
  // Removes the mark of an earlier restore, because the backed-up server might itself have been restored.
  await repository.unmark()
  if ((await repository.buckets()).length === 0) return null
  if (!isSameServer) await repository.mark({ savedAt, restoredAtMs: nowMs })
  return repository.forgetUnderWay(nowMs)
}

/**
 * Forbids deletions in all buckets until an administrator confirms, if an import added a bucket. Discards no work.
 * @param configIds storages that the import added
 */
export async function holdImported(
  db: Db,
  { configIds, savedAt, nowMs }: { configIds: readonly string[]; savedAt: string; nowMs: number },
): Promise<void> {
  const repository = restoredRepository(db)
  const buckets = new Set(await repository.buckets())
  if (configIds.some((id) => buckets.has(id))) await repository.mark({ savedAt, restoredAtMs: nowMs })
}

/** Logs a warning if a restore or import has not been confirmed yet. Called at startup. */
export async function warnOfRestored(ctx: Needs<'db' | 'log'>): Promise<void> {
  const restored = await presentRestored(ctx)
  if (restored)
    ctx.log.warn(
      restored,
      'the data came from a backup: nothing is deleted in buckets before an administrator confirms on the dashboard that this server takes the place of the one it is of',
    )
}
