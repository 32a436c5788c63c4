import { randomUUID } from 'node:crypto'
import { link, lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { StorageError } from '../errors.ts'
import { isFolderKey, RESERVED_NAME_PREFIX, type StorageKey } from '../keys.ts'
import { type Steps, stepsOf } from './at-once.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { createFreeRoom, type FreeRoom } from './free-room.ts'
import { createPathLock, type PathLock } from './path-locks.ts'

/**
 * File in a folder that represents its folder marker. The name is reserved, so no key addresses the file and no listing
 * shows it.
 */
export const MARKER_NAME = `${RESERVED_NAME_PREFIX}folder`

/** All roots share this lock, because two roots can use the same folder. */
const lock = createPathLock()

/** The root folder and its properties, detected once. All paths are absolute, without symlinks. */
export interface DiskRoot {
  path: string
  /** Path of `<root>/.dropleaf-tmp`, which contains one file per running write. */
  temporary: string
  /** Path of `<root>/.dropleaf-tmp/uploads`, which contains one folder per multipart upload. */
  uploads: string
  /** False on file systems without hard links (exFAT, some network shares). */
  canLink: boolean
  /** Whether a write is fsynced before it is acknowledged; see `DiskDriverOptions`. */
  syncs: boolean
  room: FreeRoom
  lock: PathLock
  steps: Steps
}

/**
 * Opens the root folder. Creates it and its temporary folder if missing.
 * @throws {StorageError} `storage.denied`, `storage.full`, `storage.unavailable`; `storage.exists` if a file is in the
 * place of a folder
 */
export async function openRoot(
  path: string,
  { syncs, reserveBytes = 0 }: { syncs: boolean; reserveBytes?: number | undefined },
): Promise<DiskRoot> {
  try {
    await mkdir(resolve(path), { recursive: true })
    const real = await realpath(resolve(path))
    const temporary = join(real, `${RESERVED_NAME_PREFIX}tmp`)
    const uploads = join(temporary, 'uploads')
    await mkdir(uploads, { recursive: true })
    const canLink = await hasHardLinks(temporary)
    const room = createFreeRoom(real, { reserveBytes })
    return { path: real, temporary, uploads, canLink, syncs, room, lock, steps: stepsOf({ syncs }) }
  } catch (error) {
    throw translate(error, 'write', path)
  }
}

async function hasHardLinks(folder: string): Promise<boolean> {
  const first = join(folder, randomUUID())
  const second = join(folder, randomUUID())
  try {
    await writeFile(first, '')
    await link(first, second)
    return true
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) return false
    throw error
  } finally {
    await Promise.all([rm(first, { force: true }), rm(second, { force: true })])
  }
}

/**
 * Checks that the disk is mounted. An unmounted disk leaves an empty folder, and without this check every object would
 * count as deleted.
 * @throws {StorageError} `storage.unavailable`
 */
export async function requireMounted(root: DiskRoot): Promise<void> {
  try {
    await lstat(root.temporary)
  } catch (error) {
    throw new StorageError(
      'storage.unavailable',
      `The storage folder ${root.path} is missing or not mounted.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Returns the path of a key's file.
 * @throws {StorageError} `storage.invalid_key` if the operating system would interpret a name (a backslash on Windows),
 * or the key is valid only in a bucket
 */
export function pathOf(root: DiskRoot, key: StorageKey): string {
  if (sep === '\\' && /[\\:*?"<>|]/.test(key)) {
    throw new StorageError('storage.invalid_key', `Not a file name on this system: ${JSON.stringify(key)}.`)
  }
  // Rejects keys that are only valid in a bucket, because on a disk their path would belong to another key.
  if (key.startsWith('/') || key.includes('//')) {
    throw new StorageError('storage.invalid_key', `Not a path on a disk: ${JSON.stringify(key)}.`)
  }
  return join(root.path, isFolderKey(key) ? key + MARKER_NAME : key)
}

/** Whether the path exists, and contains no symlink below the root. */
export async function isPlain(path: string, steps: Pick<Steps, 'realpath'> = { realpath }): Promise<boolean> {
  try {
    return (await steps.realpath(path)) === path
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'ELOOP') return false
    throw error
  }
}

/**
 * Creates a folder and its parents, never through a symlink.
 * @param o.intoFolder prefix of a parent that must already exist
 * @returns the folders that got a new entry and must be fsynced
 * @throws {StorageError} `storage.folder_missing`; `storage.denied` if a symlink is in the way; `storage.unavailable`
 * @throws system errors; ENOENT if a folder on the path was pruned meanwhile (try again)
 */
export async function ensureFolder(
  root: DiskRoot,
  folder: string,
  o: { intoFolder?: string | undefined } = {},
): Promise<string[]> {
  if (folder === root.path || (await isPlain(folder, root.steps))) return []
  if (o.intoFolder !== undefined && folder === join(root.path, o.intoFolder.slice(0, -1))) {
    await requireMounted(root)
    throw new StorageError(
      'storage.folder_missing',
      `The folder ${JSON.stringify(o.intoFolder)} is not there.`,
    )
  }
  const changed = await ensureFolder(root, dirname(folder), o)
  try {
    await mkdir(folder)
    return [...changed, dirname(folder)]
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    // Does not use `isPlain`, which hides ENOENT. ENOENT here means that the folder was pruned between these steps, and
    // tells the caller to try again.
    const isFolder = (await lstat(folder)).isDirectory()
    if (isFolder && (await realpath(folder)) === folder) return changed
    throw new StorageError(
      'storage.denied',
      `${JSON.stringify(basename(folder))} is a link out of the storage.`,
      {
        cause: error,
      },
    )
  }
}
