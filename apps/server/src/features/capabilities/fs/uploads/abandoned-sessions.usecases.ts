import { parseStorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { dropBytes } from './upload-sessions.usecases.ts'
import { uploadsRepository } from './uploads.repository.ts'
import type { FsUploadRow } from './uploads.table.ts'

const BATCH_ROWS = 200
/** What began just before its time was over may still be at it. */
const GRACE_MS = 15 * 60_000

/** A storage that cannot be reached is asked again the next time: its row stays. @returns whether it could be reached */
async function sweepOne(ctx: AppContext, row: FsUploadRow, nowMs: number): Promise<boolean> {
  try {
    const driver = await driverOf(ctx, await getConfig(ctx, row.storage_config_id))
    await dropBytes({ row, key: parseStorageKey(row.storage_key), place: { driver } })
    await uploadsRepository(ctx.db).deleteExpired(row.id, nowMs)
    return true
  } catch (error) {
    ctx.log.warn(
      { err: error, upload: row.id },
      'an abandoned upload could not be dropped; it is tried again',
    )
    return false
  }
}

/** Drops the bytes of uploads into mounts that nobody went on with, and forgets those that ended. */
export async function sweepSessions(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const nowMs = ctx.clock.nowMs() - GRACE_MS
  const silent = new Set<string>()
  let afterId = ''
  for (;;) {
    const due = await uploadsRepository(ctx.db).findExpired(nowMs, { afterId, limit: BATCH_ROWS })
    for (const row of due) {
      if (signal.aborted) return
      // One that does not answer must not keep the others waiting.
      if (silent.has(row.storage_config_id)) continue
      if (!(await sweepOne(ctx, row, nowMs))) silent.add(row.storage_config_id)
    }
    afterId = due.at(-1)?.id ?? afterId
    if (due.length < BATCH_ROWS || signal.aborted) return
  }
}

/** How many uploads nobody went on with and were not swept yet, and what they announced. */
export const abandonedSessions = (ctx: AppContext): Promise<{ count: number; bytes: number }> =>
  uploadsRepository(ctx.db).sumAbandoned(ctx.clock.nowMs() - GRACE_MS)

/** Whether an upload of the storage belongs to one that somebody may go on with. */
export const isSessionUpload = (ctx: AppContext, configId: string, uploadId: string): Promise<boolean> =>
  uploadsRepository(ctx.db).isAlive(configId, { uploadId, nowMs: ctx.clock.nowMs() })
