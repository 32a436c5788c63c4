import type { AppContext } from '../../../context.ts'
import { toInstant } from '../../../lib/clock.ts'
import type { Db } from '../../../schema.ts'
import type { Forgotten } from './restored.models.ts'
import { restoredRepository } from './restored.repository.ts'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * The storages in which nothing is deleted for now: the database was restored, and the original server may still use the
 * buckets.
 * @returns ids; empty once an administrator has confirmed that this server replaces it.
 */
export async function heldStorages(ctx: AppContext): Promise<ReadonlySet<string>> {
  const repository = restoredRepository(ctx.db)
  return (await repository.find()) ? new Set(await repository.buckets()) : NOTHING
}

/** What an administrator sees of an unconfirmed restore; `null` if there is none. */
export async function presentRestored(ctx: AppContext) {
  const repository = restoredRepository(ctx.db)
  const mark = await repository.find()
  if (!mark) return null
  return {
    savedAt: mark.savedAt,
    restoredAt: toInstant(mark.restoredAtMs),
    waitingRemovals: await repository.countWaiting(),
  }
}

/** Confirms that this server replaces the one that was backed up: it deletes in buckets again. */
export async function confirmRestored(ctx: AppContext): Promise<void> {
  await restoredRepository(ctx.db).unmark()
  await ctx.events.announce('restore_confirmed', null)
}

/**
 * Prepares a restored database: in storages outside of the data folder no running work is resumed, and nothing is deleted
 * before an administrator confirms.
 * @param isSameServer whether that is already confirmed
 * @returns `null` if all storages are in the data folder
 */
export async function settleRestored(
  db: Db,
  { savedAt, nowMs, isSameServer }: { savedAt: string; nowMs: number; isSameServer: boolean },
): Promise<Forgotten | null> {
  const repository = restoredRepository(db)
  // The backup may come from a server that was itself restored.
  await repository.unmark()
  if ((await repository.buckets()).length === 0) return null
  if (!isSameServer) await repository.mark({ savedAt, restoredAtMs: nowMs })
  return repository.forgetUnderWay(nowMs)
}

/** Like {@link settleRestored}, for an import that includes the keys of buckets. */
export async function holdImported(
  db: Db,
  { configIds, savedAt, nowMs }: { configIds: readonly string[]; savedAt: string; nowMs: number },
): Promise<void> {
  const repository = restoredRepository(db)
  const buckets = new Set(await repository.buckets())
  if (configIds.some((id) => buckets.has(id))) await repository.mark({ savedAt, restoredAtMs: nowMs })
}

/** Warns at the start about pending deletions. */
export async function warnOfRestored(ctx: AppContext): Promise<void> {
  const restored = await presentRestored(ctx)
  if (restored)
    ctx.log.warn(
      restored,
      'the data came from a backup: nothing is deleted in buckets before an administrator confirms on the dashboard that this server takes the place of the one it is of',
    )
}
