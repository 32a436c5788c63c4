import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../i18n/use-translation.ts'
import { ToolButton } from '../../ui/buttons/tool-button.tsx'
import styles from './preview-parts.module.css'

interface PageStepsProps {
  /** Index of the page, from 0. */
  page: number
  count: number
  onChange: (page: number) => void
}

export function PageSteps({ page, count, onChange }: PageStepsProps) {
  const { t, language } = useT()
  return (
    <nav className={styles.steps} aria-label={t('viewer.pages.label')}>
      <ToolButton
        label={t('viewer.pages.before')}
        icon={<IconChevronLeft size={20} aria-hidden />}
        isOff={page === 0}
        onClick={() => onChange(page - 1)}
      />
      <span aria-live="polite">
        {t('viewer.pages.position', {
          number: formatNumber(page + 1, language),
          count: formatNumber(count, language),
        })}
      </span>
      <ToolButton
        label={t('viewer.pages.after')}
        icon={<IconChevronRight size={20} aria-hidden />}
        isOff={page >= count - 1}
        onClick={() => onChange(page + 1)}
      />
    </nav>
  )
}
