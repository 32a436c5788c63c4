import type { UploadStage } from '@dropleaf/uploader'
import { hasCode } from '../../../lib/api-error.ts'

export type UploadStatus = 'pending' | 'uploading' | 'paused' | 'success' | 'error'

/** One file on its way. `error` is what failed, and only set in that state. */
export interface UploadItem {
  readonly id: string
  readonly file: File
  readonly status: UploadStatus
  /** What is being done; `null` while it waits for its turn, and when nothing is done. */
  readonly stage: UploadStage | null
  readonly sentBytes: number
  readonly bytesPerSecond: number | null
  readonly remainingSeconds: number | null
  readonly error: unknown
  /** Position in its batch, from 1, or `null` when it goes alone. Kept for later tries. */
  readonly batchNumber: number | null
  /** Link suffix, once it is a share. */
  readonly slug: string | null
}

export const isUnderWay = ({ status }: UploadItem) => status === 'uploading' || status === 'paused'
export const isCancelled = ({ error }: UploadItem) => hasCode(error, 'client.cancelled')

/** What the sharer chose for the batch. */
export interface UploadOptions {
  readonly configId: string
  readonly folder: string
  readonly remark: string
  /** Blank: chosen by the server. */
  readonly slug: string
  readonly password: string
  /** Hours; 0 is never. */
  readonly expiresInHours: number
  /** 0 is unlimited. */
  readonly maxViews: number
}

/** Two picks of the same unchanged file count as one. */
export const fileIdentity = ({ name, size, lastModified }: File) => `${name}\n${size}\n${lastModified}`

/** Link suffix of one file: files of a batch are distinguished by their number. */
export const slugOf = (base: string, batchNumber: number | null): string =>
  base === '' || batchNumber === null ? base : `${base}-${batchNumber}`

export const newUploadItem = (id: string, file: File): UploadItem => ({
  id,
  file,
  status: 'pending',
  stage: null,
  sentBytes: 0,
  bytesPerSecond: null,
  remainingSeconds: null,
  error: null,
  batchNumber: null,
  slug: null,
})
