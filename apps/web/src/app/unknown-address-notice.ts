import { i18n } from '../i18n/i18n.ts'
import { notify } from '../lib/notices.ts'

/** Longer URLs are cut, because their end is not informative. */
const SHOWN_CHARACTERS = 60

/** Shows a notice about an unknown URL, from which the app redirects. */
export function noticeUnknownAddress(path: string): void {
  const address = path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}…` : path
  const say = () => void notify('info', i18n.t('shell.unknownAddress', { address }))
  // When the first URL is checked, the texts might still be loading.
  if (i18n.isInitialized) say()
  else i18n.on('initialized', say)
}
