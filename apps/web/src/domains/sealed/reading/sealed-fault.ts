import { isTampering, SealError } from '@dropleaf/seal'
import { ApiError } from '../../../lib/api-error.ts'
import { PreviewError } from '../../preview/preview-error.ts'
import { RangeRefusedError } from './read-range.ts'

/** Returns the error of the server or connection that caused a read to fail; any other error unchanged. */
function causeOf(error: unknown): unknown {
  return error instanceof SealError && error.code === 'object.unreachable' ? error.cause : error
}

/** The kind is `timeout`, because queries do not retry timeouts. The reader has already retried. */
const network = (cause: unknown) =>
  new ApiError({ kind: 'timeout', code: 'client.network', message: '', cause })

/** Error code for an object that its storage does not contain. */
const GONE = 'storage.object_missing'
const GONE_STATUSES = new Set([404, 410])
const SERVER_FAULT = 500

/** Says why the storage or the server has refused to return bytes. */
function refusalOf(cause: RangeRefusedError): ApiError {
  const { status, code } = cause
  // A server that is in trouble can work again later.
  if (status >= SERVER_FAULT) return network(cause)
  const fallback = GONE_STATUSES.has(status) ? GONE : 'client.unknown'
  return new ApiError({ kind: 'http', status, code: code ?? fallback, message: cause.message, cause })
}

/** For a sender, this code of the server means that an object is not uploaded yet. For a reader, the object is gone. */
const forReader = (error: ApiError) =>
  error.code === 'bundle.object_missing'
    ? new ApiError({ kind: 'http', status: error.status, code: GONE, message: error.message, cause: error })
    : error

/** Converts an error of a read to an error for which the previews have texts. */
export function toPreviewError(error: unknown): Error {
  const cause = causeOf(error)
  if (cause instanceof ApiError) return forReader(cause)
  if (cause instanceof RangeRefusedError) return forReader(refusalOf(cause))
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause
  if (isTampering(cause)) return new PreviewError('tampered', cause)
  return error instanceof SealError && error.code === 'object.unreachable'
    ? network(cause)
    : cause instanceof Error
      ? cause
      : network(cause)
}
