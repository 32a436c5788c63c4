import { setTimeout as sleep } from 'node:timers/promises'
import type { ListPage, ObjectStat, StorageDriver } from '@dropleaf/storage'
import { StorageError } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { shareObjectsAmong } from '../share-objects/share-objects.usecases.ts'
import { activeMounts } from '../mounts/mounts.usecases.ts'
import { driverOf, getConfig } from '../storage-configs/storage-configs.usecases.ts'
import {
  applyToIndex,
  chunksOf,
  dropFolders,
  dropTree,
  foldersIn,
  objectsIn,
} from './index-batches.usecases.ts'
import { indexedObjectsRepository } from './indexed-objects.repository.ts'
import { foldersAround } from './object-index.models.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import type { ObjectIndexRow } from './object-index.table.ts'
import { forgetEverywhere } from './storage-changes.usecases.ts'

/** Topic of messages about crawls: `{configId, state, objects}`. */
const CRAWL_TOPIC = 'search.crawl'

const CRAWL_PAGE = 1000
/** Interval between crawls, which find changes made outside the server. */
const CRAWL_AGAIN_MS = 6 * 3_600_000
const TRY_AGAIN_MS = 10 * 60_000
const TELL_EVERY_MS = 1000
const TOMBSTONES_MS = 24 * 3_600_000
/** Ratio of work to pauses. A crawl pauses, because SQLite writes block the process. */
const WORK_SHARE = 4

const repositoryOf = (ctx: Needs<'db'>) => objectIndexRepository(ctx.db)

interface Crawl {
  readonly configId: string
  readonly indexId: number
  /** The index's `sequence` when the crawl started. */
  readonly since: number
}

/** Updates the index with one page. Removes entries in the page's key range that are not in the page. */
async function takePage(
  ctx: Needs<'clock' | 'database' | 'db' | 'secrets'>,
  {
    crawl,
    found,
    after,
    upTo,
  }: { crawl: Crawl; found: readonly ObjectStat[]; after: string | null; upTo: string | null },
): Promise<void> {
  const { configId, since } = crawl
  const ofShares = await shareObjectsAmong(
    ctx,
    { db: ctx.db, configId },
    found.map(({ key }) => key),
  )
  const objects = found.filter(({ key }) => !ofShares.has(key))
  const range = { indexId: crawl.indexId, prefix: '', after, upTo }
  const shown = new Map(objects.map((object) => [object.key as string, object]))
  for await (const rows of objectsIn(ctx, range)) {
    const removed = []
    for (const row of rows) {
      const object = shown.get(row.key)
      if (!object) removed.push(row.key)
      else if (
        object.sizeBytes === row.size_bytes &&
        object.etag === row.etag &&
        object.modifiedAtMs === row.modified_at_ms
      )
        shown.delete(row.key)
    }
    if (removed.length > 0) await applyToIndex(ctx, configId, { written: [], removed, since })
  }
  for await (const written of chunksOf([...shown.values()], ctx.database.batchRows)) {
    const startedAt = performance.now()
    await applyToIndex(ctx, configId, { written, removed: [], since })
    await sleep((performance.now() - startedAt) / WORK_SHARE)
  }
  const marked = new Set(objects.map(({ key }) => key as string).filter((key) => key.endsWith('/')))
  const there = new Set([...marked, ...objects.flatMap(({ key }) => foldersAround(key))])
  const gone: string[] = []
  for await (const rows of foldersIn(ctx, range))
    gone.push(
      ...rows
        .filter((row) => (row.is_marked === 1 ? !marked.has(row.key) : !there.has(row.key)))
        .map(({ key }) => key),
    )
  await dropFolders(ctx, { configId, keys: gone.filter((key) => key !== ''), since })
}

function createTeller(ctx: Needs<'notices'>, configId: string) {
  let toldAt = -Infinity
  return async (state: ObjectIndexRow['state'], objects: number) => {
    if (state === 'crawling' && performance.now() - toldAt < TELL_EVERY_MS) return
    toldAt = performance.now()
    await ctx.notices.publish({ topic: CRAWL_TOPIC, payload: { configId, state, objects } })
  }
}

/** Starts a crawl, or resumes an interrupted crawl. */
async function begin(
  ctx: Needs<'clock' | 'db'>,
  configId: string,
  isFromStart: boolean,
): Promise<ObjectIndexRow> {
  const repository = repositoryOf(ctx)
  await repository.insertIndex(configId)
  const index = await repository.findByConfig(configId)
  if (!index) throw new Error('An index could not be made.')
  const isToResume =
    !isFromStart && index.state !== 'done' && index.crawl_sequence !== null && index.crawl_cursor !== null
  if (!isToResume) {
    await repository.updateCrawl(index.id, {
      crawl_sequence: index.sequence,
      crawl_after: null,
      crawl_cursor: null,
      crawled_objects: 0,
      started_at_ms: ctx.clock.nowMs(),
    })
  }
  await repository.updateCrawl(index.id, { state: 'crawling', finished_at_ms: null, error: null })
  return (await repository.findByConfig(configId)) ?? index
}

interface Run {
  readonly index: ObjectIndexRow
  readonly driver: StorageDriver
  readonly signal: AbortSignal
}

/**
 * Processes the storage page by page, prefetching the next page. Stops between pages when `signal` aborts.
 * @returns false if the index was distrusted during the crawl, for example because the storage was relocated. The pages
 * can then be outdated.
 */
async function goThrough(
  ctx: Needs<'caches' | 'clock' | 'database' | 'db' | 'log' | 'notices' | 'secrets'>,
  { index, driver, signal }: Run,
): Promise<boolean> {
  const repository = repositoryOf(ctx)
  const crawl = {
    configId: index.config_id,
    indexId: index.id,
    since: index.crawl_sequence ?? index.sequence,
  }
  const own = { id: crawl.indexId, since: crawl.since }
  const tell = createTeller(ctx, crawl.configId)
  let after = index.crawl_after
  let objects = index.crawled_objects
  const ask = (cursor: string | null) =>
    driver.list({ prefix: '', limit: CRAWL_PAGE, cursor: cursor ?? undefined }, { signal })
  let coming: Promise<ListPage> | null = ask(index.crawl_cursor)
  while (coming) {
    const page: ListPage = await coming
    coming = page.nextCursor === null ? null : ask(page.nextCursor)
    // Prevents an unhandled rejection; the error is handled where the page is awaited.
    coming?.catch(() => undefined)
    const last = page.objects.at(-1)?.key ?? after
    const upTo = page.nextCursor === null ? null : last
    if (upTo !== after || upTo === null) await takePage(ctx, { crawl, found: page.objects, after, upTo })
    after = upTo
    objects += page.objects.length
    const progress = { crawl_after: after, crawl_cursor: page.nextCursor, crawled_objects: objects }
    if (!(await repository.advanceCrawl(own, progress))) return false
    await tell('crawling', objects)
    if (signal.aborted && page.nextCursor !== null) return true
  }
  const nowMs = ctx.clock.nowMs()
  const end = { state: 'done', finished_at_ms: nowMs, completed_at_ms: nowMs, crawl_sequence: null } as const
  if (!(await repository.advanceCrawl(own, end))) return false
  await forgetEverywhere(ctx, crawl.configId, null)
  await tell('done', objects)
  return true
}

/** Returns the error code of a failed crawl, without the storage's message. */
const codeOf = (error: unknown) => (error instanceof StorageError ? error.code : 'request.internal')

interface CrawlRequest {
  readonly configId: string
  readonly signal: AbortSignal
  readonly isFromStart?: boolean
}

/** @returns false if the crawl must restart immediately, because the index was distrusted during the crawl. */
async function crawlOnce(
  ctx: Needs<'caches' | 'clock' | 'database' | 'db' | 'log' | 'notices' | 'secrets' | 'storage'>,
  { configId, signal, isFromStart = false }: CrawlRequest,
): Promise<boolean> {
  const index = await begin(ctx, configId, isFromStart)
  try {
    const driver = await driverOf(ctx, await getConfig(ctx, configId))
    return await goThrough(ctx, { index, driver, signal })
  } catch (error) {
    if (signal.aborted) return true
    ctx.log.warn({ err: error, config: configId }, 'a storage could not be indexed; it is tried again')
    const isLost = error instanceof StorageError && error.code === 'storage.invalid_key'
    const own = { id: index.id, since: index.crawl_sequence ?? index.sequence }
    const isOurs = await repositoryOf(ctx).advanceCrawl(own, {
      state: 'failed',
      error: codeOf(error),
      finished_at_ms: ctx.clock.nowMs(),
      // A rejected cursor is deleted, so that the next crawl starts from the beginning.
      ...(isLost ? { crawl_cursor: null } : {}),
    })
    if (isOurs) await createTeller(ctx, configId)('failed', index.crawled_objects)
    // Does not restart if the storage and its index were deleted during the crawl.
    return isOurs || !(await repositoryOf(ctx).findByConfig(configId))
  }
}

/**
 * Crawls a whole storage, or resumes an interrupted crawl. Does nothing if another call already crawls the storage.
 * Failures are logged and stored, not thrown.
 */
export async function crawl(
  ctx: Needs<'caches' | 'clock' | 'database' | 'db' | 'log' | 'notices' | 'secrets' | 'storage'>,
  request: CrawlRequest,
): Promise<void> {
  await ctx.database.exclusively(`crawl:${request.configId}`, async () => {
    let isSettled = await crawlOnce(ctx, request)
    while (!isSettled && !request.signal.aborted) isSettled = await crawlOnce(ctx, request)
  })
}

function isDue(index: ObjectIndexRow | undefined, nowMs: number): boolean {
  if (!index || index.state === 'waiting' || index.state === 'crawling') return true
  const restMs = index.state === 'failed' ? TRY_AGAIN_MS : CRAWL_AGAIN_MS
  return (index.finished_at_ms ?? 0) + restMs <= nowMs
}

/** Deletes the indexes of deleted storages. */
async function dropOrphans(
  ctx: Needs<'clock' | 'database' | 'db' | 'secrets'>,
  signal: AbortSignal,
): Promise<void> {
  const repository = repositoryOf(ctx)
  for (const { id, config_id: configId } of await repository.findOrphans()) {
    if (signal.aborted) return
    await dropTree(ctx, { configId, indexId: id, folder: '', since: Number.MAX_SAFE_INTEGER })
    await repository.deleteIndex(id)
  }
}

/**
 * Crawls every storage of an active mount whose crawl is due. Also deletes old tombstones, and the indexes of deleted
 * storages.
 */
export async function crawlDue(
  ctx: Needs<'caches' | 'clock' | 'database' | 'db' | 'log' | 'notices' | 'secrets' | 'storage'>,
  signal: AbortSignal,
): Promise<void> {
  const objects = indexedObjectsRepository(ctx.db)
  await objects.deleteTombstonesBefore(ctx.clock.nowMs() - TOMBSTONES_MS)
  await dropOrphans(ctx, signal)
  const mounted = new Set((await activeMounts(ctx)).flatMap((mount) => mount.storage_config_id ?? []))
  const indexes = new Map((await repositoryOf(ctx).listIndexes()).map((index) => [index.config_id, index]))
  for (const configId of mounted) {
    if (signal.aborted) return
    if (isDue(indexes.get(configId), ctx.clock.nowMs())) await crawl(ctx, { configId, signal })
  }
}
