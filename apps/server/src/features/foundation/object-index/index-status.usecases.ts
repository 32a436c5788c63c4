import { type IndexStatus, storageErrors } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { toInstantOrNull } from '../../../lib/clock.ts'
import type { StorageConfigRow } from '../storage-configs/storage-configs.table.ts'
import { allConfigs, getConfig } from '../storage-configs/storage-configs.usecases.ts'
import { crawl } from './crawl.usecases.ts'
import { markBehind, wasBehind } from './index-behind.usecases.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import type { ObjectIndexRow } from './object-index.table.ts'
import { indexedUsage } from './object-index.usecases.ts'
import { forgetEverywhere } from './storage-changes.usecases.ts'

const repositoryOf = (ctx: Needs<'db'>) => objectIndexRepository(ctx.db)

/**
 * Returns the progress of a crawl from 0 to 1, relative to the number of indexed objects; `null` before the first
 * complete crawl.
 */
function shareOf(index: ObjectIndexRow | undefined, objects: number): number | null {
  if (index?.state === 'done') return 1
  if (!index || index.completed_at_ms === null) return null
  return objects === 0 ? 0 : Math.min(1, index.crawled_objects / objects)
}

async function statusOf(
  ctx: Needs<'db'>,
  config: StorageConfigRow,
  index: ObjectIndexRow | undefined,
): Promise<IndexStatus> {
  const { objects, bytes } = await indexedUsage(ctx, config.id)
  return {
    configId: config.id,
    name: config.name,
    state: index?.state ?? 'waiting',
    objects,
    bytes,
    complete: (index?.completed_at_ms ?? null) !== null,
    startedAt: toInstantOrNull(index?.started_at_ms ?? null),
    finishedAt: toInstantOrNull(index?.finished_at_ms ?? null),
    progress: { objects: index?.crawled_objects ?? 0, share: shareOf(index, objects) },
    error: index?.error ?? null,
  }
}

/** Returns the state of each storage's index, ordered by storage name. */
export async function listIndexStatus(ctx: Needs<'db'>): Promise<IndexStatus[]> {
  const indexes = new Map((await repositoryOf(ctx).listIndexes()).map((index) => [index.config_id, index]))
  const statuses = []
  for (const config of await allConfigs(ctx))
    statuses.push(await statusOf(ctx, config, indexes.get(config.id)))
  return statuses
}

/**
 * Makes listings read the storage again. Called at the start, because the last index changes can be lost when the
 * process is killed or power fails. If changes are known to be lost, the index is not used until the storage has been
 * crawled again.
 */
export async function distrustListings(ctx: Needs<'config' | 'database' | 'log'>): Promise<void> {
  const isLacking = wasBehind(ctx)
  await ctx.database.transaction(async (trx) => {
    await objectFoldersRepository(trx).forgetAllListings()
    const repository = objectIndexRepository(trx)
    if (isLacking)
      for (const { config_id } of await repository.listIndexes()) await repository.distrust(config_id)
  })
  if (isLacking) markBehind(ctx, false)
}

const crawlSoon = (
  ctx: PlaceNeeds & Needs<'caches' | 'database' | 'log' | 'notices'>,
  o: { name: string; configId: string; isFromStart: boolean },
): void =>
  ctx.jobs.soon({ name: o.name, subject: `crawl of ${o.configId}` }, (signal) =>
    crawl(ctx, { configId: o.configId, signal, isFromStart: o.isFromStart }),
  )

/** Schedules a new crawl of a storage, unless a crawl is running or pending. @throws {AppError} `storage.not_found` */
export async function rebuildIndex(
  ctx: PlaceNeeds & Needs<'caches' | 'database' | 'log' | 'notices'>,
  configId: string,
): Promise<IndexStatus> {
  const config = await getConfig(ctx, configId)
  await repositoryOf(ctx).insertIndex(configId)
  crawlSoon(ctx, { name: 'search.rebuild', configId, isFromStart: true })
  const index = await repositoryOf(ctx).findByConfig(configId)
  if (!index) throw new AppError(storageErrors.not_found)
  return statusOf(ctx, config, index)
}

/** Retries a failed crawl without the usual delay, because the storage might be readable again. */
export async function crawlAnewIfFailed(
  ctx: PlaceNeeds & Needs<'caches' | 'database' | 'log' | 'notices'>,
  configId: string,
): Promise<void> {
  if ((await repositoryOf(ctx).findByConfig(configId))?.state !== 'failed') return
  crawlSoon(ctx, { name: 'search.crawl', configId, isFromStart: false })
}

/**
 * Stops using an index until the storage has been crawled again, because the storage config points to another location.
 * The crawl also removes entries of the old location.
 */
export async function distrustIndex(
  ctx: PlaceNeeds & Needs<'caches' | 'database' | 'log' | 'notices'>,
  configId: string,
): Promise<void> {
  await repositoryOf(ctx).distrust(configId)
  await forgetEverywhere(ctx, configId, null)
  crawlSoon(ctx, { name: 'search.crawl', configId, isFromStart: false })
}
