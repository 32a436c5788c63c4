import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../i18n/use-translation.ts'
import { PAGE_SIZES } from '../../lib/table-search.ts'
import { PlainSelect } from '../forms/plain-select.tsx'
import styles from './pager.module.css'

interface PagerProps {
  /** Page number, starting at 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  onPageSize: (pageSize: number) => void
}

/** Shows the range of rows, and controls for the other pages. */
export function Pager({ page, pageSize, total, onPage, onPageSize }: PagerProps) {
  const { t, language } = useT()
  const number = (value: number) => formatNumber(value, language)
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const from = (page - 1) * pageSize + 1
  const steps = [
    { label: t('table.first'), Icon: IconChevronsLeft, to: 1, isOff: page <= 1 },
    { label: t('table.previous'), Icon: IconChevronLeft, to: page - 1, isOff: page <= 1 },
    { label: t('table.next'), Icon: IconChevronRight, to: page + 1, isOff: page >= pages },
    { label: t('table.last'), Icon: IconChevronsRight, to: pages, isOff: page >= pages },
  ]
  const button = ({ label, Icon, to, isOff }: (typeof steps)[number]) => (
    <ActionIcon
      key={label}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={() => onPage(to)}
    >
      <Icon size={20} aria-hidden />
    </ActionIcon>
  )
  return (
    <nav className={styles.pager} aria-label={t('table.pages')}>
      <output className={styles.range}>
        {t('table.range', {
          from: number(Math.min(from, total)),
          to: number(Math.min(from + pageSize - 1, total)),
          total: number(total),
        })}
      </output>
      <PlainSelect
        className={styles.size}
        aria-label={t('table.pageSize')}
        value={pageSize}
        onChange={(event) => onPageSize(Number(event.currentTarget.value))}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {t('table.perPage', { count: size })}
          </option>
        ))}
      </PlainSelect>
      <div className={styles.steps}>
        {steps.slice(0, 2).map(button)}
        <span className={styles.page}>{t('table.page', { page: number(page), pages: number(pages) })}</span>
        {steps.slice(2).map(button)}
      </div>
    </nav>
  )
}
