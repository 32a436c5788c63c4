import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FolderStat,
  type ListPage,
  type ObjectStat,
  parseFolderKey,
  type StorageDriver,
} from '@dropleaf/storage'
import { fsErrors } from '@dropleaf/contract'
import { parseStorageKey } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { SharedReads } from '../../../../lib/concurrency.ts'
import { nameOf, sortKeyOf } from '../../../foundation/object-index/object-index.models.ts'
import {
  feedFolder,
  forgetFolder,
  indexPosition,
} from '../../../foundation/object-index/folder-index.usecases.ts'

/** Number of entries per page of a listing; a storage can return fewer. */
const WALK_PAGE = 1000

export interface FolderToWalk {
  readonly configId: string
  readonly driver: StorageDriver
  /** Key of the folder, empty for the root; otherwise with a trailing slash. */
  readonly folder: string
  /**
   * Whether the driver shows objects of shares. If so, the result must not be shared with callers that do not see them.
   */
  readonly showsShareObjects: boolean
}

const walkOf = ({ configId, folder, showsShareObjects }: FolderToWalk): string =>
  `${configId}:${showsShareObjects ? 'all' : 'seen'}:${folder}`

export type WalkedFile = ObjectStat & { readonly sortKey: string }

/** Content of a folder as listed by the storage. */
export interface WalkedFolder {
  readonly objects: readonly WalkedFile[]
  readonly folders: readonly FolderStat[]
  /** The storage's cursor for the next page; `null` at the end. */
  readonly nextCursor: string | null
  /** Number of keys that are not shown, because no path can address them. */
  readonly unnamedCount: number
}

/**
 * Checks that a folder without entries exists.
 * @returns its marker; `null` for the root, which needs none.
 * @throws {AppError} `fs.not_found`; `fs.not_a_folder` if a file has this name
 */
async function requireMarker({ driver, folder }: FolderToWalk): Promise<ObjectStat | null> {
  if (folder === '') return null
  const marker = await driver.stat(parseFolderKey(folder))
  if (marker) return marker
  throw new AppError(
    (await driver.stat(parseStorageKey(folder.slice(0, -1)))) ? fsErrors.not_a_folder : fsErrors.not_found,
  )
}

interface Seen extends WalkedFolder {
  readonly since: number
  readonly startedAtMs: number
  /** Whether the listing started at the beginning of the folder. */
  readonly isFromStart: boolean
}

/** Delay in milliseconds before the index is updated, so that the response is sent first. */
const FEED_AFTER_MS = 400

/** Updates the index after a delay, never twice at the same time for one folder. */
function feedSoon(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  at: FolderToWalk,
  { seen, marker }: { seen: Seen; marker: ObjectStat | null },
) {
  const { configId, folder } = at
  const busy = ctx.state.folderUpdates
  const name = `${configId}:${folder}`
  if (busy.has(name)) return
  busy.add(name)
  const isWhole = seen.isFromStart && seen.nextCursor === null
  ctx.jobs.background('search.feed-folder', async (signal) => {
    try {
      await sleep(FEED_AFTER_MS, undefined, { signal })
      const wholeSinceMs = isWhole ? seen.startedAtMs : null
      // The index cannot represent keys that no path can address, so a folder with such keys is always read from its
      // storage.
      const mayAnswer = seen.unnamedCount === 0
      await feedFolder(ctx, { ...seen, configId, folder, marker, wholeSinceMs, mayAnswer })
    } finally {
      busy.delete(name)
    }
  })
}

async function settle(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  at: FolderToWalk,
  seen: Seen,
): Promise<WalkedFolder> {
  const hasNothing = seen.objects.length + seen.folders.length === 0 && seen.unnamedCount === 0
  const isEmpty = seen.isFromStart && hasNothing && seen.nextCursor === null
  let marker: ObjectStat | null = null
  try {
    if (isEmpty) marker = await requireMarker(at)
  } catch (error) {
    if (error instanceof AppError) {
      const gone = { configId: at.configId, folder: at.folder, since: seen.since }
      ctx.jobs.background('search.forget-folder', () => forgetFolder(ctx, gone))
    }
    throw error
  }
  feedSoon(ctx, at, { seen, marker })
  return seen
}

const withSortKeys = (objects: readonly ObjectStat[]): WalkedFile[] =>
  objects.map((object) => ({ ...object, sortKey: sortKeyOf(nameOf(object.key)) }))

/**
 * Callers that arrive while a folder is being listed share the next listing, since many can arrive when its cache
 * expires.
 */
const walks = new SharedReads<WalkedFolder>()

/**
 * Lists everything in a folder, and updates the index. Callers that arrive while a listing runs share the next listing.
 */
export const walkFolder = (
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  at: FolderToWalk,
): Promise<WalkedFolder> => walks.read(walkOf(at), () => walkAll(ctx, at))

/** Lists a folder, and requests the next page while the current page is processed. */
async function walkAll(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  at: FolderToWalk,
): Promise<WalkedFolder> {
  const since = await indexPosition(ctx, at.configId)
  const startedAtMs = ctx.clock.nowMs()
  const ask = (cursor: string | undefined): Promise<ListPage> =>
    at.driver.list({ prefix: at.folder, delimiter: '/', limit: WALK_PAGE, cursor })
  const objects: WalkedFile[] = []
  const folders: FolderStat[] = []
  let unnamedCount = 0
  let coming: Promise<ListPage> | null = ask(undefined)
  while (coming) {
    const page: ListPage = await coming
    coming = page.nextCursor === null ? null : ask(page.nextCursor)
    objects.push(...withSortKeys(page.objects))
    for (const folder of page.folders) folders.push(folder)
    unnamedCount += page.unnamed.length
  }
  const seen = { objects, folders, nextCursor: null, since, startedAtMs, isFromStart: true, unnamedCount }
  return settle(ctx, at, seen)
}

interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/**
 * Lists one page in the order of the storage, which is the fastest order, and updates the index. Callers that arrive
 * while a page is being listed share the next listing of the page.
 */
export const walkPage = (
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  at: FolderToWalk,
  page: PageRequest,
): Promise<WalkedFolder> =>
  walks.read(`${walkOf(at)}\n${page.limit}:${page.cursor}`, () => walkOne(ctx, at, page))

async function walkOne(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  at: FolderToWalk,
  { limit, cursor }: PageRequest,
): Promise<WalkedFolder> {
  const since = await indexPosition(ctx, at.configId)
  const startedAtMs = ctx.clock.nowMs()
  const page = await at.driver.list({
    prefix: at.folder,
    delimiter: '/',
    limit,
    cursor: cursor ?? undefined,
  })
  const { folders, nextCursor } = page
  const objects = withSortKeys(page.objects)
  const unnamedCount = page.unnamed.length
  const isFromStart = cursor === null
  const seen = { objects, folders, nextCursor, since, startedAtMs, isFromStart, unnamedCount }
  return settle(ctx, at, seen)
}
