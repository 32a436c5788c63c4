import { isTampering, SealError } from '@dropleaf/seal'
import { ApiError } from '../../../lib/api-error.ts'
import { PreviewError } from '../../preview/preview-error.ts'

/** Returns the error of the server or of the connection that a read ended with. */
function causeOf(error: unknown): unknown {
  return error instanceof SealError && error.code === 'object.unreachable' ? error.cause : error
}

/** Not of the kind that queries try again: the reader has done that. */
const network = (cause: unknown) =>
  new ApiError({ kind: 'timeout', code: 'client.network', message: '', cause })

/** Converts an error of a read into one that the previews have texts for. */
export function toPreviewError(error: unknown): Error {
  const cause = causeOf(error)
  if (cause instanceof ApiError) return cause
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause
  if (isTampering(cause)) return new PreviewError('tampered', cause)
  return error instanceof SealError && error.code === 'object.unreachable'
    ? network(cause)
    : cause instanceof Error
      ? cause
      : network(cause)
}
