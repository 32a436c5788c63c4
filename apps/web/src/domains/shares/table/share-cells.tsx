import { IconLock } from '@tabler/icons-react'
import { formatDateTime, formatNumber, formatRelative, msUntil } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './share-table.module.css'

const SOON_MS = 24 * 3_600_000

/** Shows a relative time, with the exact time as a tooltip. */
export function TimeCell({ instant }: { instant: string }) {
  const { language } = useT()
  return (
    <time dateTime={instant} title={formatDateTime(instant, language)}>
      {formatRelative(instant, language)}
    </time>
  )
}

export function ExpiryCell({ expiresAt }: { expiresAt: string | null }) {
  const { t } = useT()
  if (expiresAt === null) return <span className={styles.faint}>{t('common.expiry.never')}</span>
  const leftMs = msUntil(expiresAt)
  const tone = leftMs <= 0 ? 'over' : leftMs < SOON_MS ? 'soon' : undefined
  return (
    <span data-tone={tone} className={styles.toned}>
      {leftMs <= 0 && `${t('shares.expired')} · `}
      <TimeCell instant={expiresAt} />
    </span>
  )
}

/** Shows how many of the allowed views are used. */
export function ViewsCell({ views, maxViews }: { views: number; maxViews: number | null }) {
  const { t, language } = useT()
  const used = formatNumber(views, language)
  if (maxViews === null || maxViews === 0) return used
  return (
    <span data-tone={views >= maxViews ? 'over' : undefined} className={styles.toned}>
      {t('shares.viewsOf', { used, max: formatNumber(maxViews, language) })}
    </span>
  )
}

export function LockMark() {
  const { t } = useT()
  return (
    <span className={styles.lock} title={t('shares.protection.yes')}>
      <IconLock size={16} aria-hidden />
      <span className="dl-sr">{t('shares.protection.yes')}</span>
    </span>
  )
}

/** Shows a name in one line. A long name is truncated and has a tooltip. */
export function NameCell({ name }: { name: string }) {
  return (
    <span className={styles.short} title={name}>
      {name}
    </span>
  )
}

interface CreatorCellProps {
  createdBy: string | null
  keyName: string | undefined
}

export function CreatorCell({ createdBy, keyName }: CreatorCellProps) {
  const { t } = useT()
  if (!createdBy?.startsWith('apikey:')) return <NameCell name={t('manage.administrator')} />
  if (keyName === undefined) return <span className={styles.faint}>{t('shares.deletedKey')}</span>
  return <NameCell name={keyName} />
}
