import { link, lstat, open, realpath, unlink } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { etagOf } from './object-stat.ts'
import { type DiskRoot, ensureFolder, pathOf, requireMounted } from './root.ts'

/** Removals prune empty folders; a writer that loses that race this often in a row is not racing. */
const ATTEMPTS_MAX = 50

export interface Placement {
  key: StorageKey
  ifAbsent: boolean
  /** Etag of the version that is to be replaced. */
  ifMatch?: string | undefined
  /** Prefix of the folder that must be there; without one all are made. */
  intoFolder?: string | undefined
}

/**
 * Refuses early what `place` would refuse after the bytes have come.
 * @throws {StorageError} `storage.exists` for a name that is taken; `storage.changed` for another version than `ifMatch`;
 *   `storage.denied` for a way through a symlink.
 */
export async function requirePlace(root: DiskRoot, placement: Placement): Promise<void> {
  const { key, ifAbsent, ifMatch } = placement
  const path = pathOf(root, key)
  try {
    const stats = await lstat(path, { bigint: true })
    if ((await realpath(dirname(path))) !== dirname(path)) {
      throw new StorageError('storage.denied', `The way to ${JSON.stringify(key)} is a link.`)
    }
    if (stats.isDirectory()) throw taken(key, 'a folder')
    if (ifAbsent) throw taken(key, 'an object')
    if (ifMatch !== undefined && etagOf(stats) !== ifMatch) throw changed(key)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw translate(error, 'write', key)
    if (ifMatch !== undefined) throw changed(key)
  }
}

/** Gives a finished temporary file its name in one step, and syncs the folders that changed. */
export async function place(root: DiskRoot, temporary: string, placement: Placement): Promise<void> {
  await placeAt(root, placement, (target) =>
    root.lock(target, () => nameFile(root, temporary, target, placement)),
  )
}

/**
 * Makes the folders that a key needs, lets `name` make its entry there, and syncs the folders that changed. Starts again
 * when a removal prunes a folder meanwhile.
 * @param name rejects with ENOENT when the folder, or what is to be named, is not there.
 * @throws {StorageError} `storage.folder_missing` with `intoFolder`
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
      throw new StorageError('storage.unavailable', 'The temporary file went away.', { cause: error })
    }
  }
}

/** The folder is opened first: it is synced even if it is moved meanwhile. */
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
    // What stays is for the sweep.
    return unlink(temporary).catch(() => undefined)
  }
  if (ifAbsent || ifMatch !== undefined) await requirePlace(root, placement)
  return root.steps.rename(temporary, target)
}

/** Windows cannot sync a folder. */
const syncsFolders = ({ syncs }: DiskRoot): boolean => syncs && sep !== '\\'

/** Syncs a folder, so that its names survive a power cut. One that is gone needs no sync. */
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
