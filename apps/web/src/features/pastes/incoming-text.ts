import { i18n, loadWords } from '../../i18n/i18n.ts'
import { notify } from '../../lib/notices.ts'
import { composeText, findShare, forgetShares, MISSED } from '../../domains/offline/incoming-shares.ts'
import type { TextDocument } from '../../domains/editor/document/text-document.ts'

/** Saving the draft of a larger text takes long, so the shared content stays stored until it expires. */
const SMALL_CHARACTERS = 1_000_000

interface Editor {
  readonly document: TextDocument
  /** Saves the editor's text to the list of drafts; returns whether it is stored. */
  readonly keep: () => Promise<boolean>
  /** Saves the text of the editor at once. */
  readonly save: () => void
}

/** Puts shared content into the editor. Existing text becomes a saved draft, or else stays above the shared content. */
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
