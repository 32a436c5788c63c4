import { ApiError, isQueued } from '../lib/api-error.ts'
import { formatSpan } from '../lib/format.ts'
import { notify } from '../lib/notices.ts'
import { i18n } from './i18n.ts'

/** What to tell a person about a failure: our words for its code, otherwise the server's message. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return i18n.t('errors.client.unknown')
  if (error.code === 'request.rate_limited') return rateLimitText(error.retryAfterSeconds)
  // The line is there, as far as the browser knows.
  if (error.code === 'client.network' && navigator.onLine) return i18n.t('errors.client.unreachable')
  const word: unknown = i18n.getResource(i18n.language, 'translation', `errors.${error.code}`)
  if (typeof word === 'string' && error.code !== 'client.unknown') return word
  // An answer that is not of our server, such as that of a storage or a proxy: its words are for programs.
  if (/^HTTP\b/.test(error.message)) return foreignText(error.status)
  return error.message || i18n.t('errors.client.unknown')
}

const foreignText = (status: number) =>
  i18n.t(status >= 500 ? 'errors.client.foreign_trouble' : 'errors.client.foreign', { status })

/** Says of a change that waits for the line that it does. @returns whether it is one */
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
