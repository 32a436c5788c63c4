import { i18n } from '../i18n/i18n.ts'
import { notify } from '../lib/notices.ts'

/** Long ones say nothing by their end. */
const SHOWN_CHARACTERS = 60

/** Reports that an address is unknown, if it redirects to another page. */
export function noticeUnknownAddress(path: string): void {
  const address = path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}…` : path
  const say = () => void notify('info', i18n.t('shell.unknownAddress', { address }))
  // The first address is looked at while the words are on their way.
  if (i18n.isInitialized) say()
  else i18n.on('initialized', say)
}
