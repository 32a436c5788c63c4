import { SAVED_STATE_MS } from './limits.ts'

/**
 * What is kept of an upload in parts, so that it can go on after a reload. Its parts and
 * which of them have arrived, the server knows.
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

/** Whether a file that was chosen again is the one that was begun; its parts would not fit together otherwise. */
export const isSameFile = (file: FileFacts, begun: FileFacts): boolean =>
  file.name === begun.name && file.size === begun.size && file.lastModified === begun.lastModified
