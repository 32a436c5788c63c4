import { i18n, loadWords } from '../../i18n/i18n.ts'
import { notify } from '../../lib/notices.ts'
import { composeText, findShare, forgetShares, MISSED } from '../../domains/offline/incoming-shares.ts'
import type { TextDocument } from '../../domains/editor/document/text-document.ts'

/** Texts above it take a while to be saved; what was shared then stays kept until it is forgotten by itself. */
const SMALL_CHARACTERS = 1_000_000

interface Editor {
  readonly document: TextDocument
  /** Keeps what is in the editor in the list of drafts; answers whether it is there. */
  readonly keep: () => Promise<boolean>
  /** Saves the text of the editor at once. */
  readonly save: () => void
}

/** Puts what another app has shared into the editor. What is written there is kept first, or stays above it. */
export async function takeIncomingText(id: string, { document, keep, save }: Editor): Promise<void> {
  await loadWords('offline')
  const share = id === MISSED ? undefined : await findShare(id)
  if (id === MISSED) notify('error', i18n.t('offline.shared.missed'))
  const text = share ? composeText(share) : ''
  if (text === '') return
  const before = document.read()
  if (before.trim() === '') document.replace(text)
  else if (await keep()) {
    document.replace(text)
    notify('info', i18n.t('offline.shared.taken'))
  } else {
    document.replace(`${before}\n\n${text}`)
    notify('info', i18n.t('offline.shared.added'))
  }
  save()
  if (text.length < SMALL_CHARACTERS) await forgetShares([id])
}
