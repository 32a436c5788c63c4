import { IconChevronDown } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { EXPIRY_WORDS, openingOf, parseMaxViews, type ShareOptions } from '../share-options.ts'
import styles from './options-fold.module.css'

interface OptionsFoldProps {
  options: ShareOptions
  isSealed: boolean
  isOpen: boolean
  /** Id of the unfolded options. */
  controls: string
  onToggle: () => void
}

/** Summarises the options of a new share in one line. The line unfolds the options. */
export function OptionsFold({ options, isSealed, isOpen, controls, onToggle }: OptionsFoldProps) {
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
  return (
    <button
      type="button"
      className={styles.fold}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
    >
      <span>
        <span className="dl-sr">{t('home.options')}: </span>
        {parts.join(' · ')}
      </span>
      <IconChevronDown size={18} aria-hidden />
    </button>
  )
}
