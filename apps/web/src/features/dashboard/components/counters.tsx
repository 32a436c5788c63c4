import {
  IconDatabase,
  IconFiles,
  IconFileText,
  IconFolderSymlink,
  IconKey,
  type IconProps,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { DashboardStats } from '../api/dashboard.queries.ts'
import { COUNTERS } from '../models/counters.ts'
import styles from './counters.module.css'

const ICONS: Readonly<Record<(typeof COUNTERS)[number]['word'], ComponentType<IconProps>>> = {
  texts: IconFileText,
  files: IconFiles,
  storages: IconDatabase,
  mounts: IconFolderSymlink,
  keys: IconKey,
}

/**
 * Shows how many shares, keys, storages and mounts exist, with links to their modules. `stats` is `undefined` while
 * loading.
 */
export function Counters({ stats }: { stats: DashboardStats | undefined }) {
  const { t, language } = useT()
  return (
    <ul
      className={styles.counters}
      aria-label={t('dashboard.counters.label')}
      aria-busy={stats === undefined}
    >
      {COUNTERS.map(({ word, module, count }) => {
        const Icon = ICONS[word]
        return (
          <li key={word}>
            <Link to="/admin/$module" params={{ module }} className={styles.counter}>
              <span className={styles.counterWord}>
                <Icon size={18} aria-hidden />
                {t(`dashboard.counters.${word}`)}
              </span>
              {stats ? (
                <span className={styles.number}>{formatNumber(count(stats), language)}</span>
              ) : (
                <span className={styles.numberPending} />
              )}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
