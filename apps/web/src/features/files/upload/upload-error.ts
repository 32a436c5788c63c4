import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../lib/i18n/error-text.ts'

/** Why a file did not arrive. A full storage is told with the server's figures. */
export function uploadErrorText(error: unknown): string {
  const hasFigures =
    error instanceof ApiError && hasCode(error, 'file.storage_full') && /\d/.test(error.message)
  return hasFigures ? error.message : errorText(error)
}
