import { parseStorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import type { UnfinishedUpload } from '../../storage/unfinished-uploads.ts'
import { isSessionUpload } from '../fs/abandoned-sessions.usecases.ts'
import { heldStorages } from '../restored/restored.usecases.ts'
import { driverOf, getConfig } from '../storage-configs/storage-configs.usecases.ts'
import { isShareUpload } from '../url-import/url-uploads.usecases.ts'

const BATCH_ROWS = 200
/** How far the clock of a storage may be ahead: what it dates there is not younger than the row that tells of it. */
const SKEW_MS = 15 * 60_000

/** Removes the parts of one object that no upload accounts for. While somebody is at such an upload, its turn is later. */
async function sweepOne(ctx: AppContext, { id, configId, key }: UnfinishedUpload): Promise<void> {
  const place = { configId, key }
  if (await ctx.unfinished.isUnderWay(place)) return
  const driver = await driverOf(ctx, await getConfig(ctx, configId))
  let hasBegunAnew = false
  await driver.sweepTemporary({
    olderThanMs: -SKEW_MS,
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
 * Removes from buckets what a process that died was uploading. A storage that cannot be reached is asked again the next
 * time, as is one in which nothing is deleted after a restore.
 */
export async function sweepUnfinishedUploads(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const held = await heldStorages(ctx)
  let afterId = ''
  for (;;) {
    const dead = await ctx.unfinished.findDead({ afterId, limit: BATCH_ROWS })
    for (const upload of dead.filter(({ configId }) => !held.has(configId))) {
      if (signal.aborted) return
      try {
        await sweepOne(ctx, upload)
      } catch (error) {
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
