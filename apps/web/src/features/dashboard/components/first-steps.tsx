import {
  IconChevronRight,
  IconDatabase,
  IconFileText,
  IconFolders,
  IconKey,
  IconUpload,
  type IconProps,
} from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { DashboardStats } from '../api/dashboard.queries.ts'
import styles from './dashboard.module.css'

type Step = 'storage' | 'paste' | 'upload' | 'explorer' | 'key'

const LINKS: Readonly<Record<Step, { readonly Icon: ComponentType<IconProps>; readonly link: LinkProps }>> = {
  storage: { Icon: IconDatabase, link: { to: '/admin/$module', params: { module: 'storage-config' } } },
  paste: { Icon: IconFileText, link: { to: '/' } },
  upload: { Icon: IconUpload, link: { to: '/upload' } },
  explorer: { Icon: IconFolders, link: { to: '/mount-explorer/$', params: { _splat: '' } } },
  key: { Icon: IconKey, link: { to: '/admin/$module', params: { module: 'key-management' } } },
}

/** Whether nothing has been put here by anybody. */
export const isUntouched = (stats: DashboardStats): boolean =>
  stats.totalPastes + stats.totalFiles + stats.totalApiKeys + stats.totalStorageUsed === 0

/** What a new server is good for: where to begin. */
export function FirstSteps({ stats }: { stats: DashboardStats }) {
  const { t } = useT()
  const hasStorage = stats.totalS3Configs > 0
  const steps: readonly Step[] = hasStorage
    ? ['paste', 'upload', 'explorer', 'key']
    : ['storage', 'paste', 'key']
  return (
    <section className={styles.start} aria-labelledby="first-steps">
      <h2 className={styles.startTitle} id="first-steps">
        {t('dashboard.start.title')}
      </h2>
      <p className={styles.startText}>
        {t(hasStorage ? 'dashboard.start.text' : 'dashboard.start.noStorageText')}
      </p>
      <ul className={styles.steps}>
        {steps.map((step) => {
          const { Icon, link } = LINKS[step]
          return (
            <li key={step}>
              <Link {...link} className={styles.step}>
                <Icon size={20} aria-hidden />
                <span className={styles.stepWords}>
                  <span className={styles.stepTitle}>{t(`dashboard.start.${step}`)}</span>
                  <span className={styles.stepHint}>{t(`dashboard.start.${step}Hint`)}</span>
                </span>
                <IconChevronRight size={18} aria-hidden className={styles.chevron} />
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
