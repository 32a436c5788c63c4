import { hasCode } from '../../lib/api-error.ts'
import { errorText } from '../../i18n/error-text.ts'
import { clearNotices, dismissTopic, notify, type NoticeTone } from '../../lib/notices.ts'
import { getSession, subscribeSession } from './session.ts'

const TOPIC = 'session-end'

// Somebody is here again: what waited for that goes on.
subscribeSession(() => {
  if (getSession().kind !== 'none') dismissTopic(TOPIC)
})

/** Announces the end of the session. Earlier notices are removed: their actions can no longer be undone. */
export function noticeSessionEnd(tone: NoticeTone, text: string): void {
  clearNotices(TOPIC)
  notify(tone, text, { topic: TOPIC })
}

/** Says what has become of something when its screen is left; with the end of the session, if that is why. */
export function noticeLeft(text: string): void {
  if (getSession().kind === 'none') notify('error', text, { topic: TOPIC })
  else notify('info', text)
}

/** Whether it is about the login, and not about what was to be done. */
export const isSessionError = (error: unknown): boolean =>
  hasCode(error, 'client.session_expired', 'client.key_invalid', 'client.unauthorized')

/** Says that something failed, unless the session ended with it: that is told by itself. */
export function noticeFailure(error: unknown, text = errorText(error)): void {
  const isEnd = hasCode(error, 'client.session_expired', 'client.key_invalid')
  if (isEnd && getSession().kind === 'none') return
  notify('error', text)
}
