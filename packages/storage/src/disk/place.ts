import { link, lstat, open, realpath, unlink } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { etagOf } from './object-stat.ts'
import { type DiskRoot, ensureFolder, pathOf, requireMounted } from './root.ts'

/**
 * Maximum number of attempts. An attempt fails if a removal prunes the folder meanwhile. So many failures in a row must
 * have a different cause.
 */
const ATTEMPTS_MAX = 50

export interface Placement {
  key: StorageKey
  ifAbsent: boolean
  /** Etag of the version to replace. */
  ifMatch?: string | undefined
  /** Prefix of the folder that must exist. If absent, all folders are created. */
  intoFolder?: string | undefined
}

/**
 * Checks whether an object may get its final name. Called before the bytes arrive, and again by `place` if the system
 * call that creates the name does not check the condition itself.
 * @throws {StorageError} `storage.exists` if the name is taken by a folder, or with `ifAbsent` by an object;
 * `storage.changed` if the version is not `ifMatch`; `storage.denied` if the object exists and its path contains a
 * symlink; other codes for failures of the disk
 */
export async function requirePlace(root: DiskRoot, placement: Placement): Promise<void> {
  const { key, ifAbsent, ifMatch } = placement
  const path = pathOf(root, key)
  try {
    const stats = await lstat(path, { bigint: true })
    if ((await realpath(dirname(path))) !== dirname(path)) {
      throw new StorageError('storage.denied', `The path to ${JSON.stringify(key)} is a link.`)
    }
    if (stats.isDirectory()) throw taken(key, 'a folder')
    if (ifAbsent) throw taken(key, 'an object')
    if (ifMatch !== undefined && etagOf(stats) !== ifMatch) throw changed(key)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw translate(error, 'write', key)
    if (ifMatch !== undefined) throw changed(key)
  }
}

/**
 * Atomically renames a complete temporary file to its final name, and fsyncs the folders that changed.
 * @throws {StorageError} as `placeAt` and `requirePlace` do
 */
export async function place(root: DiskRoot, temporary: string, placement: Placement): Promise<void> {
  await placeAt(root, placement, (target) =>
    root.lock(target, () => nameFile(root, temporary, target, placement)),
  )
}

/**
 * Creates the folders of a key, lets `name` create the entry, and fsyncs the folders that changed. Starts again if a
 * removal prunes a folder meanwhile.
 * @param name rejects with ENOENT if the folder, or the file to rename, does not exist
 * @throws {StorageError} `storage.folder_missing` with `intoFolder`; the errors of `name`; other codes for failures of
 * the disk
 */
export async function placeAt(
  root: DiskRoot,
  { key, intoFolder }: Pick<Placement, 'key' | 'intoFolder'>,
  name: (target: string) => Promise<void>,
): Promise<void> {
  const target = pathOf(root, key)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const changed = await ensureFolder(root, dirname(target), { intoFolder })
      await nameAndSync(root, target, name)
      for (const folder of changed) await syncFolder(root, folder)
      return
    } catch (error) {
      const isPruned = errnoOf(error) === 'ENOENT'
      if (!isPruned) throw translate(error, 'write', key)
      if (attempt < ATTEMPTS_MAX) continue
      await requireMounted(root)
      throw new StorageError('storage.unavailable', 'The temporary file has disappeared.', { cause: error })
    }
  }
}

/** Opens the folder first, so that it is fsynced even if it is renamed meanwhile. */
async function nameAndSync(root: DiskRoot, target: string, name: (target: string) => Promise<void>) {
  if (!syncsFolders(root)) return name(target)
  await using folder = await open(dirname(target), 'r')
  await name(target)
  await folder.sync()
}

async function nameFile(root: DiskRoot, temporary: string, target: string, placement: Placement) {
  const { ifAbsent, ifMatch } = placement
  if (ifAbsent && root.canLink) {
    await link(temporary, target)
    // If the temporary file cannot be removed, the sweep removes it.
    return unlink(temporary).catch(() => undefined)
  }
  if (ifAbsent || ifMatch !== undefined) await requirePlace(root, placement)
  return root.steps.rename(temporary, target)
}

/** Whether folders are fsynced. Windows cannot sync a folder. */
const syncsFolders = ({ syncs }: DiskRoot): boolean => syncs && sep !== '\\'

/** Fsyncs a folder, so that its names survive a power cut. A missing folder needs no sync. */
export async function syncFolder(root: DiskRoot, folder: string): Promise<void> {
  if (!syncsFolders(root)) return
  try {
    await using handle = await open(folder, 'r')
    await handle.sync()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

function taken(key: StorageKey, by: string): StorageError {
  return new StorageError('storage.exists', `${JSON.stringify(key)} is taken by ${by}.`)
}

function changed(key: StorageKey): StorageError {
  return new StorageError('storage.changed', `${JSON.stringify(key)} is not the version that was meant.`)
}
