import { SealError, type SealErrorCode } from '@dropleaf/seal'
import { errorText } from '../../../i18n/error-text.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { PreviewError } from '../../preview/preview-error.ts'
import { OlderRevisionError } from './seen-revisions.ts'

export type SealedFault = 'refused' | 'older' | 'demanding' | 'newer' | 'invalid' | 'tampered'

const BY_CODE: Partial<Record<SealErrorCode, SealedFault>> = {
  'manifest.refused': 'refused',
  'manifest.too_large': 'refused',
  'manifest.invalid': 'invalid',
  'manifest.version': 'newer',
  'share.malformed': 'refused',
  'kdf.refused': 'demanding',
}

/** Returns why the page does not show a bundle although the server has returned it; `null` for other errors. */
export function sealedFaultOf(error: unknown): SealedFault | null {
  if (error instanceof OlderRevisionError) return 'older'
  if (error instanceof PreviewError) return 'tampered'
  return error instanceof SealError ? (BY_CODE[error.code] ?? 'invalid') : null
}

/** Returns the text of an error for the password field. */
export function sealedErrorText(error: unknown): string {
  const fault = sealedFaultOf(error)
  return fault === null ? errorText(error) : i18n.t(`sealedReading.fault.${fault}Text`)
}
