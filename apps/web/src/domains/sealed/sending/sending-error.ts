import { SealError } from '@dropleaf/seal'
import { ApiError } from '../../../lib/api-error.ts'

/**
 * Converts the errors of a manifest that is too large or empty to errors for which the interface has a text. Returns
 * any other error unchanged.
 */
export function sendingError(error: unknown): unknown {
  if (!(error instanceof SealError)) return error
  const { code, details, message } = error
  if (code === 'manifest.too_large')
    return new ApiError({ kind: 'http', code: 'bundle.manifest_too_large', message })
  if (code === 'manifest.invalid' && details.includes('empty'))
    return new ApiError({ kind: 'http', code: 'bundle.empty', message })
  return error
}
