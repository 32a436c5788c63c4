import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { systemQueries } from '../../../domains/api/system-queries.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { dashboardQueries } from '../api/dashboard.queries.ts'
import { formatUptime } from '../models/uptime.ts'
import styles from './dashboard.module.css'

const MIB = 1024 * 1024

/** Shows the version, platform and uptime. */
export function SystemPanel() {
  const { t, language } = useT()
  const version = useQuery(systemQueries.version())
  const caches = useQuery(dashboardQueries.caches())
  const size = (megabytes: number) => formatBytes(Math.round(megabytes) * MIB, language)
  const about = version.data?.data
  const system = caches.data?.system
  return (
    <Panel title={t('dashboard.system.title')}>
      {version.isError && <FailedBanner error={version.error} onRetry={() => void version.refetch()} />}
      {version.isPending && (
        <SkeletonLines label={t('table.loading')} widths={['50%', '70%', '60%', '65%']} />
      )}
      {about && (
        <dl className={styles.facts}>
          <Fact name={t('dashboard.system.version')}>
            {about.version}
            {about.sourceUrl !== null && (
              <>
                {' · '}
                <a href={about.sourceUrl} target="_blank" rel="noopener noreferrer">
                  {t('dashboard.system.source')}
                </a>
              </>
            )}
          </Fact>
          <Fact name={t('dashboard.system.protocol')}>{about.protocol}</Fact>
          <Fact name={t('dashboard.system.runtime')}>
            {about.environment} {about.nodeVersion}
          </Fact>
          <Fact name={t('dashboard.system.database')}>{about.storage}</Fact>
          {system && (
            <>
              <Fact name={t('dashboard.system.uptime')}>{formatUptime(system.uptime, language)}</Fact>
              <Fact name={t('dashboard.system.memory')}>
                {t('dashboard.system.heap', {
                  rss: size(system.memory.rss),
                  used: size(system.memory.heapUsed),
                  total: size(system.memory.heapTotal),
                })}
              </Fact>
            </>
          )}
        </dl>
      )}
    </Panel>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
