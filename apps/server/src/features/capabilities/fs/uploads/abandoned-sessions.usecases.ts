import { parseStorageKey } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { dropBytes } from './upload-sessions.usecases.ts'
import { uploadsRepository } from './uploads.repository.ts'
import type { FsUploadRow } from './uploads.table.ts'

const BATCH_ROWS = 200
/** Time after the expiry during which a request that started earlier may still be running. */
const GRACE_MS = 15 * 60_000

/**
 * Deletes one abandoned upload. If its storage is unreachable, the row remains for the next sweep.
 * @returns whether the upload was deleted.
 */
async function sweepOne(
  ctx: Needs<'db' | 'log' | 'storage'>,
  row: FsUploadRow,
  nowMs: number,
): Promise<boolean> {
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

/** Deletes the bytes of abandoned upload sessions, and the rows of ended sessions. */
export async function sweepSessions(
  ctx: Needs<'clock' | 'db' | 'log' | 'storage'>,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = ctx.clock.nowMs() - GRACE_MS
  const silent = new Set<string>()
  let afterId = ''
  for (;;) {
    const due = await uploadsRepository(ctx.db).findExpired(nowMs, { afterId, limit: BATCH_ROWS })
    for (const row of due) {
      if (signal.aborted) return
      // Skips a storage that has failed, so that it does not delay the deletion in other storages.
      if (silent.has(row.storage_config_id)) continue
      if (!(await sweepOne(ctx, row, nowMs))) silent.add(row.storage_config_id)
    }
    afterId = due.at(-1)?.id ?? afterId
    if (due.length < BATCH_ROWS || signal.aborted) return
  }
}

/** Returns the number and the announced bytes of abandoned uploads that have not been deleted yet. */
export const abandonedSessions = (ctx: Needs<'clock' | 'db'>): Promise<{ count: number; bytes: number }> =>
  uploadsRepository(ctx.db).sumAbandoned(ctx.clock.nowMs() - GRACE_MS)

/** Returns whether a multipart upload in the storage belongs to an open session. */
export const isSessionUpload = (
  ctx: Needs<'clock' | 'db'>,
  configId: string,
  uploadId: string,
): Promise<boolean> => uploadsRepository(ctx.db).isAlive(configId, { uploadId, nowMs: ctx.clock.nowMs() })
