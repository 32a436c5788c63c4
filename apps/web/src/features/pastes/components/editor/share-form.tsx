import { useT } from '../../../../i18n/use-translation.ts'
import type { ShareOptions } from '../../../../domains/shares/share-options.ts'
import { EXPIRY_WORDS, openingOf, parseMaxViews } from '../../../../domains/shares/share-options.ts'
import { ShareOptionFields } from '../../../../domains/shares/fields/share-fields.tsx'
import { OptionsForm, type OptionsFormProps } from './options-form.tsx'
import styles from './share-form.module.css'

interface ShareFormProps extends OptionsFormProps {
  options: ShareOptions
  onChange: (options: ShareOptions) => void
  slugError: string | null
}

export function ShareForm({ options, onChange, slugError, id, onSubmit }: ShareFormProps) {
  return (
    <OptionsForm id={id} className={styles.fields} onSubmit={onSubmit}>
      <ShareOptionFields options={options} slugError={slugError} onChange={onChange} />
    </OptionsForm>
  )
}

/** Summarises the options in one line. */
export function ShareSummary({ options }: { options: ShareOptions }) {
  const { t } = useT()
  const views = parseMaxViews(options.maxViews) ?? 0
  const parts = [
    options.expiryHours === 0
      ? t('home.summary.never')
      : t('home.summary.expires', { span: t(EXPIRY_WORDS[options.expiryHours]) }),
    views === 0 ? t('home.summary.unlimited') : t('home.summary.views', { count: views }),
    options.password === '' ? t('home.summary.open') : t('home.summary.password'),
    ...(openingOf(options) === 'ask' ? [t('home.summary.asks')] : []),
  ]
  return <p className={styles.summary}>{parts.join(' · ')}</p>
}
