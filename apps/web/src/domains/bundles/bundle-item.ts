import type { UploadEntry } from '../transfers/uploads/upload-store.ts'
import type { SavedItem } from './saved-bundles.ts'

/** A file of a bundle in this tab. `sentBytes` and `fingerprint` are the values that were saved before a reload. */
export interface Item extends Omit<SavedItem, 'handle'> {
  readonly bytes: File | null
  readonly handle: FileSystemFileHandle | null
  /** Key of the upload. */
  readonly key: string | null
}

/** Returns the record of a file for resuming after a reload. @param entry its upload */
export function savedItemOf(item: Item, entry: UploadEntry | undefined): SavedItem {
  const { n, path, file, isStored, handle } = item
  const fingerprint = entry?.fingerprint ?? item.fingerprint
  return {
    n,
    path,
    file,
    isStored,
    sentBytes: entry?.sentBytes ?? 0,
    ...(fingerprint !== undefined && { fingerprint }),
    ...(handle && { handle }),
  }
}
