import { SPOOL_FOLDER } from './spool-messages.ts'

/** A finished file may still be being copied by the download of another tab. */
const COPIED_MS = 10 * 60_000
/** An interrupted download can be continued for this long. */
const KEPT_MS = 24 * 3_600_000

/** The size in the name tells a finished file from an interrupted one. */
const sizeInName = (name: string) => Number(name.slice(name.lastIndexOf('-') + 1))

/** Fails in browsers and windows without private files, and before the first download. */
async function openFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(SPOOL_FOLDER)
}

/** Removes files of finished downloads, and those that nobody has continued for a day. */
export async function forgetSpools(nowMs = Date.now()): Promise<void> {
  const folder = await openFolder().catch(() => null)
  if (!folder) return
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file') continue
    const { size, lastModified } = await handle.getFile()
    const keptMs = size === sizeInName(name) ? COPIED_MS : KEPT_MS
    // A file that a download is writing is locked, and cannot be removed.
    if (lastModified + keptMs < nowMs) await folder.removeEntry(name).catch(() => undefined)
  }
}
