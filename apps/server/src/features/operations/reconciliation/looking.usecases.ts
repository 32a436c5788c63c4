import type { ReconciliationReport } from '@dropleaf/contract'
import type { StorageDriver } from '@dropleaf/storage'
import { parseStorageKey } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import type { RunningTask } from '../../../jobs/running-task.ts'
import { toInstant } from '../../../lib/clock.ts'
import { eachOf } from '../../../lib/concurrency.ts'
import {
  abandonedUploads,
  dropAbandonedUploads,
} from '../../capabilities/files/uploads/abandoned-uploads.usecases.ts'
import { carryOutRemovals } from '../../capabilities/files/objects/removals.usecases.ts'
import {
  forgetLostShare,
  isLost,
  isRemovalPlanned,
  planStrayRemoval,
  storedShares,
  strayKeys,
} from '../../capabilities/files/objects/stray-objects.usecases.ts'
import {
  abandonedSessions,
  isSessionUpload,
  sweepSessions,
} from '../../capabilities/fs/uploads/abandoned-sessions.usecases.ts'
import { heldStorages } from '../../foundation/restored/restored.usecases.ts'
import type { StorageConfigRow } from '../../foundation/storage-configs/storage-configs.table.ts'
import { driverOf } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import {
  deadReservations,
  releaseDeadReservations,
} from '../../foundation/storage-usage/storage-usage.usecases.ts'
import { isShareUpload, sweepParts } from '../../capabilities/url-import/url-uploads.usecases.ts'
import { count, name, type Phase, type ReconciliationOrder } from './reconciliation.models.ts'

const SHARES_AT_ONCE = 200
const STATS_AT_ONCE = 8
const OBJECTS_AT_ONCE = 1000
const MINUTE_MS = 60_000

/** A running check, whose report is updated in place. */
export interface Check {
  readonly task: RunningTask
  readonly order: ReconciliationOrder
  readonly report: ReconciliationReport
}

interface Part {
  readonly config: StorageConfigRow
  readonly phase: Phase
  readonly after: string | null
  /** Saves the cursor of the next page in the task. */
  readonly savePosition: (next: string | null) => Promise<void>
}

interface Look extends Part {
  readonly driver: StorageDriver
}

const LOOKS = { shares: lookAtShares, objects: lookAtObjects, parts: lookAtParts } as const

/**
 * Runs one phase of the check on a storage, and removes the kinds of findings in `order.repair`. Objects in a storage
 * that is protected after a restore are not removed.
 * @throws {StorageError} if the storage cannot be read. An object that could not be checked is not reported as lost.
 */
export async function lookAt(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'secrets' | 'storage'>,
  given: Check,
  part: Part,
): Promise<void> {
  const isHeld = (await heldStorages(ctx)).has(part.config.id)
  const check = isHeld ? { ...given, order: withoutDeleting(given.order) } : given
  const driver = await driverOf(ctx, part.config)
  // Fails early if the bucket does not exist; otherwise every object would be reported as missing.
  await driver.list({ prefix: '', limit: 1 }, { signal: check.task.signal })
  await part.savePosition(part.after)
  await LOOKS[part.phase](ctx, check, { ...part, driver })
}

/** Prevents deletions in the storage; rows in the database can still be deleted. */
const withoutDeleting = (order: ReconciliationOrder): ReconciliationOrder => ({
  ...order,
  repair: order.repair.filter((kind) => kind !== 'objects' && kind !== 'parts'),
})

async function lookAtShares(
  ctx: Needs<'db'>,
  { task, order, report }: Check,
  { config, driver, after, savePosition }: Look,
): Promise<void> {
  let afterId = after ?? ''
  for (;;) {
    task.signal.throwIfAborted()
    const shares = await storedShares(ctx, config.id, { afterId, limit: SHARES_AT_ONCE })
    await eachOf(shares, STATS_AT_ONCE, async (share) => {
      if (!(await isLost(ctx, config.id, { driver, share }))) return
      const isRemoved = order.repair.includes('shares') && (await forgetLostShare(ctx, config.id, share))
      count(report, 'shares', { count: 1, bytes: share.size_bytes, isRemoved })
      const { id, slug, filename, storage_key: key, size_bytes: sizeBytes } = share
      const kind = share.bundle_id === null ? 'file' : 'bundle'
      name(report.shares, { id, kind, slug, filename, storage: config.name, key, sizeBytes })
    })
    task.progress.doneItems += shares.length
    afterId = shares.at(-1)?.id ?? afterId
    if (shares.length < SHARES_AT_ONCE) return
    await savePosition(afterId)
  }
}

async function lookAtObjects(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'secrets' | 'storage'>,
  { task, order, report }: Check,
  { config, driver, after, savePosition }: Look,
): Promise<void> {
  let cursor = after
  do {
    const query = { prefix: '', limit: OBJECTS_AT_ONCE, cursor: cursor ?? undefined }
    const page = await driver.list(query, { signal: task.signal })
    const untilMs = ctx.clock.nowMs() - order.graceMinutes * MINUTE_MS
    const old = page.objects.filter(({ modifiedAtMs }) => modifiedAtMs <= untilMs)
    const stray = await strayKeys(
      ctx,
      config.id,
      old.map(({ key }) => key),
    )
    const planned: string[] = []
    for (const object of old.filter(({ key }) => stray.has(key))) {
      // Skips an object that was deleted with its share after the page was listed.
      if (!(await driver.stat(parseStorageKey(object.key)))) continue
      const { key, sizeBytes, modifiedAtMs } = object
      if (order.repair.includes('objects') && (await planStrayRemoval(ctx, config.id, key))) planned.push(key)
      count(report, 'objects', { count: 1, bytes: sizeBytes, isRemoved: false })
      name(report.objects, { storage: config.name, key, sizeBytes, modifiedAt: toInstant(modifiedAtMs) })
    }
    if (planned.length > 0) {
      await carryOutRemovals(ctx, task.signal)
      // Objects that the storage failed to delete are retried later, and not counted as removed.
      for (const key of planned)
        if (!(await isRemovalPlanned(ctx, config.id, key))) report.found.objects.removed += 1
    }
    task.progress.doneItems += page.objects.length
    cursor = page.nextCursor
    if (cursor !== null) await savePosition(cursor)
  } while (cursor !== null)
}

async function lookAtParts(
  ctx: Needs<'clock' | 'db'>,
  { order, report }: Check,
  { config, driver }: Look,
): Promise<void> {
  const isRemoved = order.repair.includes('parts')
  const swept = await driver.sweepTemporary({
    olderThanMs: order.graceMinutes * MINUTE_MS,
    isDryRun: !isRemoved,
    isInUse: async (uploadId) =>
      (await isSessionUpload(ctx, config.id, uploadId)) || (await isShareUpload(ctx, config.id, uploadId)),
  })
  count(report, 'parts', { count: swept.files, bytes: swept.sizeBytes, isRemoved })
}

/**
 * Counts expired uploads and unused reservations, and removes them if `order.repair` contains `reservations`. The
 * regular sweeps also remove them.
 */
export async function lookAtReservations(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'storage'>,
  { task, order, report }: Check,
): Promise<void> {
  const isRemoved = order.repair.includes('reservations')
  for (const { count: number, bytes } of await Promise.all([
    abandonedUploads(ctx),
    abandonedSessions(ctx),
    deadReservations(ctx),
  ]))
    count(report, 'reservations', { count: number, bytes, isRemoved })
  if (!isRemoved) return
  await dropAbandonedUploads(ctx, task.signal)
  await sweepSessions(ctx, task.signal)
  await sweepParts(ctx)
  await releaseDeadReservations(ctx)
  await carryOutRemovals(ctx, task.signal)
}
