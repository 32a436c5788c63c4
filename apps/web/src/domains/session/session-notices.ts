import { hasCode } from '../../lib/api-error.ts'
import { errorText } from '../../i18n/error-text.ts'
import { clearNotices, dismissTopic, notify, type NoticeTone } from '../../lib/notices.ts'
import { getSession, subscribeSession } from './session.ts'

const TOPIC = 'session-end'

// Dismisses the notice about the ended session once a user is logged in.
subscribeSession(() => {
  if (getSession().kind !== 'none') dismissTopic(TOPIC)
})

/** Announces the end of the session. Removes earlier notices, because their actions need a session. */
export function noticeSessionEnd(tone: NoticeTone, text: string): void {
  clearNotices(TOPIC)
  notify(tone, text, { topic: TOPIC })
}

/**
 * Reports the result of an action after the user has left its screen. If the session has ended, the text appears in
 * the notice about the end of the session.
 */
export function noticeLeft(text: string): void {
  if (getSession().kind === 'none') notify('error', text, { topic: TOPIC })
  else notify('info', text)
}

/** Whether an error concerns the login, not the request. */
export const isSessionError = (error: unknown): boolean =>
  hasCode(error, 'client.session_expired', 'client.key_invalid', 'client.unauthorized')

/**
 * Reports a failure. Reports nothing if the failure has ended the session, because that end has a separate notice.
 */
export function noticeFailure(error: unknown, text = errorText(error)): void {
  const isEnd = hasCode(error, 'client.session_expired', 'client.key_invalid')
  if (isEnd && getSession().kind === 'none') return
  notify('error', text)
}
