import { createContext } from 'react'

export interface UploadedFile {
  /** URL of the link. */
  readonly address: string
  readonly isImage: boolean
}

export interface FileUploads {
  /** Uploads a file and shares it. @throws errors that `reasonOf` can describe. */
  readonly upload: (
    file: File,
    options: { signal: AbortSignal; onProgress: (share: number) => void },
  ) => Promise<UploadedFile>
  /** Whether the user is allowed to share files. If not, the caller shows a notice. */
  readonly mayUpload: () => boolean
  readonly reasonOf: (error: unknown) => string
}

/** Provides file uploads to editors; set by the app. */
export const FileUploadsContext = createContext<FileUploads | null>(null)
