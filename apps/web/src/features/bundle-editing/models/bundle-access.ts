import type { ManifestInput, OwnManifest, OwnManifestItem } from '@dropleaf/contract'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'

export interface NewFile {
  readonly path: string
  readonly file: File
}

/** A file whose upload has started. */
export interface StartedFile {
  /** Number of the object, which is `source.object` of the item. */
  readonly number: number
  /** Key of the upload. */
  readonly upload: string
}

/** Uploads of files that the user adds in the editor, by their keys. */
export interface AddedUploads {
  readonly entryOf: (key: string) => UploadEntry | undefined
  readonly isStored: (key: string) => boolean
  /** Whether an upload has failed, was cancelled, or waits for the user. */
  readonly isHalted: (key: string) => boolean
  readonly retry: (key: string) => void
  /** Cancels uploads that no revision uses. */
  readonly drop: (keys: readonly string[]) => void
}

/** Reads and writes the contents of one bundle for the editor. */
export interface BundleAccess {
  readonly id: string
  readonly isSealed: boolean
  /** The revision that the user edits. */
  readonly revision: number
  /** Contents of the revision; `null` for a draft. */
  readonly published: OwnManifest | null
  readonly uploads: AddedUploads
  /** Starts to upload files. Returns `null` if the bundle has too few free object numbers. */
  readonly start: (files: readonly NewFile[]) => readonly StartedFile[] | null
  /**
   * Waits until everything that a revision needs is stored.
   * @returns `false` as soon as one upload fails, is cancelled or waits for the user
   * @throws {ApiError} for an encrypted bundle, if a file that must be sent again cannot be read, or if there are too
   * few free object numbers
   */
  readonly whenStored: (manifest: ManifestInput, waiting: readonly string[]) => Promise<boolean>
  /** @throws {ApiError} `bundle.changed` if the current revision is not the expected revision */
  readonly publish: (manifest: ManifestInput, expectedRevision: number) => Promise<void>
  readonly readNewest: (signal?: AbortSignal) => Promise<{ revision: number; manifest: OwnManifest | null }>
  /** Returns the contents of a stored revision. */
  readonly readRevision: (revision: number, signal?: AbortSignal) => Promise<OwnManifest | null>
  /**
   * Publishes an earlier revision again.
   * @throws {ApiError} as `publish`, and if the manifest of an encrypted revision cannot be opened
   */
  readonly restore: (revision: number, expectedRevision: number) => Promise<void>
  /** Returns a URL of the bytes of a published file. */
  readonly urlOf: (item: OwnManifestItem) => Promise<string>
  /** Cancels unfinished uploads, and frees decrypted pictures. */
  readonly close: () => void
}
