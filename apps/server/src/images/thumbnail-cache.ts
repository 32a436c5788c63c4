import { randomUUID } from 'node:crypto'
import { mkdir, opendir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Cache of thumbnail files. An empty file marks an image that cannot have a thumbnail. */
export interface ThumbnailCache {
  /** @returns the file; `none` if the image cannot have a thumbnail; `null` if the name is unknown */
  find(name: string): Promise<{ path: string; sizeBytes: number } | 'none' | null>
  /** @param make writes the thumbnail to the given file; if it returns `none`, an empty file is stored */
  put(name: string, make: (target: string) => Promise<'made' | 'none'>): Promise<void>
}

/** Precision of the stored time of last use. */
const USED_MS = 24 * 3_600_000
/** Number of additions between two checks of the total size. */
const TRIM_EVERY = 200
/** Fraction of the limit that remains after trimming. */
const TRIM_TO = 0.8

interface Kept {
  readonly path: string
  readonly sizeBytes: number
  readonly usedAtMs: number
}

async function listKept(folder: string): Promise<Kept[]> {
  const kept: Kept[] = []
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(() => null)
    if (found) kept.push({ path, sizeBytes: found.size, usedAtMs: found.mtimeMs })
  }
  return kept
}

/** Removes the least recently used thumbnails, until the total is well below the limit. */
async function trim(folder: string, limitBytes: number): Promise<void> {
  const kept = await listKept(folder)
  let bytes = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes <= limitBytes) return
  for (const { path, sizeBytes } of kept.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (bytes <= limitBytes * TRIM_TO) return
    await rm(path, { force: true })
    bytes -= sizeBytes
  }
}

export function createThumbnailCache(folder: string, limitBytes: number): ThumbnailCache {
  /** The counter starts at 0, so that the first addition also checks files of earlier runs. */
  let untilTrim = 0
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name)
  return {
    async find(name) {
      const path = pathOf(name)
      const found = await stat(path).catch(() => null)
      if (!found) return null
      if (found.size === 0) return 'none'
      if (found.mtimeMs < Date.now() - USED_MS)
        await utimes(path, new Date(), new Date()).catch(() => undefined)
      return { path, sizeBytes: found.size }
    },
    async put(name, make) {
      const path = pathOf(name)
      await mkdir(dirname(path), { recursive: true })
      if (untilTrim === 0) await trim(folder, limitBytes)
      untilTrim = (untilTrim === 0 ? TRIM_EVERY : untilTrim) - 1
      const unfinished = `${path}.${randomUUID()}`
      try {
        if ((await make(unfinished)) === 'none') await writeFile(unfinished, '')
        await rename(unfinished, path)
      } finally {
        await rm(unfinished, { force: true })
      }
    },
  }
}
