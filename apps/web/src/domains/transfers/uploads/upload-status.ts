import type { UploadEntry } from './upload-store.ts'

/** Status of an upload in the interface. More detailed than the state of the upload. */
export type FileStatus =
  | 'waiting'
  | 'starting'
  | 'initializing'
  | 'uploading'
  | 'offline'
  | 'still'
  | 'processing'
  | 'completing'
  | 'completed'
  | 'paused'
  | 'needsFile'
  | 'failed'
  | 'retrying'
  | 'cancelled'

export function statusOf(entry: UploadEntry): FileStatus {
  if (entry.isWaiting) return 'waiting'
  if (entry.isCut) return 'offline'
  switch (entry.state) {
    case 'idle':
      return 'waiting'
    case 'uploading':
      return entry.isStill && entry.stage === 'uploading' ? 'still' : (entry.stage ?? 'starting')
    case 'paused':
      return entry.hasSource ? 'paused' : 'needsFile'
    case 'failed':
      return entry.retryAtMs === null ? 'failed' : 'retrying'
    case 'completed':
      return 'completed'
    case 'aborted':
      return 'cancelled'
    default:
      return entry.state satisfies never
  }
}
