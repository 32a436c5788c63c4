import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { tellQueued } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { type CacheStats, clearCaches, dashboardQueries } from '../api/dashboard.queries.ts'
import styles from './dashboard.module.css'

const CACHES = ['directory', 's3Url', 'search'] as const

const entriesOf = ({ cache }: CacheStats) => CACHES.reduce((sum, name) => sum + cache[name].cacheSize, 0)

/** Shows and clears the caches of the server. */
export function CachePanel() {
  const { t } = useT()
  const stats = useQuery(dashboardQueries.caches())
  const [isAsking, setAsking] = useState(false)
  return (
    <Panel
      title={t('dashboard.cache.title')}
      actions={
        <Button size="compact-sm" variant="default" disabled={!stats.data} onClick={() => setAsking(true)}>
          {t('dashboard.cache.clear')}
        </Button>
      }
    >
      {stats.isError && <FailedBanner error={stats.error} onRetry={() => void stats.refetch()} />}
      {stats.isPending && <SkeletonLines label={t('table.loading')} widths={['100%', '92%', '96%']} />}
      {stats.data && <CacheTable stats={stats.data} />}
      {isAsking && stats.data && (
        <ClearDialog entries={entriesOf(stats.data)} onClose={() => setAsking(false)} />
      )}
    </Panel>
  )
}

function CacheTable({ stats }: { stats: CacheStats }) {
  const { t, language } = useT()
  const percent = (share: number) => formatPercent(share, language)
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{t('dashboard.cache.here')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('dashboard.cache.name')}</th>
          <th scope="col">{t('dashboard.cache.entries')}</th>
          <th scope="col">{t('dashboard.cache.hitRate')}</th>
        </tr>
      </thead>
      <tbody>
        {CACHES.map((name) => {
          const { cacheSize, hits, misses, hitRate } = stats.cache[name]
          return (
            <tr key={name}>
              <th scope="row">{t(`dashboard.cache.names.${name}`)}</th>
              <td>{formatNumber(cacheSize, language)}</td>
              <td>{hits + misses === 0 ? t('dashboard.cache.unused') : percent(hitRate)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function ClearDialog({ entries, onClose }: { entries: number; onClose: () => void }) {
  const { t, language } = useT()
  const queryClient = useQueryClient()
  const clearing = useMutation({
    mutationFn: clearCaches,
    onSuccess: async (count) => {
      await queryClient.invalidateQueries({ queryKey: dashboardQueries.caches().queryKey })
      onClose()
      const cleared = t('dashboard.cache.cleared', { count })
      notify('success', count === 0 ? t('dashboard.cache.clearedNothing') : cleared)
    },
    onError: (error) => {
      if (tellQueued(error)) onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('dashboard.cache.clearTitle')}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('dashboard.cache.clear')}
      isBusy={clearing.isPending}
      onCancel={onClose}
      onConfirm={() => clearing.mutate()}
    >
      <div className={formStyles.fields}>
        <p className={formStyles.text}>
          {t('dashboard.cache.clearText', { count: formatNumber(entries, language) })}
        </p>
        {clearing.isError && <Failure error={clearing.error} />}
      </div>
    </ConfirmDialog>
  )
}
