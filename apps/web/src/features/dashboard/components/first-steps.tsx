import { IconDatabase, IconFileText, IconFolders, IconKey, IconUpload } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { type LinkCard, LinkCards } from '../../../ui/layout/link-cards.tsx'
import type { DashboardStats } from '../api/dashboard.queries.ts'
import styles from './first-steps.module.css'

type Step = 'storage' | 'paste' | 'upload' | 'explorer' | 'key'

const LINKS: Readonly<Record<Step, Pick<LinkCard, 'Icon' | 'link'>>> = {
  storage: { Icon: IconDatabase, link: { to: '/admin/$module', params: { module: 'storage-config' } } },
  paste: { Icon: IconFileText, link: { to: '/' } },
  upload: { Icon: IconUpload, link: { to: '/upload' } },
  explorer: { Icon: IconFolders, link: { to: '/mount-explorer/$', params: { _splat: '' } } },
  key: { Icon: IconKey, link: { to: '/admin/$module', params: { module: 'key-management' } } },
}

/** Suggests first steps on a new server. */
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
      <LinkCards
        cards={steps.map((step) => ({
          key: step,
          ...LINKS[step],
          title: t(`dashboard.start.${step}`),
          text: t(`dashboard.start.${step}Hint`),
        }))}
      />
    </section>
  )
}
