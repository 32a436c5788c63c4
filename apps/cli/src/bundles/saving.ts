import { lstat, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleReadingRoutes, type OpenBundle } from '@dropleaf/contract'
import { FILES_AT_ONCE } from '@dropleaf/uploader'
import { addressOf, BYTES_HEADERS, type Connection, request } from '../client.ts'
import { onDisk } from '../disk.ts'
import { fetchFile } from '../download.ts'
import { usageError } from '../errors.ts'
import { partFileOf, type Version, writeAt, discardPart, openPart } from '../targets/part-file.ts'
import type { ShowProgress } from '../part-uploads.ts'
import { findAt } from '../targets/targets.ts'
import type { DoneList } from './done-list.ts'
import { type FoundFile, isItemGone } from './found-files.ts'
import { eachAtOnce } from './pool.ts'

/**
 * Minimum size of a file whose interrupted download can be resumed. The client requests the version of such a file.
 */
const RESUMED_FROM_BYTES = 1024 * 1024

/** A file that was saved at its final path. The inode distinguishes it from another file with this name. */
export interface SavedItem {
  readonly path: string
  readonly inode: number
}

/** A file of a bundle, and its local path. */
export interface Placed {
  readonly file: FoundFile
  /** Names of the folders below the target, followed by the name of the file. */
  readonly names: readonly string[]
}

interface Reading {
  readonly connection: Connection
  readonly opened: OpenBundle
}

/** A download needs no stored state. Its part file is enough to resume it, and a list records complete files. */
const NO_STATE = { find: async () => null, keep: async () => undefined, forget: async () => undefined }

export const addressOfFile = ({ connection, opened }: Reading, path: string): string =>
  addressOf(connection.server, bundleReadingRoutes.file.path, {
    params: { slug: opened.slug },
    query: { ticket: opened.ticket, path, download: true },
  })

/**
 * Requests the version of a file. The version of a small file is unknown, because small files are not resumed. It is
 * also unknown after an error response; the download then reports the error.
 */
async function versionOf(reading: Reading, file: FoundFile): Promise<Version> {
  const source = `${reading.connection.server} ${reading.opened.slug} ${file.path}`
  const unknown = { source, etag: '', sizeBytes: file.sizeBytes ?? 0 }
  if (file.sizeBytes !== null && file.sizeBytes < RESUMED_FROM_BYTES) return unknown
  const answer = await request(addressOfFile(reading, file.path), { method: 'HEAD', headers: BYTES_HEADERS })
  if (!answer.ok) return unknown
  const { headers } = answer
  return {
    source,
    etag: headers.get('etag') ?? '',
    sizeBytes: Number(headers.get('content-length') ?? unknown.sizeBytes),
  }
}

interface Target {
  readonly target: string
  /** @throws {CliError} if the target exists and must not be replaced */
  readonly requireFree: (target: string) => Promise<void>
  /** Called when the part file is complete. */
  readonly onComplete?: (part: string) => Promise<void>
}

export interface OneFile extends Target {
  readonly file: FoundFile
  readonly onProgress: ShowProgress
}

/** Downloads one file to its final path. @throws {CliError} */
export async function saveFile(
  reading: Reading,
  { file, target, requireFree, onProgress, onComplete }: OneFile,
): Promise<void> {
  const version = await versionOf(reading, file)
  const address = addressOfFile(reading, file.path)
  await fetchFile({
    saved: { ...version, address, target, part: partFileOf(target, version) },
    state: NO_STATE,
    requireFree,
    onProgress,
    ...(onComplete && { onComplete }),
  })
}

/** Writes a text to a temporary file and renames it, so that the target is never incomplete. @throws {CliError} */
export async function saveText({
  text,
  target,
  requireFree,
  onComplete,
}: Target & { readonly text: string }): Promise<void> {
  const part = partFileOf(target, { source: '', etag: '', sizeBytes: 0 })
  const file = await onDisk(target, openPart(part))
  try {
    await onDisk(target, writeAt(file, Buffer.from(text), 0))
  } finally {
    await file.close()
  }
  try {
    await requireFree(target)
    await onComplete?.(part)
    await onDisk(target, rename(part, target))
  } catch (error) {
    await discardPart(part)
    throw error
  }
}

/**
 * @returns whether the folder exists
 * @throws {CliError} if the path exists and is not a folder. A symbolic link is refused too, because it can lead
 *   anywhere.
 */
async function requireFolder(path: string): Promise<boolean> {
  const found = await findAt(path)
  if (found && !found.isDirectory()) throw usageError('get.no_real_folder', { file: path })
  return found !== null
}

/** Creates the folders of files one level at a time, and refuses symbolic links below the target. */
function createFolders(root: string) {
  const made = new Map<string, Promise<void>>()
  async function make(path: string): Promise<void> {
    if (await requireFolder(path)) return
    await onDisk(
      path,
      mkdir(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }),
    )
    await requireFolder(path)
  }
  const once = (path: string) => {
    const making = made.get(path) ?? make(path)
    made.set(path, making)
    return making
  }
  return async (names: readonly string[]): Promise<string> => {
    let path = root
    await once(path)
    for (const name of names) {
      path = join(path, name)
      await once(path)
    }
    return path
  }
}

interface Whole {
  readonly root: string
  readonly placed: readonly Placed[]
  /** The page and its name; `null` if there is none. */
  readonly page: { readonly name: string; readonly read: () => Promise<string> } | null
  /** @throws {CliError} if the target exists and must not be replaced */
  readonly requireFree: (target: string) => Promise<void>
  /** Saves one file to its final path. @throws {CliError} */
  readonly save: (one: OneFile) => Promise<void>
  readonly done: DoneList<SavedItem>
  readonly onProgress: ShowProgress
}

/** Key of the page in the list of completed steps. No item has an empty path. */
const PAGE = ''

/**
 * Finds the files that an earlier attempt has saved, and checks that no other file would be replaced.
 * @throws {CliError} if a file exists that must not be replaced, or a symbolic link is in the path
 */
async function findDone({ root, placed, page, done, requireFree }: Whole): Promise<ReadonlySet<string>> {
  const inodes = new Map((await done.read()).map(({ path, inode }) => [path, inode]))
  const present = new Set<string>()
  const folders = new Map<string, boolean>()
  const isThere = async (path: string) => {
    const known = folders.get(path) ?? (await requireFolder(path))
    folders.set(path, known)
    return known
  }
  const all = [
    ...placed.map(({ file, names }) => ({ path: file.path, names })),
    ...(page ? [{ path: PAGE, names: [page.name] }] : []),
  ]
  for (const { path, names } of all) {
    let folder = root
    let exists = await isThere(folder)
    for (const name of names.slice(0, -1)) {
      folder = join(folder, name)
      if (exists) exists = await isThere(folder)
    }
    if (!exists) continue
    const target = join(root, ...names)
    const found = await findAt(target)
    if (found?.isFile() && inodes.get(path) === found.ino) present.add(path)
    else await requireFree(target)
  }
  return present
}

/**
 * Saves all files of a bundle below a folder, with limited concurrency.
 * @returns the paths of items that can no longer be read
 * @throws {CliError}
 */
export async function saveBundle(input: Whole): Promise<{ gone: string[] }> {
  const { root, placed, page, done, requireFree, save, onProgress } = input
  const present = await findDone(input)
  const folderOf = createFolders(root)
  const gone: string[] = []
  const sizeOf = ({ file }: Placed) => file.sizeBytes ?? 0
  const totalBytes = placed.reduce((sum, one) => sum + sizeOf(one), 0)
  let doneBytes = placed.reduce((sum, one) => sum + (present.has(one.file.path) ? sizeOf(one) : 0), 0)
  const noting = (path: string) => async (part: string) =>
    done.add({ path, inode: (await onDisk(part, lstat(part))).ino })
  await folderOf([])
  if (page && !present.has(PAGE))
    await saveText({
      text: await page.read(),
      target: join(root, page.name),
      requireFree,
      onComplete: noting(PAGE),
    })
  const missing = placed.filter(({ file }) => !present.has(file.path))
  await eachAtOnce(missing, FILES_AT_ONCE, async ({ file, names }) => {
    const target = join(await folderOf(names.slice(0, -1)), names.at(-1) ?? '')
    let shownBytes = 0
    const show: ShowProgress = (state) => {
      doneBytes += state.doneBytes - shownBytes
      shownBytes = state.doneBytes
      onProgress({ doneBytes, totalBytes })
    }
    try {
      await save({ file, target, requireFree, onProgress: show, onComplete: noting(file.path) })
    } catch (error) {
      if (!isItemGone(error)) throw error
      gone.push(file.path)
    }
  })
  return { gone }
}
