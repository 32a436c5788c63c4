import { parseStorageKey } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import type { UnfinishedUpload } from '../../../storage/unfinished-uploads.ts'
import { isSessionUpload } from '../../capabilities/fs/uploads/abandoned-sessions.usecases.ts'
import { heldStorages } from '../../foundation/restored/restored.usecases.ts'
import { driverOf, getConfig } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { isShareUpload } from '../../capabilities/url-import/url-uploads.usecases.ts'

const BATCH_ROWS = 200

/** Deletes the orphaned parts of one object. Skips the object while a live process is uploading it. */
async function sweepOne(
  ctx: Needs<'clock' | 'db' | 'storage' | 'unfinished'>,
  { id, configId, key }: UnfinishedUpload,
  signal: AbortSignal,
): Promise<void> {
  const place = { configId, key }
  if (await ctx.unfinished.isUnderWay(place)) return
  const driver = await driverOf(ctx, await getConfig(ctx, configId))
  let hasBegunAnew = false
  await driver.sweepTemporary({
    // Does not compare with the storage's clock, because the age of the row in the database is enough.
    olderThanMs: -Infinity,
    signal,
    key: parseStorageKey(key),
    async isInUse(uploadId) {
      hasBegunAnew ||= await ctx.unfinished.isUnderWay(place)
      return (
        hasBegunAnew ||
        (await isSessionUpload(ctx, configId, uploadId)) ||
        (await isShareUpload(ctx, configId, uploadId))
      )
    },
  })
  if (!hasBegunAnew) await ctx.unfinished.forget(id)
}

/**
 * Deletes incomplete uploads of dead processes from buckets. Skips an unreachable storage until the next run, so that
 * it does not delay the deletion in other storages. Also skips storages that are protected after a restore.
 */
export async function sweepUnfinishedUploads(
  ctx: Needs<'clock' | 'db' | 'log' | 'storage' | 'unfinished'>,
  signal: AbortSignal,
): Promise<void> {
  const leftOut = new Set(await heldStorages(ctx))
  let afterId = ''
  for (;;) {
    const dead = await ctx.unfinished.findDead({ afterId, limit: BATCH_ROWS })
    for (const upload of dead) {
      if (signal.aborted) return
      if (leftOut.has(upload.configId)) continue
      try {
        await sweepOne(ctx, upload, signal)
      } catch (error) {
        if (signal.aborted) return
        leftOut.add(upload.configId)
        ctx.log.warn(
          { err: error, config: upload.configId },
          'an unfinished upload could not be removed; it is tried again',
        )
      }
    }
    afterId = dead.at(-1)?.id ?? afterId
    if (dead.length < BATCH_ROWS) return
  }
}
