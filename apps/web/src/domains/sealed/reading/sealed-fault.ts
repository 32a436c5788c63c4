import { isTampering, SealError } from '@dropleaf/seal'
import { ApiError } from '../../../lib/api-error.ts'
import { PreviewError } from '../../preview/preview-error.ts'

/** Returns the error of the server or connection that caused a read to fail. */
function causeOf(error: unknown): unknown {
  return error instanceof SealError && error.code === 'object.unreachable' ? error.cause : error
}

/** The kind is `timeout`, because queries do not retry timeouts. The reader has already retried. */
const network = (cause: unknown) =>
  new ApiError({ kind: 'timeout', code: 'client.network', message: '', cause })

/** Converts an error of a read to an error for which the previews have texts. */
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
