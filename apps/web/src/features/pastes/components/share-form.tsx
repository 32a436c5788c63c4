import { useT } from '../../../lib/i18n/use-translation.ts'
import type { ShareOptions } from '../../../lib/share-options.ts'
import { EXPIRY_WORDS, parseMaxViews } from '../../../lib/share-options.ts'
import { ShareOptionFields } from '../../../ui/share-fields/share-fields.tsx'
import styles from './share-form.module.css'

interface ShareFormProps {
  options: ShareOptions
  onChange: (options: ShareOptions) => void
  slugError: string | null
  /** The button that sends it is elsewhere. */
  id: string
  onSubmit: () => void
}

export function ShareForm({ options, onChange, slugError, id, onSubmit }: ShareFormProps) {
  const { t } = useT()
  return (
    <form
      id={id}
      className={styles.fields}
      aria-label={t('home.options')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ShareOptionFields options={options} slugError={slugError} onChange={onChange} />
    </form>
  )
}

/** What is going to happen, in one line. */
export function ShareSummary({ options }: { options: ShareOptions }) {
  const { t } = useT()
  const views = parseMaxViews(options.maxViews) ?? 0
  const parts = [
    options.expiryHours === 0
      ? t('home.summary.never')
      : t('home.summary.expires', { span: t(EXPIRY_WORDS[options.expiryHours]) }),
    views === 0 ? t('home.summary.unlimited') : t('home.summary.views', { count: views }),
    options.password === '' ? t('home.summary.open') : t('home.summary.password'),
  ]
  return <p className={styles.summary}>{parts.join(' · ')}</p>
}
