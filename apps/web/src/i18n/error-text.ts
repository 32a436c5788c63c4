import { ApiError, isQueued } from '../lib/api-error.ts'
import { formatSpan } from '../lib/format.ts'
import { notify } from '../lib/notices.ts'
import { i18n } from './i18n.ts'

/** Returns the text of an error: our text for the error code, or else the server's message. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return i18n.t('errors.client.unknown')
  if (error.code === 'request.rate_limited') return rateLimitText(error.retryAfterSeconds)
  // The browser is online, so the server must be unreachable.
  if (error.code === 'client.network' && navigator.onLine) return i18n.t('errors.client.unreachable')
  const word: unknown = i18n.getResource(i18n.language, 'translation', `errors.${error.code}`)
  if (typeof word === 'string' && error.code !== 'client.unknown') return word
  // The response is not from our server but from a storage or a proxy, so its message is technical.
  if (/^HTTP\b/.test(error.message)) return foreignText(error.status)
  return error.message || i18n.t('errors.client.unknown')
}

const foreignText = (status: number) =>
  i18n.t(status >= 500 ? 'errors.client.foreign_trouble' : 'errors.client.foreign', { status })

/**
 * Reports a queued change.
 * @returns whether the error is a queued change
 */
export function tellQueued(error: unknown): boolean {
  if (!isQueued(error)) return false
  notify('info', errorText(error))
  return true
}

function rateLimitText(retryAfterSeconds: number | null): string {
  if (retryAfterSeconds === null || retryAfterSeconds === 0) return i18n.t('errors.request.rate_limited')
  const wait = formatSpan(retryAfterSeconds, i18n.language)
  return i18n.t('errors.request.rate_limited_for', { wait })
}
