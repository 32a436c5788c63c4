import type { PickedFile } from '../transfers/uploads/picked-files.ts'
import type { UploadEntry } from '../transfers/uploads/upload-store.ts'
import type { BundleOptions } from './bundle-calls.ts'
import type { BundleSnapshot } from './bundle-snapshot.ts'
import type { BundleContent, BundleOrigin } from './saved-bundles.ts'

/** A file of a bundle, and its path in the bundle. */
export interface BundleFile {
  readonly path: string
  readonly file: File
  readonly handle: FileSystemFileHandle | null
}

/** A bundle that is being created: its files are uploaded, then the bundle is published. */
export interface Draft {
  readonly at: BundleOrigin
  readonly key: string
  readonly id: string
  readonly isPublished: boolean
  readonly isSealed: boolean
  /** Adds files before the bundle is published. */
  add(files: readonly BundleFile[]): void
  setContent(content: BundleContent): void
  /**
   * Creates the bundle and uploads missing files. Publishes the bundle after the last file. Failures appear in {@link
   * snapshot}; a repeated call resumes.
   * @param options absent for those of the last call. `null`, after a reload, leaves the options on the server
   * unchanged.
   */
  go(options?: BundleOptions | null): Promise<void>
  /** Call with each upload whose state has changed, so that the bundle updates its state. */
  noteEntry(entry: UploadEntry): void
  /** Resumes like {@link go} with the last options, or only the upload of file `n`. */
  retry(n?: number): void
  pause(): void
  remove(n: number): void
  /**
   * Resumes with files that the user has chosen again. Matches files by path, size and time first, then by name, size
   * and time.
   * @returns the files that do not belong to this bundle
   */
  provide(chosen: readonly PickedFile[]): PickedFile[]
  /** Returns the file handles that can reopen missing files. */
  handles(): FileSystemFileHandle[]
  /** Discards the bundle, also on the server. A published bundle is only removed from the list. */
  drop(): Promise<void>
  /** Saves the progress. Call before the page closes. */
  flush(): void
  /**
   * Stops the bundle in this tab. Its record stays, so that the next session of the same user can resume it, unless
   * `isForGood` is true.
   * @param how.isForGood whether to delete the record
   */
  leave(how: { isForGood: boolean }): void
  snapshot(): BundleSnapshot
}
