import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Needs } from '../../../context.ts'
import { clearCaches, clearCachesOf } from '../../../lib/caches.ts'
import { forgetCached } from '../../../storage/cache-notices.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { countMounts, visibleMounts } from '../../foundation/mounts/mounts.usecases.ts'
import { countApiKeys } from '../../foundation/identity/api-keys.usecases.ts'
import { fileFigures } from '../../capabilities/files/own-files.usecases.ts'
import { pasteFigures } from '../../capabilities/pastes/pastes.usecases.ts'
import { presentRestored } from '../../foundation/restored/restored.usecases.ts'
import { hasSamples } from '../samples/samples.usecases.ts'
import { indexedUsage } from '../../foundation/object-index/object-index.usecases.ts'
import { isLocalDisk } from '../../foundation/storage-configs/storage-configs.models.ts'
import type { StorageConfigRow } from '../../foundation/storage-configs/storage-configs.table.ts'
import { allConfigs } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import { readGuide } from '../welcome/welcome.usecases.ts'
import { datesFrom, percentOf, weekOf, weekStartMs } from './dashboard.models.ts'

const UNKNOWN_ROOM_BYTES = 1024 ** 5

/**
 * Returns a function for the free space of a storage without a limit. Unknown space is a constant, because clients
 * divide by the value.
 */
async function findFree(ctx: Needs<'config'>): Promise<(config: StorageConfigRow) => number> {
  // Ignores an error, because the free space is then unknown.
  const disk = await statfs(join(ctx.config.dataDir, 'storage')).catch(() => null)
  return (config) => (disk && isLocalDisk(config) ? disk.bavail * disk.bsize : UNKNOWN_ROOM_BYTES)
}

/**
 * Returns the counters, the used space of each storage, and the number of new texts and files on each of the last seven
 * days.
 */
export async function readDashboard(
  ctx: Needs<'clock' | 'config' | 'db'>,
  { utcOffsetMinutes }: { utcOffsetMinutes: number },
) {
  const sinceMs = weekStartMs(ctx.clock.nowMs(), utcOffsetMinutes)
  const [pastes, files, keys, configs, mounts, restored, guide, samples] = await Promise.all([
    pasteFigures(ctx, sinceMs),
    fileFigures(ctx, sinceMs),
    countApiKeys(ctx),
    allConfigs(ctx),
    countMounts(ctx),
    presentRestored(ctx),
    readGuide(ctx),
    hasSamples(ctx),
  ])
  const freeOf = await findFree(ctx)
  const buckets = await Promise.all(
    configs.map(async (config) => {
      const shared = files.byConfig.get(config.id) ?? { ownFiles: 0, ownBytes: 0 }
      const indexed = await indexedUsage(ctx, config.id)
      // The index contains the files of mounts, but not the objects of shares.
      const usedStorage = shared.ownBytes + indexed.bytes
      return {
        id: config.id,
        name: config.name,
        providerType: config.provider_type,
        bucketName: config.bucket_name,
        usedStorage,
        totalStorage: config.total_storage_bytes ?? usedStorage + freeOf(config),
        hasLimit: config.total_storage_bytes !== null,
        fileCount: shared.ownFiles + indexed.objects,
        usagePercent: percentOf(usedStorage, config.total_storage_bytes),
      }
    }),
  )
  return {
    totalPastes: pastes.total,
    totalFiles: [...files.byConfig.values()].reduce((sum, usage) => sum + usage.files, 0),
    totalApiKeys: keys,
    totalS3Configs: configs.length,
    totalMounts: mounts,
    totalStorageUsed: buckets.reduce((sum, { usedStorage }) => sum + usedStorage, 0),
    s3Buckets: buckets,
    lastWeekPastes: weekOf(pastes.createdByDay),
    lastWeekFiles: weekOf(files.createdByDay),
    lastWeekDays: datesFrom(sinceMs, utcOffsetMinutes),
    guide: guide.state,
    hasSamples: samples,
    restored,
  }
}

const MIB = 1024 * 1024
const inMb = (bytes: number) => Math.round((bytes / MIB) * 100) / 100

/** Returns statistics of this process's caches, its memory in MiB, and its uptime in seconds. */
export function readCacheStats(ctx: Needs<'caches'>) {
  const memory = process.memoryUsage()
  return {
    cache: {
      directory: ctx.caches.directory.figures(),
      s3Url: ctx.caches.s3Url.figures(),
      search: ctx.caches.search.figures(),
    },
    system: {
      memory: {
        rss: inMb(memory.rss),
        heapTotal: inMb(memory.heapTotal),
        heapUsed: inMb(memory.heapUsed),
        external: inMb(memory.external),
        arrayBuffers: inMb(memory.arrayBuffers),
        heapUsagePercent: Math.round((memory.heapUsed / memory.heapTotal) * 100),
      },
      uptime: Math.floor(process.uptime()),
    },
  }
}

/** Returns the requested ids whose caches the caller is allowed to clear; `null` for all. */
async function idsToClear(
  ctx: Needs<'db'>,
  actor: Actor,
  target: { mountId: string | null; s3ConfigId: string | null },
): Promise<string[] | null> {
  const id = target.mountId ?? target.s3ConfigId
  if (actor.kind === 'admin') return id === null ? null : [id]
  const seen = (await visibleMounts(ctx, actor)).flatMap((mount) => [
    mount.id,
    mount.storage_config_id ?? mount.id,
  ])
  return [...new Set(seen)].filter((one) => id === null || one === id)
}

/**
 * Clears the caches of a mount, of a storage, or all caches, in every replica. An API key can only clear the caches of
 * storages and mounts that it sees.
 * @returns the number of entries removed in this process.
 */
export async function emptyCaches(
  ctx: Needs<'caches' | 'db' | 'notices'>,
  actor: Actor,
  target: { mountId: string | null; s3ConfigId: string | null },
): Promise<number> {
  const ids = await idsToClear(ctx, actor, target)
  const cleared =
    ids === null ? clearCaches(ctx.caches) : ids.reduce((sum, id) => sum + clearCachesOf(ctx.caches, id), 0)
  await Promise.all((ids ?? [null]).map((id) => forgetCached(ctx.notices, id)))
  return cleared
}
