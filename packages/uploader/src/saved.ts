import { SAVED_STATE_MS } from './limits.ts'

/**
 * Stored state of an upload in parts, for a resume after a reload. The server knows the parts and which have arrived.
 */
export interface SavedUpload {
  readonly id: string
  /** Folder of the file. */
  readonly directory: string
  readonly name: string
  readonly sizeBytes: number
  readonly lastModifiedMs: number
  readonly sentBytes: number
  readonly savedAtMs: number
}

export const isSavedAlive = ({ savedAtMs }: Pick<SavedUpload, 'savedAtMs'>, nowMs: number): boolean =>
  nowMs - savedAtMs < SAVED_STATE_MS

interface FileFacts {
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

/** Whether a newly chosen file is the one that was started; otherwise its parts would not fit. */
export const isSameFile = (file: FileFacts, begun: FileFacts): boolean =>
  file.name === begun.name && file.size === begun.size && file.lastModified === begun.lastModified
