import { copyText } from '../../lib/browser/clipboard.ts'
import { i18n } from '../../i18n/i18n.ts'
import { notify } from '../../lib/notices.ts'
import { offlineDatabase, type SentText } from '../../domains/offline/database.ts'
import { takeUnreported } from '../../domains/offline/queue/sent-texts.ts'
import { paths } from '../../lib/paths.ts'
import { rememberShare } from '../../domains/shares/recent-shares.ts'
import { currentOwner } from '../../domains/session/session-owner.ts'

/** How long the notice is shown: long enough to copy the link. */
const SHOWN_MS = 60_000

/** @param linkKey key of an encrypted text; `null` if this browser does not store it */
export function addressOf({ server, slug, sealedId }: SentText, linkKey: string | null): string {
  if (sealedId === undefined) return server + paths.paste(slug)
  return server + paths.bundle(slug) + (linkKey === null ? '' : `#${linkKey}`)
}

/** Returns the links of sent texts, with the keys that this browser stores. */
async function addressesOf(sent: readonly SentText[]): Promise<string[]> {
  if (sent.every(({ sealedId }) => sealedId === undefined)) return sent.map((text) => addressOf(text, null))
  const { listKeys } = await import('../../domains/sealed/keys/key-store.ts')
  const keys = new Map((await listKeys()).map(({ bundleId, linkKey }) => [bundleId, linkKey]))
  return sent.map((text) => addressOf(text, keys.get(text.sealedId ?? '') ?? null))
}

async function copy(links: string): Promise<void> {
  if (await copyText(links)) notify('success', i18n.t('common.copied'), { topic: 'copied' })
  else notify('error', i18n.t('common.copyFailed'))
}

/** Shows the links of texts that were shared offline, after any page or worker has sent them. */
export async function notifySent(): Promise<void> {
  const sent = await takeUnreported(offlineDatabase(), currentOwner())
  if (sent.length === 0) return
  for (const { slug, sealedId, remark, createdAt, expiresAt, hasPassword, title } of sent.toReversed())
    rememberShare({
      slug,
      remark,
      createdAt,
      expiresAt,
      hasPassword,
      ...(title && { title }),
      ...(sealedId !== undefined && { kind: 'bundle', sealedId }),
    })
  const links = (await addressesOf(sent)).join('\n')
  notify('success', `${i18n.t('queue.toasts.shared', { count: sent.length })}\n${links}`, {
    action: { label: i18n.t('queue.toasts.copy', { count: sent.length }), run: () => void copy(links) },
    shownMs: SHOWN_MS,
  })
}
