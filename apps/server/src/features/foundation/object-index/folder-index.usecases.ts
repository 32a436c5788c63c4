import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FolderStat, ObjectStat } from '@dropleaf/storage'
import type { AppContext } from '../../../context.ts'
import { unlessInTrouble } from '../../../db/database.ts'
import { type EntryQuery, folderIndexRepository, type IndexedEntry } from './folder-index.repository.ts'
import { applyToIndex, chunksOf, dropTree, rowsAtOnce } from './index-batches.usecases.ts'
import { indexedObjectsRepository, type KnownObject } from './indexed-objects.repository.ts'
import { folderOf } from './object-index.models.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import type { ObjectFolderRow } from './object-index.table.ts'
import { isBehind } from './storage-changes.usecases.ts'

export type { EntryQuery, IndexedEntry } from './folder-index.repository.ts'

/** Rows read at once. */
const READ_ROWS = 2000

const repositoryOf = (ctx: AppContext) => objectIndexRepository(ctx.db)
const foldersOf = (ctx: AppContext) => objectFoldersRepository(ctx.db, ctx.database.engine)

/** Where the index of a storage stands before a walk, see `IndexChange.since`. */
export async function indexPosition(ctx: AppContext, configId: string): Promise<number> {
  return (await repositoryOf(ctx).findByConfig(configId))?.sequence ?? 0
}

export interface KnownFolder {
  readonly id: number
  readonly listedAtMs: number | null
  /** Whether the whole storage was crawled once, so that the sums of folders are whole. */
  readonly isComplete: boolean
  readonly sizeBytes: number
  readonly modifiedAtMs: number | null
}

/** Whether the sums of the folders right in a folder that the index has listed count everything. */
export async function hasWholeSums(ctx: AppContext, folder: KnownFolder): Promise<boolean> {
  return folder.isComplete && !(await foldersOf(ctx).hasUncounted(folder.id))
}

/** Like {@link hasWholeSums}, for folders that a storage lists, by their index entries. */
export async function areCounted(ctx: AppContext, configId: string, keys: readonly string[]) {
  const index = await repositoryOf(ctx).findByConfig(configId)
  if (!index || index.completed_at_ms === null) return false
  return keys.length === 0 || (await foldersOf(ctx).findUncounted(index.id, keys)).length === 0
}

/** What the index knows of some folders, by key. */
export async function knownFolders(
  ctx: AppContext,
  configId: string,
  keys: readonly string[],
): Promise<Map<string, KnownFolder>> {
  const wasSilent = isBehind(ctx, configId)
  const rows = keys.length > 0 ? await foldersOf(ctx).findFoldersOf(configId, keys) : []
  const isSilent = wasSilent || isBehind(ctx, configId)
  const folders = rows.map((row): [string, KnownFolder] => [
    row.key,
    {
      id: row.id,
      listedAtMs: isSilent ? null : row.listed_at_ms,
      isComplete: row.completed_at_ms !== null,
      sizeBytes: row.tree_bytes,
      modifiedAtMs: newest(row.tree_modified_at_ms, row.modified_at_ms),
    },
  ])
  return new Map(folders)
}

/** What the index knows of a name. */
export interface KnownName {
  /** When the folder was last listed; the index is authoritative for it since then. `null`: it is not. */
  readonly listedAtMs: number | null
  readonly file: { readonly sizeBytes: number; readonly modifiedAtMs: number; readonly etag: string } | null
  readonly folder: { readonly modifiedAtMs: number | null } | null
}

/** @returns `undefined` when the index does not know the folder around the name. */
export async function findKnownName(
  ctx: AppContext,
  configId: string,
  key: string,
): Promise<KnownName | undefined> {
  const wasSilent = isBehind(ctx, configId)
  const row = await foldersOf(ctx).findName({ configId, key, folder: folderOf(key) })
  if (!row) return undefined
  const { size_bytes: sizeBytes, modified_at_ms: modifiedAtMs, etag } = row
  const isFile = sizeBytes !== null && modifiedAtMs !== null && etag !== null
  return {
    listedAtMs: wasSilent || isBehind(ctx, configId) ? null : row.listed_at_ms,
    file: isFile ? { sizeBytes, modifiedAtMs, etag } : null,
    folder: row.folder_id === null ? null : { modifiedAtMs: row.folder_modified_at_ms },
  }
}

/**
 * Makes the index authoritative for a new folder, which was empty.
 * @param since {@link indexPosition} from before the check. @param listedAtMs time of the check
 */
export async function noteMade(
  ctx: AppContext,
  configId: string,
  made: { key: string; listedAtMs: number; since: number },
): Promise<void> {
  // It only spares the next listing a look at the storage.
  if (!isBehind(ctx, configId)) await unlessInTrouble(foldersOf(ctx).setMade(configId, made))
}

const newest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

export const listIndexed = (ctx: AppContext, query: EntryQuery): Promise<IndexedEntry[]> =>
  folderIndexRepository(ctx.db).listEntries(query)

/** Everything in a folder in the order of names, folders first, in pieces. */
export async function* readIndexedFolder(ctx: AppContext, folderId: number): AsyncGenerator<IndexedEntry[]> {
  for (const isFolders of [true, false]) {
    let after: EntryQuery['after'] = null
    for (;;) {
      const query = { folderId, isFolders, sort: 'name', order: 'asc', after, limit: READ_ROWS } as const
      const rows: IndexedEntry[] = await listIndexed(ctx, query)
      if (rows.length > 0) yield rows
      if (rows.length < READ_ROWS) break
      after = { value: 0, sortKey: rows.at(-1)?.sort_key ?? '' }
      await nextTurn()
    }
  }
}

/** What a listing of one folder showed. */
export interface ShownFolder {
  readonly configId: string
  /** Empty, or with a slash at its end. */
  readonly folder: string
  readonly objects: readonly ObjectStat[]
  readonly folders: readonly FolderStat[]
  /** {@link indexPosition} before the listing began. */
  readonly since: number
  /** When the listing began, if it came to the end: what it does not show is gone then. */
  readonly wholeSinceMs: number | null
  /** Whether the index is to answer for the folder from then on. */
  readonly mayAnswer?: boolean
  /** Of a folder in which nothing else was found. */
  readonly marker?: ObjectStat | null
}

const isSame = (known: KnownObject | undefined, stat: ObjectStat): boolean =>
  known?.size_bytes === stat.sizeBytes &&
  known.modified_at_ms === stat.modifiedAtMs &&
  known.etag === stat.etag

/** Everything that the index has right in a folder. */
async function readKnown(ctx: AppContext, row: ObjectFolderRow) {
  const repository = indexedObjectsRepository(ctx.db, ctx.database.engine)
  const objects = new Map<string, KnownObject>()
  let after = ''
  for (;;) {
    const rows = await repository.findObjectsOfFolder({ folderId: row.id, after, limit: READ_ROWS })
    for (const object of rows) objects.set(object.key, object)
    if (rows.length < READ_ROWS) break
    after = rows.at(-1)?.sort_key ?? ''
    await nextTurn()
  }
  const folders = new Map(
    (await foldersOf(ctx).findChildFolders(row.id)).map((row) => [row.key, row.modified_at_ms]),
  )
  return { objects, folders }
}

/**
 * Brings the index up to what a listing of a folder showed. Rows that were noted while it ran stay as they are. A whole
 * listing also removes what it did not show, and lets the index answer for the folder from then on, if it may.
 */
export async function feedFolder(ctx: AppContext, shown: ShownFolder): Promise<void> {
  const { configId, folder, since } = shown
  const repository = foldersOf(ctx)
  const size = rowsAtOnce(ctx)
  const written = shown.marker ? [shown.marker] : []
  await applyToIndex(ctx, configId, {
    written,
    removed: [],
    folders: [{ key: folder, modifiedAtMs: null }],
    since,
  })
  const index = await repositoryOf(ctx).findByConfig(configId)
  const row = index && (await repository.findFolders(index.id, [folder]))[0]
  if (!row) return
  const known = await readKnown(ctx, row)
  const news = shown.objects.filter((stat) => !isSame(known.objects.get(stat.key), stat))
  for await (const written of chunksOf(news, size))
    await applyToIndex(ctx, configId, { written, removed: [], since })
  const newFolders = shown.folders.filter(
    ({ key, modifiedAtMs }) =>
      !known.folders.has(key) || (modifiedAtMs !== null && known.folders.get(key) !== modifiedAtMs),
  )
  for await (const folders of chunksOf(newFolders, size))
    await applyToIndex(ctx, configId, { written: [], removed: [], folders, since })
  if (shown.mayAnswer === false) await repository.forgetListings([row.id])
  if (shown.wholeSinceMs === null) return
  for (const { key } of shown.objects) known.objects.delete(key)
  for (const { key } of shown.folders) known.folders.delete(key)
  for await (const removed of chunksOf([...known.objects.keys()], size))
    await applyToIndex(ctx, configId, { written: [], removed, since })
  for (const gone of known.folders.keys())
    await dropTree(ctx, { configId, indexId: index.id, folder: gone, since })
  if (shown.mayAnswer !== false) await repository.setListed(row.id, { listedAtMs: shown.wholeSinceMs, since })
}

/** The storage has no such folder: nor has the index, then. */
export async function forgetFolder(
  ctx: AppContext,
  { configId, folder, since }: { configId: string; folder: string; since: number },
): Promise<void> {
  const index = await repositoryOf(ctx).findByConfig(configId)
  if (index && folder !== '') await dropTree(ctx, { configId, indexId: index.id, folder, since })
}
