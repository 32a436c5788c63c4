import { lazy, Suspense } from 'react'
import { loadWords } from '../../../../i18n/i18n.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import type { ShareOptions } from '../../../../domains/shares/share-options.ts'
import { EXPIRY_WORDS, openingOf, parseMaxViews } from '../../../../domains/shares/share-options.ts'
import { ShareOptionFields } from '../../../../domains/shares/fields/share-fields.tsx'
import { useHomeBundles } from '../../../../domains/bundles/home-bundles.ts'
import type { SealingChoice } from '../../../../domains/sealed/policy/use-sealing.ts'
import { OptionsForm, type OptionsFormProps } from './options-form.tsx'
import styles from './share-form.module.css'

/** This component is loaded on demand, because typing does not need it. */
const SealSwitch = lazy(async () => {
  const parts = [import('../../../../domains/sealed/policy/seal-switch.tsx'), loadWords('later')] as const
  const [module] = await Promise.all(parts)
  return { default: module.SealSwitch }
})

interface ShareFormProps extends OptionsFormProps {
  options: ShareOptions
  onChange: (options: ShareOptions) => void
  slugError: string | null
  sealing: SealingChoice
}

export function ShareForm({ options, onChange, slugError, sealing, id, onSubmit }: ShareFormProps) {
  const begun = useHomeBundles().isOpenSealed
  return (
    <OptionsForm id={id} className={styles.fields} onSubmit={onSubmit}>
      <ShareOptionFields
        options={options}
        slugError={slugError}
        isSealed={begun ?? sealing.isOn}
        onChange={onChange}
      />
      <Suspense fallback={null}>{sealing.isShown && <SealSwitch sealing={sealing} begun={begun} />}</Suspense>
    </OptionsForm>
  )
}

/** Summarises the options in one line. */
export function ShareSummary({ options, isSealed }: { options: ShareOptions; isSealed: boolean }) {
  const { t } = useT()
  const views = parseMaxViews(options.maxViews) ?? 0
  const parts = [
    ...(isSealed ? [t('common.sealed.label')] : []),
    options.expiryHours === 0
      ? t('home.summary.never')
      : t('home.summary.expires', { span: t(EXPIRY_WORDS[options.expiryHours]) }),
    views === 0 ? t('home.summary.unlimited') : t('home.summary.views', { count: views }),
    options.password === '' ? t('home.summary.open') : t('home.summary.password'),
    ...(openingOf(options) === 'ask' ? [t('home.summary.asks')] : []),
  ]
  return <p className={styles.summary}>{parts.join(' · ')}</p>
}
