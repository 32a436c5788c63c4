import { lstat, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SweepOptions, SweepResult } from '../driver.ts'
import { isMissing, translate } from './errors.ts'
import { keyOfUpload } from './multipart.ts'
import { KEPT_JOURNAL_PREFIX } from './old-journal.ts'
import { type DiskRoot, requireMounted } from './root.ts'

/** Removes temporary files and upload folders that were not touched for the given time. Uploads in use stay. */
export async function sweepTemporary(root: DiskRoot, o: SweepOptions): Promise<SweepResult> {
  await requireMounted(root)
  const swept: SweepResult = { files: 0, sizeBytes: 0 }
  const names = (await readdir(root.temporary)).filter((name) => !name.startsWith(KEPT_JOURNAL_PREFIX))
  const files = names.map((name) => join(root.temporary, name)).filter((path) => path !== root.uploads)
  const uploads = (await readdir(root.uploads)).map((name) => join(root.uploads, name))
  const { isDryRun, key } = o
  if (key === undefined)
    for (const path of files) await sweepEntry(path, { olderThanMs: o.olderThanMs, isDryRun }, swept)
  const rule = { ...o, olderThanMs: o.uploadsOlderThanMs ?? o.olderThanMs }
  for (const path of uploads)
    if (key === undefined || (await keyOfUpload(path)) === key) await sweepEntry(path, rule, swept)
  return swept
}

async function sweepEntry(
  path: string,
  { olderThanMs, isDryRun, isInUse }: SweepOptions,
  swept: SweepResult,
): Promise<void> {
  try {
    const stats = await lstat(path)
    if (Date.now() - stats.mtimeMs < olderThanMs || (await isInUse?.(basename(path)))) return
    const inside = stats.isDirectory() ? await readdir(path) : []
    const sizes = inside.map(async (name) => (await lstat(join(path, name))).size)
    const sizeBytes = stats.isDirectory() ? sum(await Promise.all(sizes)) : stats.size
    if (!isDryRun) await rm(path, { recursive: true, maxRetries: 3 })
    swept.files += stats.isDirectory() ? inside.length : 1
    swept.sizeBytes += sizeBytes
  } catch (error) {
    if (!isMissing(error)) throw translate(error, 'write', path)
  }
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
