import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, readdir, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FOLDER_MARKER_NAME, isReservedName } from '@dropleaf/storage'
import type { SavedFile } from './manifest.models.ts'

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

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

/** Copies a file with its time, and on to the medium. */
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
  /** By which one sees that it was written over. */
  readonly mark: string
}

/** What lies below a folder, by paths with slashes. Links are not followed, and what is only on its way is left out. */
export async function walk(
  root: string,
): Promise<{ files: Found[]; emptyFolders: string[]; links: string[] }> {
  const found = { files: [] as Found[], emptyFolders: [] as string[], links: [] as string[] }
  async function enter(folder: string): Promise<void> {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    if (entries.length === 0 && folder !== '') found.emptyFolders.push(folder)
    for (const entry of entries) {
      if (isReservedName(entry.name) && entry.name !== FOLDER_MARKER_NAME) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isSymbolicLink()) found.links.push(path)
      else if (entry.isDirectory()) await enter(path)
      else if (entry.isFile()) {
        const stat = await lstat(join(root, path)).catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
        if (stat) found.files.push({ path, mark: `${stat.size} ${stat.mtimeMs} ${stat.ino}` })
      }
    }
  }
  await enter('')
  return found
}

/**
 * Brings a copy of a folder that is in use up to what it is now. What has gone since stays in the copy.
 * @param known what was copied before, path → mark and checksum; is added to
 */
export async function copyTree(
  from: string,
  to: string,
  known: Map<string, { mark: string; saved: SavedFile }>,
): Promise<{ emptyFolders: string[]; links: string[] }> {
  const { files, emptyFolders, links } = await walk(from)
  for (const { path, mark } of files) {
    if (known.get(path)?.mark === mark) continue
    try {
      known.set(path, { mark, saved: { path, ...(await copyWhole(join(from, path), join(to, path))) } })
    } catch (error) {
      // Deleted since it was seen.
      if (!isMissing(error)) throw error
    }
  }
  return { emptyFolders, links }
}
