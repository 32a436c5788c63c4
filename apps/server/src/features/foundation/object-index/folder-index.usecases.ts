import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FolderStat, ObjectStat } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { unlessInTrouble } from '../../../db/database.ts'
import { type EntryQuery, folderIndexRepository, type IndexedEntry } from './folder-index.repository.ts'
import { applyToIndex, chunksOf, dropTree } from './index-batches.usecases.ts'
import { indexedObjectsRepository, type KnownObject } from './indexed-objects.repository.ts'
import { folderOf } from './object-index.models.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import type { ObjectFolderRow } from './object-index.table.ts'
import { isBehind } from './storage-changes.usecases.ts'

export type { EntryQuery, IndexedEntry } from './folder-index.repository.ts'

/** Number of rows read per query. */
const READ_ROWS = 2000

const repositoryOf = (ctx: Needs<'db'>) => objectIndexRepository(ctx.db)
const foldersOf = (ctx: Needs<'db'>) => objectFoldersRepository(ctx.db)

/** Returns the index's current sequence number. Call before reading from the storage; see `IndexChange.since`. */
export async function indexPosition(ctx: Needs<'db'>, configId: string): Promise<number> {
  return (await repositoryOf(ctx).findByConfig(configId))?.sequence ?? 0
}

export interface KnownFolder {
  readonly id: number
  readonly listedAtMs: number | null
  /** Whether the whole storage has been crawled since the index was created or last distrusted. */
  readonly isComplete: boolean
  readonly sizeBytes: number
  readonly modifiedAtMs: number | null
}

/** Whether the sizes of the folders directly in an indexed folder are complete. */
export async function hasWholeSums(ctx: Needs<'db'>, folder: KnownFolder): Promise<boolean> {
  return folder.isComplete && !(await foldersOf(ctx).hasUncounted(folder.id))
}

/** Like {@link hasWholeSums}, for folders that a storage has listed. */
export async function areCounted(ctx: Needs<'db'>, configId: string, keys: readonly string[]) {
  const index = await repositoryOf(ctx).findByConfig(configId)
  if (!index || index.completed_at_ms === null) return false
  return keys.length === 0 || (await foldersOf(ctx).findUncounted(index.id, keys)).length === 0
}

/** Returns the indexed data of the given folders, keyed by the folders' keys. */
export async function knownFolders(
  ctx: Needs<'db' | 'state'>,
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

/** Indexed data of a file or folder name. */
export interface KnownName {
  /**
   * Time of the last complete listing of the parent folder. Since then, the index contains all entries of the parent
   * folder. `null` if the index might be incomplete.
   */
  readonly listedAtMs: number | null
  readonly file: { readonly sizeBytes: number; readonly modifiedAtMs: number; readonly etag: string } | null
  readonly folder: { readonly modifiedAtMs: number | null } | null
}

/** @returns `undefined` if the parent folder is not indexed. */
export async function findKnownName(
  ctx: Needs<'db' | 'state'>,
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
 * Records the first listing of a folder that was just created, so that the next listing needs no request to the
 * storage.
 * @param made `since`: {@link indexPosition} from before the check that the folder did not exist. `listedAtMs`: time of
 * that check.
 */
export async function noteMade(
  ctx: Needs<'db' | 'state'>,
  configId: string,
  made: { key: string; listedAtMs: number; since: number },
): Promise<void> {
  // A failure is ignored, because the next listing then reads the storage.
  if (!isBehind(ctx, configId)) await unlessInTrouble(foldersOf(ctx).setMade(configId, made))
}

const newest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

/** Returns the files with these keys that are directly in an indexed folder, not in its subfolders. */
export const findIndexedFiles = (ctx: Needs<'db'>, folderId: number, keys: readonly string[]) =>
  folderIndexRepository(ctx.db).findFiles(folderId, keys)

export const listIndexed = (ctx: Needs<'db'>, query: EntryQuery): Promise<IndexedEntry[]> =>
  folderIndexRepository(ctx.db).listEntries(query)

/** Yields all entries of a folder by name, folders first, in chunks. */
export async function* readIndexedFolder(ctx: Needs<'db'>, folderId: number): AsyncGenerator<IndexedEntry[]> {
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

/** Result of listing one folder. */
export interface ShownFolder {
  readonly configId: string
  /** Key of the folder: empty, or with a trailing slash. */
  readonly folder: string
  readonly objects: readonly ObjectStat[]
  readonly folders: readonly FolderStat[]
  /** {@link indexPosition} from before the listing started. */
  readonly since: number
  /**
   * Start time of the listing if the listing was complete. Entries that are missing in a complete listing no longer
   * exist.
   */
  readonly wholeSinceMs: number | null
  /** Whether the index can be used for later listings of the folder. Default: true. */
  readonly mayAnswer?: boolean
  /** The marker of an otherwise empty folder. */
  readonly marker?: ObjectStat | null
}

const isSame = (known: KnownObject | undefined, stat: ObjectStat): boolean =>
  known?.size_bytes === stat.sizeBytes &&
  known.modified_at_ms === stat.modifiedAtMs &&
  known.etag === stat.etag

/** Returns all indexed entries directly in a folder. */
async function readKnown(ctx: Needs<'db'>, row: ObjectFolderRow) {
  const repository = indexedObjectsRepository(ctx.db)
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
 * Updates the index with a listing of a folder. Does not update rows that changed since the listing started. A complete
 * listing also removes missing entries, and later listings can then use the index, unless `mayAnswer` is false.
 */
export async function feedFolder(
  ctx: Needs<'clock' | 'database' | 'db' | 'secrets'>,
  shown: ShownFolder,
): Promise<void> {
  const { configId, folder, since } = shown
  const repository = foldersOf(ctx)
  const size = ctx.database.batchRows
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

/** Removes a folder from the index because the folder does not exist in the storage. */
export async function forgetFolder(
  ctx: Needs<'clock' | 'database' | 'db' | 'secrets'>,
  { configId, folder, since }: { configId: string; folder: string; since: number },
): Promise<void> {
  const index = await repositoryOf(ctx).findByConfig(configId)
  if (index && folder !== '') await dropTree(ctx, { configId, indexId: index.id, folder, since })
}
