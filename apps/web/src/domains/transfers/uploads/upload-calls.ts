import { UploadError, type Verdict } from '@dropleaf/uploader'
import { ApiError, hasCode } from '../../../lib/api-error.ts'

/** The timeout is long, because some storages join the parts of a large file slowly. */
export const FINISH_TIMEOUT_MS = 300_000

/** Errors after which the upload requests the list of received parts and new URLs. */
const STALE_CODES = [
  'storage.link_expired',
  'storage.link_invalid',
  'fs.parts_missing',
  'fs.part_size_wrong',
  'file.not_uploaded',
  'file.parts_invalid',
]
/** Statuses with which storages respond to expired URLs. The upload ignores the error codes of storages. */
const STALE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410])
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether the error might be temporary. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UploadError) return error.code === 'upload.timeout' || isPassing(error.cause)
  if (!(error instanceof ApiError)) return false
  return error.kind === 'network' || error.kind === 'timeout' || PASSING_STATUSES.has(error.status)
}

/** Returns how the uploader proceeds after a failed request. */
export function classifyUploadError(error: unknown): Verdict {
  if (isPassing(error)) return 'again'
  const isForeign = hasCode(error, 'client.unknown') && STALE_STATUSES.has((error as ApiError).status)
  return isForeign || hasCode(error, ...STALE_CODES) ? 'refresh' : 'stop'
}

/** Returns the plan of a file that is sent as a single part. */
export const wholePlan = (sizeBytes: number) => ({ partSizeBytes: Math.max(1, sizeBytes), partCount: 1 })
