import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, readdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FOLDER_MARKER_NAME, isReservedName } from '@dropleaf/storage'
import { databaseTrouble } from '../../../db/database.ts'
import type { SavedFile } from './manifest.models.ts'

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether writing a file or the database failed because the disk is full. */
export const isNoRoom = (error: unknown): boolean =>
  NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '') || databaseTrouble(error) === 'full'

export async function syncPlace(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function hashFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** Copies a file with its timestamps, and fsyncs the copy. */
export async function copyWhole(from: string, to: string): Promise<{ sizeBytes: number; sha256: string }> {
  const { mtime, atime } = await lstat(from)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let sizeBytes = 0
  await pipeline(
    createReadStream(from),
    async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk)
        sizeBytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(to, { mode: 0o600, flush: true }),
  )
  await utimes(to, atime, mtime)
  return { sizeBytes, sha256: hash.digest('hex') }
}

export interface Found {
  readonly path: string
  /** A text that changes when the file is overwritten. */
  readonly mark: string
}

/** Entries that are not backed up. */
export interface LeftOut {
  readonly links: string[]
  /**
   * Names that are not valid UTF-8, with escapes. No path can refer to them, so the server does not show them either.
   */
  readonly unnameable: string[]
  /** Paths of special files, such as sockets. */
  readonly special: string[]
}

const escaped = (name: Buffer): string =>
  [...name]
    .map((byte) =>
      byte > 0x1f && byte < 0x7f ? String.fromCodePoint(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')

/** Finds everything below a folder, as paths with forward slashes. Does not follow links, and skips temporary files. */
async function walk(root: string): Promise<{ files: Found[]; emptyFolders: string[]; leftOut: LeftOut }> {
  const leftOut: LeftOut = { links: [], unnameable: [], special: [] }
  const found = { files: [] as Found[], emptyFolders: [] as string[], leftOut }
  async function enter(folder: string): Promise<void> {
    const entries = await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' }).catch(
      (error: unknown) => {
        if (isMissing(error)) return []
        throw error
      },
    )
    if (entries.length === 0 && folder !== '') found.emptyFolders.push(folder)
    const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)
    for (const entry of entries) {
      if (!isUtf8(entry.name)) {
        leftOut.unnameable.push(pathOf(escaped(entry.name)))
        continue
      }
      const name = entry.name.toString()
      if (isReservedName(name) && name !== FOLDER_MARKER_NAME) continue
      const path = pathOf(name)
      if (entry.isSymbolicLink()) leftOut.links.push(path)
      else if (entry.isDirectory()) await enter(path)
      else if (entry.isFile()) {
        const stat = await lstat(join(root, path)).catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
        if (stat) found.files.push({ path, mark: `${stat.size} ${stat.mtimeMs} ${stat.ino}` })
      } else leftOut.special.push(path)
    }
  }
  await enter('')
  return found
}

/**
 * Updates a copy of a folder that is in use. Files that have been deleted stay in the copy.
 * @param known copied files, by path; new files are added
 */
export async function copyTree(
  from: string,
  to: string,
  known: Map<string, { mark: string; saved: SavedFile }>,
): Promise<{ emptyFolders: string[]; leftOut: LeftOut }> {
  const { files, emptyFolders, leftOut } = await walk(from)
  for (const { path, mark } of files) {
    if (known.get(path)?.mark === mark) continue
    try {
      known.set(path, { mark, saved: { path, ...(await copyWhole(join(from, path), join(to, path))) } })
    } catch (error) {
      // Ignores a file that was deleted after it was listed.
      if (!isMissing(error)) throw error
    }
  }
  return { emptyFolders, leftOut }
}
