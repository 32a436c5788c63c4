import type { Needs } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { shareObjectsAmong } from '../share-objects/share-objects.usecases.ts'
import { indexedObjectsRepository, type KnownObject } from './indexed-objects.repository.ts'
import { foldersAround, foldName, folderOf, nameOf, sortKeyOf } from './object-index.models.ts'
import { objectFoldersRepository } from './object-folders.repository.ts'
import { objectIndexRepository } from './object-index.repository.ts'
import type { ObjectFolderRow } from './object-index.table.ts'
import { objectNamesRepository } from './object-names.repository.ts'

/** Current data of an object in its storage. */
export interface StoredObject {
  /** Key of the object; ends in `/` for a folder marker. */
  readonly key: string
  readonly sizeBytes: number
  readonly etag: string
  readonly modifiedAtMs: number
}

export interface IndexChange {
  readonly written: readonly StoredObject[]
  /** Keys of removed objects and folder markers. */
  readonly removed: readonly string[]
  /** Folders from a listing. A listing does not show whether a folder has a marker. */
  readonly folders?: ReadonlyArray<{ readonly key: string; readonly modifiedAtMs: number | null }>
  /** Folders missing from a listing; removed if the index has no entries in them. */
  readonly goneFolders?: readonly string[]
  /**
   * The index's `sequence` before the storage was read. Rows changed later are newer and are not overwritten. `null`
   * for the server's own changes.
   */
  readonly since: number | null
}

/** State of one change, in a transaction that locks the index's row. */
interface Turn {
  readonly objects: ReturnType<typeof indexedObjectsRepository>
  readonly folderRows: ReturnType<typeof objectFoldersRepository>
  readonly names: ReturnType<typeof objectNamesRepository>
  readonly indexId: number
  readonly since: number | null
  /**
   * Data that was read from the storage before this `sequence` is ignored. It can describe an old location of the
   * storage, or be older than changes that were written late.
   */
  readonly trustedFrom: number
  /** Sequence number of this change, stored in the changed rows. */
  readonly sequence: number
  readonly nowMs: number
  readonly known: ReadonlyMap<string, KnownObject>
  readonly folders: Map<string, ObjectFolderRow>
  /** Changes to the totals, keyed by folder. */
  readonly trees: Map<string, { objects: number; bytes: number; modified: number }>
}

const isFolder = (key: string): boolean => key.endsWith('/')

/** Whether this change can overwrite a row, that is, the row has not been changed since the storage was read. */
const isOpen = (turn: Pick<Turn, 'since'>, row: { changed_sequence: number } | undefined): boolean =>
  turn.since === null || !row || row.changed_sequence <= turn.since

function countIn(
  turn: Turn,
  key: string,
  change: { objects: number; bytes: number; modified: number },
): void {
  for (const folder of foldersAround(key)) {
    const sum = turn.trees.get(folder)
    if (!sum) turn.trees.set(folder, { ...change })
    else {
      sum.objects += change.objects
      sum.bytes += change.bytes
      sum.modified = Math.max(sum.modified, change.modified)
    }
  }
}

/** Creates missing folder rows level by level, because each row references its parent. */
async function ensureFolders(turn: Turn, keys: Iterable<string>): Promise<void> {
  const missing = [...new Set(keys)].filter((key) => !turn.folders.has(key))
  const levels = Map.groupBy(missing, (key) => key.split('/').length)
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const rows = (levels.get(level) ?? []).map((key) => ({
      key,
      parent_id: turn.folders.get(folderOf(key))?.id ?? null,
      sort_key: sortKeyOf(nameOf(key)),
    }))
    for (const row of await turn.folderRows.insertFolders(turn.indexId, rows, turn.sequence))
      turn.folders.set(row.key, row)
  }
}

async function writeFiles(turn: Turn, written: readonly StoredObject[]): Promise<void> {
  const fresh = []
  const changed = []
  for (const object of written) {
    const known = turn.known.get(object.key)
    if (!isOpen(turn, known)) continue
    const row = {
      size_bytes: object.sizeBytes,
      modified_at_ms: object.modifiedAtMs,
      etag: object.etag,
    }
    if (!known) {
      const folder_id = turn.folders.get(folderOf(object.key))?.id ?? 0
      fresh.push({ ...row, folder_id, key: object.key, sort_key: sortKeyOf(nameOf(object.key)) })
      countIn(turn, object.key, { objects: 1, bytes: object.sizeBytes, modified: object.modifiedAtMs })
    } else if (
      turn.since === null ||
      known.size_bytes !== row.size_bytes ||
      known.modified_at_ms !== row.modified_at_ms ||
      known.etag !== row.etag
    ) {
      changed.push({ ...row, id: known.id })
      const bytes = object.sizeBytes - known.size_bytes
      countIn(turn, object.key, { objects: 0, bytes, modified: object.modifiedAtMs })
    }
  }
  if (changed.length > 0) await turn.objects.updateObjects(changed, turn.sequence)
  if (fresh.length === 0) return
  const inserted = await turn.objects.insertObjects(turn.indexId, fresh, turn.sequence)
  await turn.names.insert(
    turn.indexId,
    inserted.map(({ id, key }) => ({ object_id: id, folded: foldName(nameOf(key)) })),
  )
}

async function writeFolders(turn: Turn, change: IndexChange): Promise<void> {
  const marks = []
  for (const marker of change.written.filter(({ key }) => isFolder(key))) {
    const row = turn.folders.get(marker.key)
    if (!row || !isOpen(turn, row)) continue
    if (row.is_marked !== 1 || row.modified_at_ms !== marker.modifiedAtMs)
      marks.push({ id: row.id, is_marked: 1, modified_at_ms: marker.modifiedAtMs })
  }
  for (const folder of change.folders ?? []) {
    const row = turn.folders.get(folder.key)
    if (!row || folder.modifiedAtMs === null || !isOpen(turn, row)) continue
    if (row.modified_at_ms !== folder.modifiedAtMs)
      marks.push({ id: row.id, is_marked: row.is_marked, modified_at_ms: folder.modifiedAtMs })
  }
  if (marks.length > 0) await turn.folderRows.markFolders(marks, turn.sequence)
}

/**
 * Removes the rows of files, and unmarks folders whose marker is gone. Adds tombstones for the server's own removals.
 */
async function remove(turn: Turn, change: IndexChange): Promise<void> {
  const removed = change.removed.filter((key) => !isFolder(key))
  const gone = removed
    .map((key) => turn.known.get(key))
    .filter((row) => row !== undefined && isOpen(turn, row))
  for (const row of gone) {
    if (row) countIn(turn, row.key, { objects: -1, bytes: -row.size_bytes, modified: 0 })
  }
  const ids = gone.flatMap((row) => (row ? [row.id] : []))
  if (ids.length > 0) {
    await turn.names.delete(turn.indexId, ids)
    await turn.objects.deleteObjects(ids)
  }
  const unmarked = [...change.removed.filter(isFolder), ...(change.goneFolders ?? [])]
    .map((key) => turn.folders.get(key))
    .filter((row) => row !== undefined && row.key !== '' && isOpen(turn, row))
  const marks = unmarked.flatMap((row) =>
    row && row.is_marked === 1 ? [{ id: row.id, is_marked: 0, modified_at_ms: null }] : [],
  )
  if (marks.length > 0) await turn.folderRows.markFolders(marks, turn.sequence)
  if (turn.since === null && change.removed.length > 0)
    await turn.objects.bury(turn.indexId, change.removed, turn)
}

/**
 * Removes empty folders, and parent folders that existed only because of an empty folder. Call after updating the
 * totals.
 */
async function dropEmptyFolders(turn: Turn, change: IndexChange): Promise<void> {
  const touched = [...change.removed, ...(change.goneFolders ?? [])].flatMap((key) =>
    isFolder(key) ? [key] : [folderOf(key)],
  )
  let ids = [...new Set(touched)].flatMap((key) => turn.folders.get(key)?.id ?? [])
  while (ids.length > 0) {
    const empty = await turn.folderRows.findEmptyFolders(ids)
    const parents = [...new Set(empty.flatMap((row) => row.parent_id ?? []))]
    if (empty.length === 0) return
    await turn.folderRows.deleteFolders(empty.map((row) => row.id))
    if (turn.since === null) {
      const keys = empty.map((row) => row.key)
      await turn.objects.bury(turn.indexId, keys, turn)
    }
    // The parent folder might still exist in the storage, because disks keep empty folders.
    await turn.folderRows.forgetListings(parents)
    ids = parents
  }
}

/** Excludes the objects of shares, which are not indexed. */
async function withoutShares(
  ctx: Needs<'secrets'>,
  { trx, configId, change }: { trx: Db; configId: string; change: IndexChange },
): Promise<IndexChange> {
  const { written, folders = [] } = change
  const keys = [...written, ...folders].map(({ key }) => key)
  const hidden = await shareObjectsAmong(ctx, { db: trx, configId }, keys)
  if (hidden.size === 0) return change
  const isLeft = ({ key }: { readonly key: string }) => !hidden.has(key)
  return { ...change, written: written.filter(isLeft), folders: folders.filter(isLeft) }
}

/** Excludes files and folders that were deleted through the server after the storage was read. */
async function withoutBuried(turn: Turn, change: IndexChange): Promise<IndexChange> {
  if (turn.since === null || !(await turn.objects.hasTombstones(turn.indexId, turn.since))) return change
  const { written, folders = [] } = change
  const keys = [...written, ...folders].map(({ key }) => key)
  const buried = new Set(
    (await turn.objects.findTombstones(turn.indexId, keys, turn.since)).map(({ key }) => key),
  )
  if (buried.size === 0) return change
  const isLeft = ({ key }: { readonly key: string }) => !buried.has(key)
  return { ...change, written: written.filter(isLeft), folders: folders.filter(isLeft) }
}

async function openTurn(ctx: Needs<'clock'>, trx: Db, configId: string, change: IndexChange): Promise<Turn> {
  const index = objectIndexRepository(trx)
  const objects = indexedObjectsRepository(trx)
  const folderRows = objectFoldersRepository(trx)
  const step = change.since === null ? 1 : 0
  let held = await index.takeTurn(configId, step)
  if (!held) {
    await index.insertIndex(configId)
    held = await index.takeTurn(configId, step)
  }
  if (!held) throw new Error('An index could not be made.')
  const keys = [...change.written.map(({ key }) => key), ...change.removed]
  const folderKeys = new Set(
    [...keys, ...(change.folders ?? []).map(({ key }) => key), ...(change.goneFolders ?? [])].flatMap((key) =>
      isFolder(key) ? [...foldersAround(key), key] : foldersAround(key),
    ),
  )
  const files = keys.filter((key) => !isFolder(key))
  const known = files.length === 0 ? [] : await objects.findObjects(held.id, files)
  const folders = await folderRows.findFolders(held.id, [...folderKeys])
  return {
    objects,
    folderRows,
    names: objectNamesRepository(trx),
    indexId: held.id,
    since: change.since,
    trustedFrom: held.trusted_from,
    sequence: change.since ?? held.sequence,
    nowMs: ctx.clock.nowMs(),
    known: new Map(known.map((row) => [row.key, row])),
    folders: new Map(folders.map((row) => [row.key, row])),
    trees: new Map(),
  }
}

/**
 * Updates a storage's index for some objects, in the caller's transaction. Each key occurs at most once in the change.
 */
export async function changeIndex(
  ctx: Needs<'clock' | 'secrets'>,
  { trx, configId, change: asked }: { trx: Db; configId: string; change: IndexChange },
): Promise<void> {
  const visible = await withoutShares(ctx, { trx, configId, change: asked })
  const turn = await openTurn(ctx, trx, configId, visible)
  if (turn.since !== null && turn.since < turn.trustedFrom) return
  const change = await withoutBuried(turn, visible)
  await ensureFolders(turn, [
    ...change.written.flatMap(({ key }) => [...foldersAround(key), ...(isFolder(key) ? [key] : [])]),
    ...(change.folders ?? []).flatMap(({ key }) => [...foldersAround(key), key]),
  ])
  await writeFiles(
    turn,
    change.written.filter(({ key }) => !isFolder(key)),
  )
  await writeFolders(turn, change)
  await remove(turn, change)
  const trees = [...turn.trees].flatMap(([key, sum]) => {
    const id = turn.folders.get(key)?.id
    return id === undefined ? [] : [{ id, ...sum }]
  })
  if (trees.length > 0) await turn.folderRows.addToTrees(trees)
  await dropEmptyFolders(turn, change)
}
