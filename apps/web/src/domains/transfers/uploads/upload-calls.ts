import { UploadError, type Verdict } from '@dropleaf/uploader'
import { ApiError, hasCode } from '../../../lib/api-error.ts'

/** Joining the parts of a large file is slow on some storages. */
export const FINISH_TIMEOUT_MS = 300_000

/** Errors after which the upload asks the storage for its parts, and for new URLs. */
const STALE_CODES = [
  'storage.link_expired',
  'storage.link_invalid',
  'fs.parts_missing',
  'fs.part_size_wrong',
  'file.not_uploaded',
  'file.parts_invalid',
]
/** Expired URLs of a storage have these statuses; its error codes are not ours. */
const STALE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410])
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether the error may be temporary. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UploadError) return error.code === 'upload.timeout' || isPassing(error.cause)
  if (!(error instanceof ApiError)) return false
  return error.kind === 'network' || error.kind === 'timeout' || PASSING_STATUSES.has(error.status)
}

/** How the uploader proceeds after a failed call. */
export function classifyUploadError(error: unknown): Verdict {
  if (isPassing(error)) return 'again'
  const isForeign = hasCode(error, 'client.unknown') && STALE_STATUSES.has((error as ApiError).status)
  return isForeign || hasCode(error, ...STALE_CODES) ? 'refresh' : 'stop'
}

/** The single part of a file that is sent whole. */
export const wholePlan = (sizeBytes: number) => ({ partSizeBytes: Math.max(1, sizeBytes), partCount: 1 })
