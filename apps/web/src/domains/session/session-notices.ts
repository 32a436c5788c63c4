import { hasCode } from '../../lib/api-error.ts'
import { errorText } from '../../i18n/error-text.ts'
import { clearNotices, dismissTopic, notify, type NoticeTone } from '../../lib/notices.ts'
import { getSession, subscribeSession } from './session.ts'

const TOPIC = 'session-end'

// Repeats what waited for the login.
subscribeSession(() => {
  if (getSession().kind !== 'none') dismissTopic(TOPIC)
})

/** Announces the end of the session, and removes earlier notices: their actions need a session. */
export function noticeSessionEnd(tone: NoticeTone, text: string): void {
  clearNotices(TOPIC)
  notify(tone, text, { topic: TOPIC })
}

/**
 * Reports what happened to something when its screen is left, together with the end of the session if that is the
 * reason.
 */
export function noticeLeft(text: string): void {
  if (getSession().kind === 'none') notify('error', text, { topic: TOPIC })
  else notify('info', text)
}

/** Whether an error is about the login rather than the request. */
export const isSessionError = (error: unknown): boolean =>
  hasCode(error, 'client.session_expired', 'client.key_invalid', 'client.unauthorized')

/** Reports a failure, unless the session ended with it, which has its own notice. */
export function noticeFailure(error: unknown, text = errorText(error)): void {
  const isEnd = hasCode(error, 'client.session_expired', 'client.key_invalid')
  if (isEnd && getSession().kind === 'none') return
  notify('error', text)
}
