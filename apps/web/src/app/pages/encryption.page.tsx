import { useT } from '../../i18n/use-translation.ts'
import { usePageTitle } from '../../lib/browser/page-title.ts'
import styles from './encryption.module.css'

const HIDDEN = ['contents', 'storage', 'backup', 'operator', 'scanners', 'changes'] as const
const NOT_HIDDEN = ['metadata', 'sizes', 'newest'] as const
const NOT_PROMISED = [
  'code',
  'link',
  'password',
  'change',
  'devices',
  'readers',
  'deletion',
  'availability',
  'lost',
] as const

/** Explains what end-to-end encryption hides and what it does not hide. */
export function EncryptionPage() {
  const { t } = useT()
  usePageTitle(t('sealedReading.page.title'))
  return (
    <article className={styles.page}>
      <h1>{t('sealedReading.page.title')}</h1>
      <p>{t('sealedReading.page.intro')}</p>
      <h2>{t('sealedReading.page.hiddenTitle')}</h2>
      <Points texts={HIDDEN.map((name) => t(`sealedReading.page.hidden.${name}`))} />
      <h2>{t('sealedReading.page.notTitle')}</h2>
      <Points texts={NOT_HIDDEN.map((name) => t(`sealedReading.page.not.${name}`))} />
      <h2>{t('sealedReading.page.promiseTitle')}</h2>
      <Points texts={NOT_PROMISED.map((name) => t(`sealedReading.page.promise.${name}`))} />
      <h2>{t('sealedReading.page.auditTitle')}</h2>
      <p>{t('sealedReading.page.audit')}</p>
    </article>
  )
}

function Points({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
