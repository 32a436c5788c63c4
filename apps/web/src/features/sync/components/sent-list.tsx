import { formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { useSentTexts } from '../api/queue.ts'
import { addressOf } from '../notify-sent.ts'
import styles from './queue.module.css'

/** Links to texts that were queued and have been sent. */
export function SentList() {
  const { t, language } = useT()
  const sent = useSentTexts()
  if (sent.length === 0) return null
  return (
    <section aria-label={t('queue.sent')}>
      <h2 className={styles.sentTitle}>{t('queue.sent')}</h2>
      <ul className={styles.sent}>
        {sent.map((text) => (
          <li key={text.id}>
            <a href={addressOf(text)} target="_blank" rel="noopener">
              {addressOf(text)}
            </a>
            <bdi>{text.remark || text.title}</bdi>
            <span>{formatRelative(text.createdAt, language)}</span>
            <CopyButton text={addressOf(text)} label={t('queue.copyOf', { slug: text.slug })} />
          </li>
        ))}
      </ul>
    </section>
  )
}
