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
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { DashboardStats } from '../api/dashboard.queries.ts'
import styles from './dashboard.module.css'

interface Counter {
  readonly word: 'texts' | 'files' | 'keys' | 'storages' | 'mounts'
  readonly module: string
  readonly Icon: ComponentType<IconProps>
  readonly count: (stats: DashboardStats) => number
}

const COUNTERS: readonly Counter[] = [
  { word: 'texts', module: 'text-management', Icon: IconFileText, count: (stats) => stats.totalPastes },
  { word: 'files', module: 'file-management', Icon: IconFiles, count: (stats) => stats.totalFiles },
  { word: 'storages', module: 'storage-config', Icon: IconDatabase, count: (stats) => stats.totalS3Configs },
  {
    word: 'mounts',
    module: 'mount-management',
    Icon: IconFolderSymlink,
    count: (stats) => stats.totalMounts,
  },
  { word: 'keys', module: 'key-management', Icon: IconKey, count: (stats) => stats.totalApiKeys },
]

/** How many there are of each; each leads to its module. `undefined` while it is not known. */
export function Counters({ stats }: { stats: DashboardStats | undefined }) {
  const { t, language } = useT()
  return (
    <ul
      className={styles.counters}
      aria-label={t('dashboard.counters.label')}
      aria-busy={stats === undefined}
    >
      {COUNTERS.map(({ word, module, Icon, count }) => (
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
      ))}
    </ul>
  )
}
