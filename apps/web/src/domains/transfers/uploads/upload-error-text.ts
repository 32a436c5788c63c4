import { UploadError } from '@dropleaf/uploader'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { i18n } from '../../../i18n/i18n.ts'

/** Returns why an upload failed: the message of the server, or the failed step and its reason. */
export function uploadErrorText(error: unknown): string {
  if (!(error instanceof UploadError)) return reasonText(error)
  const { cause, code } = error
  const what = i18n.t(`tasks.errors.${wordOf(code)}`)
  if (cause === undefined) return what
  if (cause instanceof UploadError) return uploadErrorText(cause)
  const isNamed = cause instanceof ApiError && !cause.code.startsWith('client.')
  return isNamed ? reasonText(cause) : i18n.t('tasks.because', { what, reason: reasonText(cause) })
}

type Word<Code> = Code extends `upload.${infer Name}` ? Name : never
const wordOf = (code: UploadError['code']) => code.replace('upload.', '') as Word<UploadError['code']>

/**
 * Returns the reason of a failure. If the storage is full, uses the message of the server if that message contains
 * sizes.
 */
function reasonText(error: unknown): string {
  const hasFigures =
    error instanceof ApiError && hasCode(error, 'file.storage_full') && /\d/.test(error.message)
  return hasFigures ? error.message : errorText(error)
}
