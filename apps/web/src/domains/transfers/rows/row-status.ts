import { type FileStatus, statusOf } from '../uploads/upload-status.ts'
import type { UploadEntry } from '../uploads/upload-store.ts'

/** Status of a row. Combines several statuses of its upload. */
export type RowStatus = 'pending' | 'uploading' | 'paused' | 'success' | 'error'

const ROW_STATUS: Readonly<Record<FileStatus, RowStatus>> = {
  waiting: 'uploading',
  starting: 'uploading',
  initializing: 'uploading',
  uploading: 'uploading',
  offline: 'uploading',
  still: 'uploading',
  processing: 'uploading',
  completing: 'uploading',
  retrying: 'uploading',
  paused: 'paused',
  needsFile: 'paused',
  completed: 'success',
  failed: 'error',
  cancelled: 'error',
}

export const rowStatusOf = (entry: UploadEntry): RowStatus => ROW_STATUS[statusOf(entry)]
