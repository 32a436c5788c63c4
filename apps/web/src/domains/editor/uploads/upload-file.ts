import { createContext } from 'react'

export interface UploadedFile {
  /** The target of the link. */
  readonly address: string
  readonly isImage: boolean
}

/** Shares a file. @throws errors that `reasonOf` has texts for. */
export interface FileUploads {
  readonly upload: (
    file: File,
    options: { signal: AbortSignal; onProgress: (share: number) => void },
  ) => Promise<UploadedFile>
  /** Whether the user may share files; the caller shows a notice if not. */
  readonly mayUpload: () => boolean
  readonly reasonOf: (error: unknown) => string
}

/** Uploads files for editors; the app provides it. */
export const FileUploadsContext = createContext<FileUploads | null>(null)
