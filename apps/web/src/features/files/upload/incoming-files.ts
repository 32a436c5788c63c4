import { i18n, loadWords } from '../../../i18n/i18n.ts'
import { saveDraft } from '../../../domains/editor/drafts/saved-drafts.ts'
import { notify } from '../../../lib/notices.ts'
import { composeText, forgetShares, listFileShares } from '../../../domains/offline/incoming-shares.ts'

/**
 * Returns files shared from other apps, and deletes their stored copies. Saves text that was shared with the files as a
 * draft for the home page.
 */
export async function takeIncomingFiles(): Promise<readonly File[]> {
  const shares = await listFileShares()
  for (const share of shares) {
    const isStored = await saveDraft({ place: 'home', title: '', text: composeText(share), isMarkdown: true })
    if (!isStored) continue
    await loadWords('offline')
    notify('info', i18n.t('offline.shared.captionKept'))
  }
  await forgetShares(shares.map(({ id }) => id))
  return shares.flatMap(({ files }) => files)
}
