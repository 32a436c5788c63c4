import { createContext } from 'react'

export interface UploadedFile {
  /** What the text links to. */
  readonly address: string
  readonly isImage: boolean
}

/** Shares a file of this device. @throws what `reasonOf` has words for. */
export interface FileUploads {
  readonly upload: (
    file: File,
    options: { signal: AbortSignal; onProgress: (share: number) => void },
  ) => Promise<UploadedFile>
  /** Whether the person who is logged in may share files; told in words where not. */
  readonly mayUpload: () => boolean
  readonly reasonOf: (error: unknown) => string
}

/** How editors share files; the app provides it. */
export const FileUploadsContext = createContext<FileUploads | null>(null)
