import { MULTIPART_FROM_BYTES } from './limits.ts'

/**
 * How the bytes are sent. `presigned`: in one request to a signed URL. `direct`: in one request through the server.
 * `multipart`: in parts to signed URLs.
 */
export const UPLOAD_METHODS = ['presigned', 'direct', 'multipart'] as const
export type UploadMethod = (typeof UPLOAD_METHODS)[number]

interface Choice {
  readonly preferred: UploadMethod | 'auto'
  readonly sizeBytes: number
  readonly takesParts: boolean
}

/**
 * Returns the preferred method. `auto` means in parts for files of {@link MULTIPART_FROM_BYTES} or more, otherwise
 * `presigned`. If the file cannot be sent in parts, because it is empty or the target takes no parts, `presigned` also
 * replaces `multipart`.
 */
export function chooseMethod({ preferred, sizeBytes, takesParts }: Choice): UploadMethod {
  const canSplit = takesParts && sizeBytes > 0
  if (preferred === 'multipart') return canSplit ? 'multipart' : 'presigned'
  if (preferred !== 'auto') return preferred
  return canSplit && sizeBytes >= MULTIPART_FROM_BYTES ? 'multipart' : 'presigned'
}
