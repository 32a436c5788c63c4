import { SPOOL_FOLDER } from './spool-messages.ts'

/** How long a finished file is retained, because the download of another tab may still be copying it. */
const COPIED_MS = 10 * 60_000
/** How long an interrupted download can be resumed. */
const KEPT_MS = 24 * 3_600_000

/** Returns the size in the file name. A file of this size is finished; a smaller file was interrupted. */
const sizeInName = (name: string) => Number(name.slice(name.lastIndexOf('-') + 1))

/**
 * Opens the folder of private files. Fails before the first download, and if the browser or window has no private
 * files.
 */
async function openFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(SPOOL_FOLDER)
}

/** Removes the files of finished downloads, and those of interrupted downloads that were not resumed for a day. */
export async function forgetSpools(nowMs = Date.now()): Promise<void> {
  const folder = await openFolder().catch(() => null)
  if (!folder) return
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file') continue
    const { size, lastModified } = await handle.getFile()
    const keptMs = size === sizeInName(name) ? COPIED_MS : KEPT_MS
    // Ignores errors, because a file that a download is writing is locked and cannot be removed.
    if (lastModified + keptMs < nowMs) await folder.removeEntry(name).catch(() => undefined)
  }
}
