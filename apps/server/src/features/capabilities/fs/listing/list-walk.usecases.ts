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
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { SharedReads } from '../../../../lib/concurrency.ts'
import { nameOf, sortKeyOf } from '../../../foundation/object-index/object-index.models.ts'
import {
  feedFolder,
  forgetFolder,
  indexPosition,
} from '../../../foundation/object-index/folder-index.usecases.ts'

/** Entries of one page of a walk; a storage may give fewer. */
const WALK_PAGE = 1000

export interface FolderToWalk {
  readonly configId: string
  readonly driver: StorageDriver
  /** Empty, or with a slash at its end. */
  readonly folder: string
  /** Whether the driver shows objects of shares: an answer with them is for nobody else. */
  readonly showsShareObjects: boolean
}

const walkOf = ({ configId, folder, showsShareObjects }: FolderToWalk): string =>
  `${configId}:${showsShareObjects ? 'all' : 'seen'}:${folder}`

/** A file with what it is sorted by. */
export type WalkedFile = ObjectStat & { readonly sortKey: string }

/** What the storage itself says is in a folder. */
export interface WalkedFolder {
  readonly objects: readonly WalkedFile[]
  readonly folders: readonly FolderStat[]
  /** What asks the storage for more; `null` when this is all. */
  readonly nextCursor: string | null
  /** How many names were met that no path can say: they are there, although nothing is shown of them. */
  readonly unnamedCount: number
}

/**
 * Tells a folder in which nothing is from one that is not there.
 * @returns its marker; `null` for the root, which needs none.
 * @throws {AppError} `fs.not_found`; `fs.not_a_folder` when a file has the name
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
  /** The listing began at the start of the folder. */
  readonly isFromStart: boolean
}

/** Until the answer, which is put together in this process too, is out. */
const FEED_AFTER_MS = 400

/** Feeding is work for later; a folder that is being fed is not fed again at the same time. */
const feeding = new WeakMap<AppContext, Set<string>>()

function feedSoon(
  ctx: AppContext,
  at: FolderToWalk,
  { seen, marker }: { seen: Seen; marker: ObjectStat | null },
) {
  const { configId, folder } = at
  const busy = feeding.get(ctx) ?? new Set()
  feeding.set(ctx, busy)
  const name = `${configId}:${folder}`
  if (busy.has(name)) return
  busy.add(name)
  const isWhole = seen.isFromStart && seen.nextCursor === null
  ctx.jobs.background('search.feed-folder', async (signal) => {
    try {
      await sleep(FEED_AFTER_MS, undefined, { signal })
      const wholeSinceMs = isWhole ? seen.startedAtMs : null
      // The index cannot say that something is not shown: such a folder is always asked of its storage.
      const mayAnswer = seen.unnamedCount === 0
      await feedFolder(ctx, { ...seen, configId, folder, marker, wholeSinceMs, mayAnswer })
    } finally {
      busy.delete(name)
    }
  })
}

async function settle(ctx: AppContext, at: FolderToWalk, seen: Seen): Promise<WalkedFolder> {
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

/** A folder that changes is asked for by all who look at it at once, when the time of what is known of it is over. */
const walks = new SharedReads<WalkedFolder>()

/** Asks the storage for everything in a folder; many who do so at once share an answer. Feeds the index. */
export const walkFolder = (ctx: AppContext, at: FolderToWalk): Promise<WalkedFolder> =>
  walks.read(walkOf(at), () => walkAll(ctx, at))

/** The next page is on its way while one is taken in. */
async function walkAll(ctx: AppContext, at: FolderToWalk): Promise<WalkedFolder> {
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
    // While the storage works on the next page: this is most of our own work.
    objects.push(...withSortKeys(page.objects))
    for (const folder of page.folders) folders.push(folder)
    unnamedCount += page.unnamed.length
  }
  const seen = { objects, folders, nextCursor: null, since, startedAtMs, isFromStart: true, unnamedCount }
  return settle(ctx, at, seen)
}

interface PageWish {
  readonly limit: number
  readonly cursor: string | null
}

/** One page in the storage's own order, the quickest there is; many who want it at once share it. Feeds the index. */
export const walkPage = (ctx: AppContext, at: FolderToWalk, wish: PageWish): Promise<WalkedFolder> =>
  walks.read(`${walkOf(at)}\n${wish.limit}:${wish.cursor}`, () => walkOne(ctx, at, wish))

async function walkOne(
  ctx: AppContext,
  at: FolderToWalk,
  { limit, cursor }: PageWish,
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
