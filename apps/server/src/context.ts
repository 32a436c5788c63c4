import { join } from 'node:path'
import { createFreeRoom, type FreeRoom } from '@dropleaf/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config/config.ts'
import { type OpenDatabase, openDatabase } from './db/database.ts'
import { migrateToLatest } from './db/migrate.ts'
import { createLocalNotices, type Notices, openPostgresNotices } from './db/notices.ts'
import { type AuditLog, createAuditLog } from './audit/audit-log.ts'
import { createThrottles, type Throttles } from './throttles/throttles.ts'
import { createTickets, type Tickets } from './tickets/tickets.ts'
import { createScheduler, type Scheduler } from './jobs/scheduler.ts'
import { createTaskQueue, type TaskQueue } from './jobs/task-queue.ts'
import { type Caches, createCaches } from './lib/caches.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { createEvents, type Events } from './lib/events.ts'
import { createPasswords, type Passwords } from './lib/passwords.ts'
import { createSecrets, type Secrets } from './lib/secrets.ts'
import { parseAllowList } from './outbound/addresses.ts'
import { createFetcher, type Fetcher, type Resolve } from './outbound/fetcher.ts'
import type { Db, Schema } from './schema.ts'
import { createThumbnailCache, type ThumbnailCache } from './images/thumbnail-cache.ts'
import { createThumbnailer, type Thumbnailer } from './images/thumbnailer.ts'
import {
  DATABASE_FILE,
  lockDataDir,
  makePrivateFolders,
  requireNoHalfRestore,
} from './config/data-dir-lock.ts'
import { loadSecret } from './config/secret.ts'
import { followForgetting } from './storage/cache-notices.ts'
import type { Tracing } from './tracing/tracing.ts'
import { createStorageDrivers, type StorageDrivers } from './storage/drivers.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from './storage/unfinished-uploads.ts'

const MIB = 1024 ** 2

/** Everything a use case may need; built once, tests pass overrides. */
export interface AppContext {
  readonly config: Config
  readonly database: OpenDatabase<Schema>
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly storage: StorageDrivers
  readonly unfinished: UnfinishedUploads
  readonly throttles: Throttles
  readonly caches: Caches
  readonly jobs: Scheduler
  /** What administrators and keys have done. */
  readonly audit: AuditLog
  readonly notices: Notices
  readonly events: Events
  readonly tasks: TaskQueue
  readonly tickets: Tickets
  readonly fetcher: Fetcher
  readonly thumbnails: { readonly maker: Thumbnailer; readonly kept: ThumbnailCache }
  /** Where texts go. Files stop earlier, so that texts still have room, and whoever removes something after them. */
  readonly room: FreeRoom
  /** `null` unless the configuration names where spans go. */
  readonly tracing: Tracing | null
  readonly log: FastifyBaseLogger
  close(): Promise<void>
}

export interface ContextOverrides {
  readonly clock?: Clock
  readonly passwords?: Passwords
  /** Resolves the hosts of addresses that users give. */
  readonly resolve?: Resolve
}

/** The library is loaded by those who use it: it costs the others nothing. */
async function findTracing(config: Config): Promise<Tracing | null> {
  if (config.otelEndpoint === null || config.otelDisabled) return null
  const { openTracing } = await import('./tracing/open-tracing.ts')
  return openTracing(config, config.databaseUrl === null ? 'sqlite' : 'postgres')
}

/**
 * Opens the database, brings it up to date, and gathers the rest.
 * @throws {Error} when the database cannot be opened or the secret does not fit it.
 */
export async function createContext(
  config: Config,
  log: FastifyBaseLogger,
  overrides: ContextOverrides = {},
): Promise<AppContext> {
  const clock = overrides.clock ?? systemClock
  // With PostgreSQL several processes may share the folder; then none of them takes what it finds for leftovers.
  const lock = config.databaseUrl === null ? lockDataDir(config.dataDir) : null
  requireNoHalfRestore(config.dataDir)
  makePrivateFolders(config.dataDir)
  const tracing = await findTracing(config)
  const database = await openDatabase<Schema>({
    url: config.databaseUrl,
    sqliteFile: join(config.dataDir, DATABASE_FILE),
    poolSize: config.databasePoolSize,
    onStatement: tracing?.statement,
  })
  try {
    const applied = await migrateToLatest(database)
    if (applied.length > 0) log.info({ applied }, 'database brought up to date')
    const secrets = createSecrets(await loadSecret(config, database.db, clock))
    const unfinished = createUnfinishedUploads({ db: database.db, clock, log })
    const storage = createStorageDrivers({
      dataDir: config.dataDir,
      diskSyncs: config.fsync === 'always',
      onTakenOver: (folder, { restored, left, keptIn }) =>
        log.warn(
          { folder, restored, left, keptIn },
          left.length === 0
            ? 'restored files from the journal of an older server'
            : 'could not restore all files from the journal of an older server; the journal is kept',
        ),
      diskReserveBytes: config.diskReserveMb * MIB,
      secrets,
      clock,
      noteUploads: (configId) => unfinished.noting(configId),
      tracing,
    })
    const throttles = createThrottles(database.db, clock)
    const jobs = createScheduler({ database, log, tracing })
    const audit = createAuditLog({ db: database.db, clock, log })
    const notices =
      config.databaseUrl === null ? createLocalNotices() : await openPostgresNotices(config.databaseUrl)
    const caches = createCaches()
    followForgetting(notices, caches)
    const maker = createThumbnailer()
    const tasks = createTaskQueue({ db: database.db, clock, notices, log, tracing })
    return {
      config,
      database,
      db: database.db,
      clock,
      secrets,
      passwords: overrides.passwords ?? createPasswords(),
      storage,
      unfinished,
      throttles,
      caches,
      jobs,
      audit,
      notices,
      events: createEvents(),
      tasks,
      tickets: createTickets(database.db, clock),
      fetcher: createFetcher({
        allow: parseAllowList(config.urlFetchAllow),
        resolve: overrides.resolve,
      }),
      thumbnails: {
        maker,
        kept: createThumbnailCache(join(config.dataDir, 'thumbnails'), config.thumbnailCacheMb * 1024 * 1024),
      },
      room: createFreeRoom(config.dataDir, {
        reserveBytes: config.databaseUrl === null ? (config.diskReserveMb * MIB) / 2 : 0,
      }),
      tracing,
      log,
      async close() {
        maker.close()
        await tasks.stop()
        await jobs.stop()
        await audit.close()
        await notices.close()
        await storage.close()
        unfinished.close()
        await database.close()
        await tracing?.close()
        lock?.release()
      },
    }
  } catch (error) {
    await database.close()
    lock?.release()
    throw error
  }
}
