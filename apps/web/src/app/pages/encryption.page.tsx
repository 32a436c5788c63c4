import { useT } from '../../i18n/use-translation.ts'
import { hrefOf } from '../../lib/browser/base-path.ts'
import { usePageTitle } from '../../lib/browser/page-title.ts'
import styles from './encryption.module.css'

const HIDDEN_FROM = ['storage', 'backup', 'operator', 'scanners'] as const
const NOT_HIDDEN = ['metadata', 'sizes', 'newest', 'pictures'] as const
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
      <p>{t('sealedReading.page.hidden')}</p>
      <h2>{t('sealedReading.page.fromTitle')}</h2>
      <Points texts={HIDDEN_FROM.map((name) => t(`sealedReading.page.from.${name}`))} />
      <h2>{t('sealedReading.page.notTitle')}</h2>
      <Points texts={NOT_HIDDEN.map((name) => t(`sealedReading.page.not.${name}`))} />
      <h2>{t('sealedReading.page.promiseTitle')}</h2>
      <Points texts={NOT_PROMISED.map((name) => t(`sealedReading.page.promise.${name}`))} />
      <h2>{t('sealedReading.page.auditTitle')}</h2>
      <p>{t('sealedReading.page.audit')}</p>
      <p>
        <a href={hrefOf('/open.html')}>{t('sealedReading.page.opener')}</a>
      </p>
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
