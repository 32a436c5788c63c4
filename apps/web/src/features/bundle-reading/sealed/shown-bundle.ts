import type { OpenBundle } from '@dropleaf/contract'
import type { PreviewSource } from '../../../domains/preview/preview-source.ts'

/** A thumbnail that is decrypted on this device. */
export interface DecryptedThumbnail {
  /** Identifies the picture among all thumbnails. */
  readonly key: string
  readonly load: () => Promise<Blob | null>
}

/**
 * The files of an end-to-end encrypted bundle, which are decrypted on this device. Pages of open bundles use URLs of
 * the server instead. Paths are in the notation of the API.
 */
export interface DecryptedFiles {
  /** The part of the link after `#`. */
  readonly linkKey: string
  /** `null` if the bundle has no such file. */
  readonly sizeOf: (path: string) => number | null
  readonly previewOf: (path: string) => PreviewSource
  readonly thumbnailOf: (path: string) => DecryptedThumbnail | null
  /** Returns a URL for an element of a text, such as a picture. */
  readonly urlOf: (path: string) => Promise<string>
  /**
   * Saves a file, or several files and folders as one archive.
   * @param paths empty for the whole bundle
   */
  readonly save: (paths: readonly string[], name: string | null) => Promise<void>
  /** Saves the bundle in encrypted form. It can be opened later with the key and without this server. */
  readonly saveEncrypted: () => Promise<void>
}

/** The properties of the files that rendering a text needs. */
export type FilesOfText = Pick<DecryptedFiles, 'linkKey' | 'urlOf'>

/** A bundle before the app is loaded. */
export type EarlyBundle = OpenBundle & { readonly decrypted?: FilesOfText }

/** A bundle as its page shows it. */
export type ShownBundle = OpenBundle & {
  /** Present only for an end-to-end encrypted bundle. */
  readonly decrypted?: DecryptedFiles
}

/** The properties of a shown bundle that give access to its files. */
export type ShownFiles = Pick<ShownBundle, 'slug' | 'ticket' | 'decrypted'>
