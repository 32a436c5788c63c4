import { SAVED_STATE_MS } from './limits.ts'

/** Stored state of a multipart upload, for resuming it after a reload. The server stores the list of parts. */
export interface SavedUpload {
  readonly id: string
  /** Path of the file's folder. */
  readonly directory: string
  readonly name: string
  readonly sizeBytes: number
  readonly lastModifiedMs: number
  readonly sentBytes: number
  /** Absent in states of older versions, and if it could not be computed. */
  readonly fingerprint?: string
  readonly savedAtMs: number
}

export const isSavedAlive = ({ savedAtMs }: Pick<SavedUpload, 'savedAtMs'>, nowMs: number): boolean =>
  nowMs - savedAtMs < SAVED_STATE_MS

interface FileFacts {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

/** Returns whether a newly chosen file can be the original file. The upload then compares the fingerprints. */
export const isSameFile = (file: FileFacts, begun: FileFacts): boolean =>
  file.name === begun.name && file.size === begun.size && file.lastModified === begun.lastModified
