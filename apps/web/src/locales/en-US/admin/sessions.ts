import type { Locale } from '../../zh-CN/index.ts'

export const sessions: Locale['sessions'] = {
  title: 'Sessions',
  text: 'Where the administrator is logged in. If you do not recognize a session, end it and change the password.',
  browserOn: '{{browser}} on {{system}}',
  unknownDevice: 'Unknown device',
  current: 'This session',
  lastUsed: 'Last used {{when}}',
  since: 'Logged in {{time}}',
  end: 'End',
  endOf: 'End the session: {{name}}, logged in {{time}}',
  ended: 'Session ended',
  endOthers: 'End all other sessions',
  endOthersTitle_one: 'End {{count}} other session?',
  endOthersTitle_other: 'End {{count}} other sessions?',
  endOthersText: 'Those devices must log in again. Unsaved work stays on them.',
  othersEnded_one: '{{count}} session ended',
  othersEnded_other: '{{count}} sessions ended',
}
