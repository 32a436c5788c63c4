import { join } from 'node:path'
import { createFreeRoom, type FreeRoom } from '@dropleaf/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config/config.ts'
import { type OpenDatabase, openDatabase } from './db/database.ts'
import { migrateToLatest } from './db/migrate.ts'
import { createLocalNotices, type Notices, openPostgresNotices } from './db/notices.ts'
import { AuditLog } from './audit/audit-log.ts'
import { Throttles } from './throttles/throttles.ts'
import { createTickets, type Tickets } from './tickets/tickets.ts'
import { Scheduler } from './jobs/scheduler.ts'
import { TaskQueue } from './jobs/task-queue.ts'
import { type Caches, createCaches } from './lib/caches.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { createEvents, type Events } from './lib/events.ts'
import { createPasswords, type Passwords } from './lib/passwords.ts'
import { createSecrets, type Secrets } from './lib/secrets.ts'
import { parseAllowList } from './outbound/addresses.ts'
import { Fetcher, type Resolve } from './outbound/fetcher.ts'
import { createProcessState, type ProcessState } from './process-state.ts'
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
import { UnfinishedUploads } from './storage/unfinished-uploads.ts'

const MIB = 1024 ** 2

/**
 * Dependencies of the use cases. They are built once; tests can override some. Routes receive the whole context; a use
 * case declares the members that it needs with {@link Needs}.
 */
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
  readonly state: ProcessState
  readonly jobs: Scheduler
  readonly audit: AuditLog
  readonly notices: Notices
  readonly events: Events
  readonly tasks: TaskQueue
  readonly tickets: Tickets
  readonly fetcher: Fetcher
  readonly thumbnails: { readonly maker: Thumbnailer; readonly cache: ThumbnailCache }
  /** Disk space that texts may use. Files are refused earlier, so that space for texts and deletions remains. */
  readonly room: FreeRoom
  /** Tracing; `null` if the configuration names no collector of traces, or turns tracing off. */
  readonly tracing: Tracing | null
  readonly log: FastifyBaseLogger
  close(): Promise<void>
}

/** The members of the context that a function needs. */
export type Needs<Part extends keyof AppContext> = Pick<AppContext, Part>

/** Dependencies for reading objects of storages. */
export type StorageNeeds = Needs<'clock' | 'db' | 'jobs' | 'storage'>
/** Dependencies for finding the object of a virtual path. */
export type PlaceNeeds = StorageNeeds & Needs<'secrets'>
/** Dependencies for receiving uploads of shares. */
export type UploadNeeds = PlaceNeeds & Needs<'database' | 'log' | 'passwords'>
/** Dependencies for updating the object index and its caches. */
export type IndexNeeds = Needs<
  'caches' | 'clock' | 'config' | 'database' | 'jobs' | 'log' | 'notices' | 'state'
>
/** Dependencies for writing objects and publishing the change. */
export type WriteNeeds = IndexNeeds & StorageNeeds

export interface ContextOverrides {
  readonly clock?: Clock
  readonly passwords?: Passwords
  /** Resolves host names in URLs that users enter. */
  readonly resolve?: Resolve
}

/** Loads the tracing library only if tracing is configured. */
async function findTracing(config: Config): Promise<Tracing | null> {
  if (config.otelEndpoint === null || config.otelDisabled) return null
  const { OpenTracing } = await import('./tracing/open-tracing.ts')
  return new OpenTracing(config, config.databaseUrl === null ? 'sqlite' : 'postgres')
}

/** Dependencies that all other parts need. */
type Basis = Pick<
  AppContext,
  'config' | 'database' | 'db' | 'clock' | 'secrets' | 'notices' | 'tracing' | 'log'
>

function openStorage({ config, db, clock, secrets, tracing, log }: Basis) {
  const unfinished = new UnfinishedUploads({ db, clock, log })
  const storage = createStorageDrivers({
    dataDir: config.dataDir,
    diskSyncs: config.fsync === 'always',
    onTakenOver: (folder, { restored, left, keptIn }) =>
      log.warn(
        { folder, restored, left, keptIn },
        keptIn === null
          ? 'restored files from the journal of an older server'
          : 'could not restore all files from the journal of an older server; the journal is kept',
      ),
    diskReserveBytes: config.diskReserveMb * MIB,
    secrets,
    clock,
    noteUploads: (configId) => unfinished.noting(configId),
    tracing,
  })
  const room = createFreeRoom(config.dataDir, {
    reserveBytes: config.databaseUrl === null ? (config.diskReserveMb * MIB) / 2 : 0,
  })
  return { unfinished, storage, room }
}

/** Creates the services that work outside of requests. */
function openBackground({ database, db, clock, notices, tracing, log }: Basis) {
  return {
    jobs: new Scheduler({ database, log, tracing }),
    tasks: new TaskQueue({ db, clock, notices, log, tracing }),
    audit: new AuditLog({ db, clock, log }),
  }
}

function openCaches({ config, notices }: Basis) {
  const caches = createCaches()
  followForgetting(notices, caches)
  const cache = createThumbnailCache(join(config.dataDir, 'thumbnails'), config.thumbnailCacheMb * MIB)
  return { caches, thumbnails: { maker: createThumbnailer(), cache } }
}

/** Creates the services for passwords, limits, tickets and outbound requests. */
function openGuards({ config, db, clock }: Basis, { passwords, resolve }: ContextOverrides) {
  return {
    passwords: passwords ?? createPasswords(),
    throttles: new Throttles(db, clock),
    tickets: createTickets(db, clock),
    fetcher: new Fetcher({ allow: parseAllowList(config.urlFetchAllow), resolve }),
  }
}

async function close(ctx: Omit<AppContext, 'close'>): Promise<void> {
  ctx.thumbnails.maker.close()
  await ctx.tasks.stop()
  await ctx.jobs.stop()
  await ctx.audit.close()
  await ctx.notices.close()
  await ctx.storage.close()
  ctx.unfinished.close()
  await ctx.database.close()
  await ctx.tracing?.close()
}

/**
 * Opens and migrates the database, and creates all other dependencies.
 * @throws {StartError} if the data folder is locked, unusable, or contains an incomplete restore; if PostgreSQL cannot
 * be used; if the secret is missing or does not match the database; if a newer version has changed the database
 * @throws {Error} if the SQLite database cannot be opened, or if a migration fails
 */
export async function createContext(
  config: Config,
  log: FastifyBaseLogger,
  overrides: ContextOverrides = {},
): Promise<AppContext> {
  const clock = overrides.clock ?? systemClock
  // With PostgreSQL there is no lock, because several processes can share the folder. Such a process deletes no
  // leftovers at its start.
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
    const { db } = database
    const secrets = createSecrets(await loadSecret(config, db, clock))
    const notices =
      config.databaseUrl === null ? createLocalNotices() : await openPostgresNotices(config.databaseUrl)
    const basis: Basis = { config, database, db, clock, secrets, notices, tracing, log }
    const ctx = {
      ...basis,
      ...openStorage(basis),
      ...openBackground(basis),
      ...openCaches(basis),
      state: createProcessState(database),
      ...openGuards(basis, overrides),
      events: createEvents(),
    }
    return {
      ...ctx,
      async close() {
        await close(ctx)
        lock?.release()
      },
    }
  } catch (error) {
    await database.close()
    lock?.release()
    throw error
  }
}
