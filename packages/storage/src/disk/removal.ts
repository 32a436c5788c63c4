import { lstat, rmdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mapBounded } from '../concurrency.ts'
import type { Op, RemoveResult } from '../driver.ts'
import { isFolderKey, type StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { syncFolder } from './place.ts'
import { type DiskRoot, isPlain, pathOf, requireMounted } from './root.ts'

const REMOVALS_AT_ONCE = 16

export async function removeObjects(
  root: DiskRoot,
  keys: readonly StorageKey[],
  o: Op = {},
): Promise<RemoveResult> {
  o.signal?.throwIfAborted()
  const failed: RemoveResult['failed'] = []
  try {
    await requireMounted(root)
  } catch (error) {
    for (const key of keys) failed.push({ key, error: translate(error, 'write', key) })
    return { removed: 0, failed }
  }
  const removeOne = async (key: StorageKey) => {
    o.signal?.throwIfAborted()
    try {
      const path = pathOf(root, key)
      await root.lock(path, () => removeFile(path))
    } catch (error) {
      failed.push({ key, error: translate(error, 'write', key) })
    }
  }
  await mapBounded(keys, REMOVALS_AT_ONCE, removeOne)
  const folders = new Set(keys.map((key) => dirname(pathOf(root, key))))
  await mapBounded([...folders], REMOVALS_AT_ONCE, async (folder) => {
    try {
      await pruneEmptyFolders(root, folder)
    } catch (thrown) {
      const error = translate(thrown, 'write', folder)
      // If the code is `storage.denied`, the file is already removed, and only its folder could not be removed.
      const isFolderOnly = error.code === 'storage.denied'
      const inIt = keys.filter((key) => dirname(pathOf(root, key)) === folder)
      for (const key of inIt.filter((one) => !failed.some((known) => known.key === one)))
        if (isFolderKey(key) || !isFolderOnly) failed.push({ key, error })
    }
  })
  return { removed: keys.length - failed.length, failed }
}

/** Removes a plain file. Anything else at the path is not an object and stays. */
async function removeFile(path: string): Promise<void> {
  try {
    if (!(await isPlain(path)) || !(await lstat(path)).isFile()) return
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/**
 * Removes folders that became empty, upwards, and fsyncs the lowest folder that stays. A folder with a marker is not
 * empty. `rmdir` fails if a writer has just added a file. A writer whose folder disappears creates the folder again.
 */
export async function pruneEmptyFolders(root: DiskRoot, folder: string): Promise<void> {
  let current = folder
  try {
    while (current !== root.path) {
      if (await isPlain(current)) await rmdir(current)
      current = dirname(current)
    }
  } catch (error) {
    const isKept = ['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(errnoOf(error) ?? '')
    if (isMissing(error)) return pruneEmptyFolders(root, dirname(current))
    if (!isKept) {
      await syncFolder(root, current)
      throw translate(error, 'write', folder)
    }
  }
  await syncFolder(root, current)
}
