import {
  fsErrors,
  type ListOrder,
  type ListSort,
  requestErrors,
  type VirtualListItem,
} from '@dropleaf/contract'
import { compareKeys, parseFolderKey } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import type { VirtualPath } from '../../../../lib/paths.ts'
import type { PathActor } from '../../../foundation/identity/actor.models.ts'
import type { MountRow } from '../../../foundation/mounts/mounts.table.ts'
import { findMountOf, visibleMounts } from '../../../foundation/mounts/mounts.usecases.ts'
import {
  areCounted,
  hasWholeSums,
  type IndexedEntry,
  knownFolders,
  type KnownFolder,
  listIndexed,
  readIndexedFolder,
} from '../../../foundation/object-index/folder-index.usecases.ts'
import { nameOf, sortKeyOf } from '../../../foundation/object-index/object-index.models.ts'
import { mayRead, requireAccess } from '../places/access.models.ts'
import {
  entriesAfter,
  type Entry,
  type EntryMark,
  type ListCursor,
  markOf,
  openCursor,
  sealCursor,
  sortEntries,
  virtualItems,
} from './list.models.ts'
import { type WalkedFolder, walkFolder, walkPage } from './list-walk.usecases.ts'
import { findPlace, type Place } from '../places/places.usecases.ts'

export interface ListRequest {
  readonly path: string
  /** Maximum number of entries; `null` requests all entries. */
  readonly limit: number | null
  readonly cursor: string | null
  /** Sort order; `null` sorts a complete listing by name, and a page in the fastest order. */
  readonly sort: ListSort | null
  readonly order: ListOrder
  readonly refresh: boolean
}

/** Listing of a folder above mounts. Such a folder is in no storage. */
export interface VirtualListing {
  readonly kind: 'virtual'
  readonly path: string
  readonly items: readonly VirtualListItem[]
  readonly isPage: boolean
}

export interface RealListing {
  readonly isSizeComplete: boolean
  /** Mounts in this folder, and folders that lead to mounts; empty after the first page. */
  readonly nested: readonly VirtualListItem[]
  /** Sorted entries. They are in chunks, because a folder can have many entries. */
  readonly entries: AsyncIterable<readonly Entry[]>
  /** Cursor of the next page; `undefined` for a complete listing. */
  readonly nextCursor: string | null | undefined
  /** Time at which the storage was read. */
  readonly asOfMs: number
  /** Number of keys that no path can address, in the folder or on this page. */
  readonly unnamedCount: number
}

interface Found {
  readonly entries: AsyncIterable<readonly Entry[]>
  readonly isSizeComplete: boolean
  readonly nextCursor?: string | null
  /** Time at which the storage was read. */
  readonly asOfMs: number
  /** Number of keys that no path can address; absent if the listing came from the index. */
  readonly unnamedCount?: number
}

async function* once(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  yield entries
}

const toEntry = (row: IndexedEntry): Entry => ({
  name: nameOf(row.key),
  isFolder: row.key.endsWith('/'),
  sizeBytes: row.size_bytes,
  modifiedAtMs: row.modified_at_ms,
  etag: row.etag,
  sortKey: row.sort_key,
})

async function* toEntries(pieces: AsyncIterable<IndexedEntry[]>): AsyncGenerator<readonly Entry[]> {
  for await (const rows of pieces) yield rows.map(toEntry)
}

const folderOf = (place: Place): string => (place.rest === '' ? '' : parseFolderKey(`${place.rest}/`))

/** Returns listed entries with folder sizes from the index. */
async function withSums(
  ctx: Needs<'db' | 'state'>,
  configId: string,
  walked: WalkedFolder,
): Promise<{ entries: Entry[]; isSizeComplete: boolean }> {
  const keys = walked.folders.map(({ key }) => key)
  const folders = await knownFolders(ctx, configId, keys)
  const isSizeComplete = keys.every((key) => folders.has(key)) && (await areCounted(ctx, configId, keys))
  const entries: Entry[] = walked.folders.map(({ key, modifiedAtMs }) => {
    const known = folders.get(key)
    const times = [known?.modifiedAtMs ?? null, modifiedAtMs].filter((time) => time !== null)
    return {
      name: nameOf(key),
      isFolder: true,
      sizeBytes: known?.sizeBytes ?? 0,
      modifiedAtMs: times.length === 0 ? null : Math.max(...times),
      etag: '',
      sortKey: sortKeyOf(nameOf(key)),
    }
  })
  for (const { key, sizeBytes, modifiedAtMs, etag, sortKey } of walked.objects)
    entries.push({ name: nameOf(key), isFolder: false, sizeBytes, modifiedAtMs, etag, sortKey })
  return { entries, isSizeComplete }
}

interface Order {
  readonly sort: ListSort
  readonly order: ListOrder
}

/** Reads a page from the index in a given order. */
async function pageOfIndex(
  ctx: Needs<'db'>,
  folder: KnownFolder,
  { sort, order, limit, mark }: Order & { limit: number; mark: EntryMark | null },
): Promise<Entry[]> {
  const rows: IndexedEntry[] = []
  for (const isFolders of [true, false]) {
    if (mark && !mark.isFolder && isFolders) continue
    const after = mark && mark.isFolder === isFolders ? mark : null
    const left = limit + 1 - rows.length
    if (left > 0)
      rows.push(
        ...(await listIndexed(ctx, { folderId: folder.id, isFolders, sort, order, after, limit: left })),
      )
  }
  return rows.map(toEntry)
}

/** Truncates a page that was read with one extra entry, and creates the next cursor. */
function cut(
  { secrets }: Needs<'secrets'>,
  entries: readonly Entry[],
  { limit, sort, order }: Order & { limit: number },
) {
  const page = entries.slice(0, limit)
  const last = page.at(-1)
  const isMore = entries.length > limit && last !== undefined
  return {
    entries: once(page),
    nextCursor: isMore
      ? sealCursor(secrets, { kind: 'sorted', sort, order, mark: markOf(last, sort) })
      : null,
  }
}

interface ListOptions extends ListRequest {
  readonly cursorRead: ListCursor | null
}

async function fromIndex(
  ctx: Needs<'db' | 'secrets'>,
  folder: KnownFolder,
  options: ListOptions,
): Promise<Found> {
  const sort = options.sort ?? 'name'
  const asOf = { isSizeComplete: await hasWholeSums(ctx, folder), asOfMs: folder.listedAtMs ?? 0 }
  if (options.limit === null) {
    if (sort === 'name' && options.order === 'asc')
      return { ...asOf, entries: toEntries(readIndexedFolder(ctx, folder.id)) }
    const entries: Entry[] = []
    for await (const piece of toEntries(readIndexedFolder(ctx, folder.id))) entries.push(...piece)
    return { ...asOf, entries: once(sortEntries(entries, { sort, order: options.order }, compareKeys)) }
  }
  const order =
    options.cursorRead?.kind === 'sorted' ? options.cursorRead : { sort, order: options.order, mark: null }
  const rows = await pageOfIndex(ctx, folder, { ...order, limit: options.limit })
  return { ...asOf, ...cut(ctx, rows, { ...order, limit: options.limit }) }
}

async function fromStorage(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  place: Place,
  options: ListOptions,
): Promise<Found> {
  const { driver, showsShareObjects } = place
  const at = { configId: place.config.id, driver, showsShareObjects, folder: folderOf(place) }
  const asOfMs = ctx.clock.nowMs()
  const { limit, cursorRead } = options
  const inItsOrder = cursorRead ? cursorRead.kind === 'storage' : options.sort === null
  if (limit !== null && inItsOrder) {
    const cursor = cursorRead?.kind === 'storage' ? cursorRead.cursor : null
    const walked = await walkPage(ctx, at, { limit, cursor })
    const { entries, isSizeComplete } = await withSums(ctx, at.configId, walked)
    return {
      isSizeComplete,
      asOfMs,
      unnamedCount: walked.unnamedCount,
      entries: once(sortEntries(entries, { sort: 'name', order: options.order }, compareKeys)),
      nextCursor:
        walked.nextCursor === null
          ? null
          : sealCursor(ctx.secrets, { kind: 'storage', cursor: walked.nextCursor }),
    }
  }
  const walked = await walkFolder(ctx, at)
  const { entries, isSizeComplete } = await withSums(ctx, at.configId, walked)
  // Only the first page of a sorted listing reports the count for the whole folder.
  const unnamedCount = cursorRead === null ? walked.unnamedCount : 0
  const known = { isSizeComplete, asOfMs, unnamedCount }
  const order =
    cursorRead?.kind === 'sorted'
      ? cursorRead
      : { sort: options.sort ?? 'name', order: options.order, mark: null }
  const sorted = sortEntries(entries, order, compareKeys)
  if (limit === null) return { ...known, entries: once(sorted) }
  return { ...known, ...cut(ctx, entriesAfter(sorted, order, compareKeys), { ...order, limit }) }
}

/**
 * Lists a folder from the index if the index is complete for the folder and not older than the mount's cache time.
 * Otherwise, and for a refresh or the next page of a listing from the storage, lists the folder from the storage.
 * Callers that see objects of shares always read the storage, because the index contains no objects of shares.
 */
async function find(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  place: Place,
  options: ListOptions,
): Promise<Found> {
  const ttlMs = place.mount.cache_ttl * 1000
  const mayRemember = ttlMs > 0 && !options.refresh && !place.showsShareObjects
  if (mayRemember && options.cursorRead?.kind !== 'storage') {
    const key = folderOf(place)
    const folder = (await knownFolders(ctx, place.config.id, [key])).get(key)
    if (folder && folder.listedAtMs !== null && folder.listedAtMs > ctx.clock.nowMs() - ttlMs)
      return fromIndex(ctx, folder, options)
  }
  return fromStorage(ctx, place, options)
}

/** Like {@link find}, but returns an empty listing for a folder that is missing in the storage and contains mounts. */
async function findOrPass(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs' | 'secrets' | 'state'>,
  place: Place,
  { options, isPassage }: { options: ListOptions; isPassage: boolean },
): Promise<Found> {
  try {
    return await find(ctx, place, options)
  } catch (error) {
    const isMissing = error instanceof AppError && error.spec.code === fsErrors.not_found.code
    if (!isMissing || !isPassage) throw error
    return { entries: once([]), isSizeComplete: true, asOfMs: ctx.clock.nowMs() }
  }
}

/**
 * Omits folders that have the name of a mount or of a folder that leads to a mount, since `nested` already lists them.
 */
async function* withoutCovered(
  pieces: AsyncIterable<readonly Entry[]>,
  names: ReadonlySet<string>,
): AsyncGenerator<readonly Entry[]> {
  for await (const piece of pieces) yield piece.filter((entry) => !(entry.isFolder && names.has(entry.name)))
}

const bySortKey = (a: VirtualListItem, b: VirtualListItem) =>
  compareKeys(sortKeyOf(a.name), sortKeyOf(b.name))

function virtualListing(
  actor: PathActor,
  { level, mounts, isPage }: { level: VirtualPath; mounts: readonly MountRow[]; isPage: boolean },
): VirtualListing {
  const items = virtualItems(actor, { level, mounts }).sort(bySortKey)
  return { kind: 'virtual', path: level === '/' ? '/' : `${level}/`, items, isPage }
}

function readCursor({ secrets }: Needs<'secrets'>, request: ListRequest): ListCursor | null {
  if (request.cursor === null) return null
  const cursor = openCursor(secrets, request.cursor)
  const isFit = request.limit !== null && cursor !== undefined
  if (!isFit) throw new AppError(requestErrors.invalid, { params: { detail: 'query.cursor' } })
  return cursor
}

/** A folder that the caller may list. The storage has not been read yet. */
export interface OpenFolder {
  readonly kind: 'real'
  /** The requested path; a mount itself gets a trailing slash. */
  readonly path: string
  readonly mount: MountRow
  readonly configId: string
  /** Key of the folder in its storage. */
  readonly folder: string
  /** Whether the response is the same for all callers, and can therefore be cached. */
  readonly isCommon: boolean
  /** @throws {AppError} `fs.not_found`; `fs.not_a_folder` */
  list(): Promise<RealListing>
}

/** Opens a folder for listing. @throws {AppError} as `findPlace`; `request.invalid` for an invalid cursor */
export async function openFolder(
  ctx: PlaceNeeds & Needs<'database' | 'state'>,
  actor: PathActor,
  request: ListRequest,
): Promise<VirtualListing | OpenFolder> {
  const { path: level } = requireAccess(actor, request.path, 'navigate')
  const cursorRead = readCursor(ctx, request)
  const mounts = await visibleMounts(ctx, actor)
  const isPage = request.limit !== null
  if (!findMountOf(mounts, level) || !mayRead(actor, level))
    return virtualListing(actor, { level, mounts, isPage })
  const place = await findPlace(ctx, actor, request.path, 'read')
  if (!place) throw new AppError(fsErrors.not_found)
  const nested = virtualItems(actor, { level, mounts }).sort(bySortKey)
  const isByName = (request.sort ?? 'name') === 'name' && request.order === 'asc'
  return {
    kind: 'real',
    path: place.rest === '' ? `${level}/` : `${level}${request.path.endsWith('/') ? '/' : ''}`,
    mount: place.mount,
    configId: place.config.id,
    folder: folderOf(place),
    isCommon:
      !isPage && isByName && nested.length === 0 && place.mount.cache_ttl > 0 && !place.showsShareObjects,
    async list() {
      const options = { ...request, cursorRead }
      const found = await findOrPass(ctx, place, { options, isPassage: nested.length > 0 })
      const names = new Set(nested.map(({ name }) => name))
      return {
        isSizeComplete: found.isSizeComplete,
        nested: cursorRead === null ? nested : [],
        entries: names.size === 0 ? found.entries : withoutCovered(found.entries, names),
        nextCursor: isPage ? (found.nextCursor ?? null) : undefined,
        asOfMs: found.asOfMs,
        unnamedCount: found.unnamedCount ?? 0,
      }
    },
  }
}
