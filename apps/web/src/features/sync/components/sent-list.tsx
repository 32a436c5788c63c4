import type { SentText } from '../../../domains/offline/database.ts'
import { useKeptKey } from '../../../domains/sealed/keys/use-kept-keys.ts'
import { formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { useSentTexts } from '../api/queue.ts'
import { addressOf } from '../notify-sent.ts'
import styles from './queue.module.css'

/** Links to texts that were queued and have been sent. */
export function SentList() {
  const { t } = useT()
  const sent = useSentTexts()
  if (sent.length === 0) return null
  return (
    <section aria-label={t('queue.sent')}>
      <h2 className={styles.sentTitle}>{t('queue.sent')}</h2>
      <ul className={styles.sent}>
        {sent.map((text) => (
          <SentRow key={text.id} text={text} />
        ))}
      </ul>
    </section>
  )
}

function SentRow({ text }: { text: SentText }) {
  const { t, language } = useT()
  const kept = useKeptKey(text.sealedId ?? null)
  const address = addressOf(text, kept?.linkKey ?? null)
  return (
    <li>
      <a href={address} target="_blank" rel="noopener">
        {address}
      </a>
      <bdi>{text.remark || text.title || kept?.name}</bdi>
      <span>{formatRelative(text.createdAt, language)}</span>
      <CopyButton text={address} label={t('queue.copyOf', { slug: text.slug })} />
    </li>
  )
}
