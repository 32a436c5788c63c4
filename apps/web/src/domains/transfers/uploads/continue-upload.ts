import { isSameFile, UploadError } from '@dropleaf/uploader'
import { uploads } from './uploads.ts'
import type { FileFacts, UploadEntry } from './upload-store.ts'

/**
 * Resumes an upload with the file that the user has chosen again.
 * @throws {UploadError} `upload.source_changed` if it is a different file
 */
export function continueWith(entry: UploadEntry, file: File): void {
  if (!isSameFile(file, entry.file)) throw new UploadError('upload.source_changed')
  uploads.provide(entry.key, file)
  uploads.retry([entry.key])
}

type AskingHandle = FileSystemFileHandle & {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/**
 * Opens the file of an upload with its stored handle. Must be called in a click handler, because the browser can ask
 * for permission.
 * @returns whether the upload continues. If not, the user has to choose the file
 * @throws {UploadError} `upload.source_changed`
 */
export async function reopenFile(entry: UploadEntry): Promise<boolean> {
  const handle: AskingHandle | null = entry.handle
  if (!handle) return false
  const answer = (await handle.requestPermission?.({ mode: 'read' })) ?? 'granted'
  if (answer !== 'granted') return false
  try {
    continueWith(entry, await handle.getFile())
    return true
  } catch (error) {
    if (error instanceof UploadError) throw error
    // The file was moved or deleted.
    return false
  }
}

interface FileMatch<F> {
  readonly found: readonly { readonly entry: UploadEntry; readonly file: F }[]
  /** Files that match no upload. */
  readonly others: readonly F[]
}

/** Assigns each chosen file to at most one upload, and each upload at most one file. */
export function matchFiles<F extends FileFacts>(
  entries: readonly UploadEntry[],
  files: readonly F[],
): FileMatch<F> {
  const open = [...entries]
  const found: { entry: UploadEntry; file: F }[] = []
  const others: F[] = []
  for (const file of files) {
    const index = open.findIndex((entry) => isSameFile(file, entry.file))
    const [entry] = index === -1 ? [] : open.splice(index, 1)
    if (entry) found.push({ entry, file })
    else others.push(file)
  }
  return { found, others }
}
