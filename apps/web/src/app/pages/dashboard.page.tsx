import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardQueries } from '../../features/dashboard/api/dashboard.queries.ts'
import { ActivityPanel } from '../../features/dashboard/components/activity-panel.tsx'
import { CachePanel } from '../../features/dashboard/components/cache-panel.tsx'
import { Counters } from '../../features/dashboard/components/counters.tsx'
import { FirstSteps } from '../../features/dashboard/components/first-steps.tsx'
import { RestoredBanner } from '../../features/dashboard/components/restored-banner.tsx'
import { StoragePanel } from '../../features/dashboard/components/storage-panel.tsx'
import { SystemPanel } from '../../features/dashboard/components/system-panel.tsx'
import { isUntouched } from '../../features/dashboard/models/counters.ts'
import { mountQueries } from '../../features/mounts/api/mounts.queries.ts'
import { IndexPanel } from '../../features/mounts/components/index-panel.tsx'
import { reconciliationQueries } from '../../features/reconciliation/api/reconciliation.queries.ts'
import { ReconciliationPanel } from '../../features/reconciliation/components/reconciliation-panel.tsx'
import { SamplesPanel } from '../../features/samples/components/samples-panel.tsx'
import { runningTaskQueries } from '../../features/tasks/api/running-tasks.queries.ts'
import { RunningTasks } from '../../features/tasks/components/running-tasks.tsx'
import { ResumeGuide } from '../../features/welcome/components/resume-guide.tsx'
import { systemQueries } from '../../domains/api/system-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useT } from '../../i18n/use-translation.ts'
import { notify } from '../../lib/notices.ts'
import type { Prepare } from '../../lib/prepare.ts'
import { FailedBanner } from '../../ui/feedback/failed-banner.tsx'
import { ModuleHeader } from '../../ui/layout/module-header.tsx'
import { ToolButton } from '../../ui/buttons/tool-button.tsx'
import styles from './dashboard.module.css'

/** Prefetches the data of the panels that are always shown. */
export const prepare: Prepare = async (client) => {
  await Promise.all([
    client.prefetchQuery(dashboardQueries.stats()),
    client.prefetchQuery(dashboardQueries.caches()),
    client.prefetchQuery(systemQueries.version()),
    client.prefetchQuery(reconciliationQueries.last()),
    client.prefetchQuery(runningTaskQueries.all()),
    client.prefetchQuery(mountQueries.all()),
    client.prefetchQuery(mountQueries.indexes(() => false)),
  ])
}

export function DashboardPage() {
  const { t } = useT()
  const stats = useQuery(dashboardQueries.stats())
  const refresh = useRefresh()
  const isMissing = stats.isError && !stats.data
  // The error is shown once for the page, because every panel would show the same error.
  const isAway = isMissing && stats.error instanceof ApiError && stats.error.kind === 'network'
  return (
    <>
      <ModuleHeader title={t('manage.modules.dashboard')}>
        <ToolButton
          label={t('table.refresh')}
          icon={<IconRefresh size={20} aria-hidden />}
          isBusy={refresh.isBusy}
          onClick={refresh.run}
        />
      </ModuleHeader>
      <div className={`${styles.turn} dl-in-turn`}>
        {/* While this element is present, the content below stays hidden, so that it does not move when a notice appears. */}
        {stats.isPending && <span data-waiting />}
        {stats.isError && <FailedBanner error={stats.error} onRetry={() => void stats.refetch()} />}
        {stats.data?.restored && <RestoredBanner restored={stats.data.restored} />}
        {stats.data && stats.data.guide !== 'done' && <ResumeGuide />}
        {stats.data && isUntouched(stats.data) && <FirstSteps stats={stats.data} />}
        {!isMissing && <Counters stats={stats.data} />}
        <div className={styles.columns}>
          <div className={`${styles.column} dl-in-turn`}>
            {!isMissing && (
              <>
                <ActivityPanel stats={stats.data} />
                <StoragePanel stats={stats.data} />
              </>
            )}
            {!isAway && (
              <>
                <ReconciliationPanel />
                <CachePanel />
              </>
            )}
          </div>
          <div className={`${styles.column} dl-in-turn`}>
            {stats.data && (stats.data.hasSamples || isUntouched(stats.data)) && <SamplesPanel />}
            {!isAway && (
              <>
                <RunningTasks />
                <IndexPanel />
                <SystemPanel />
              </>
            )}
          </div>
        </div>
      </div>
    </>
  )
}

/** Returns a function that refreshes all panels. */
function useRefresh() {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await queryClient.refetchQueries({ type: 'active' })
    setBusy(false)
    const hasFailed =
      queryClient
        .getQueryCache()
        .findAll({ type: 'active', predicate: ({ state }) => state.status === 'error' }).length > 0
    if (!hasFailed) notify('success', t('table.refreshed'))
  }
  return { isBusy, run: () => void run() }
}
