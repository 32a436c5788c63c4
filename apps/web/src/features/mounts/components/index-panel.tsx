import type { Mount } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { mountQueries } from '../api/mounts.queries.ts'
import { IndexLine } from './index-line.tsx'
import styles from './mounts.module.css'
import { useIndexes } from './use-indexes.ts'

const REFRESH_MS = 15_000
const SHOWN = 5

/** Shows the state of the index of each mount's storage, with a button to rebuild it. */
export function IndexPanel() {
  const { t } = useT()
  const mounts = useQuery({ ...mountQueries.all(), refetchInterval: REFRESH_MS, refetchOnWindowFocus: true })
  const indexes = useIndexes(REFRESH_MS)
  const failed = [mounts, indexes.query].find(({ isError }) => isError)
  const retry = () => {
    void mounts.refetch()
    void indexes.query.refetch()
  }
  const isPending = mounts.isPending || indexes.query.isPending
  return (
    <Panel title={t('dashboard.index.title')}>
      {failed && <FailedBanner error={failed.error} onRetry={retry} />}
      {!failed && isPending && <SkeletonLines label={t('table.loading')} widths={['60%', '90%', '75%']} />}
      {mounts.data?.length === 0 && (
        <p className={styles.facts}>
          {t('dashboard.index.empty')}
          <Link to="/admin/$module" params={{ module: 'mount-management' }}>
            {t('dashboard.index.toMounts')}
          </Link>
        </p>
      )}
      {mounts.data && indexes.query.data && mounts.data.length > 0 && (
        <Mounts mounts={mounts.data} indexes={indexes} />
      )}
    </Panel>
  )
}

function Mounts({ mounts, indexes }: { mounts: readonly Mount[]; indexes: ReturnType<typeof useIndexes> }) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  /** Whether the index of an active mount has failed, or an index is being built. Such mounts are always shown. */
  const isOfNote = (mount: Mount) => {
    const status = indexes.statusOf(mount)
    const isFailed = status?.state === 'failed' && mount.is_active === 1
    return status !== undefined && (isFailed || indexes.isRunning(status))
  }
  // Shows one more mount instead of a button that would take the same space.
  const isFew = mounts.length <= SHOWN + 1
  const first = mounts.filter((mount, index) => isFew || index < SHOWN || isOfNote(mount))
  const shown = isOpen ? mounts : first
  return (
    <>
      <ul className={styles.indexes}>
        {shown.map((mount) => {
          const status = indexes.statusOf(mount)
          return (
            <li key={mount.id} className={styles.indexRow}>
              <div className={styles.titleLine}>
                <h3 className={styles.indexName} dir="auto">
                  {mount.name}
                </h3>
                <span className={styles.indexPath}>{mount.mount_path}</span>
                {mount.is_active === 0 && (
                  <span className={styles.chip} data-off>
                    {t('dashboard.index.inactive')}
                  </span>
                )}
              </div>
              {status ? (
                <IndexLine
                  name={mount.name}
                  index={status}
                  isIndexing={indexes.isRunning(status)}
                  onIndex={() => indexes.ask(mount)}
                />
              ) : (
                <p className={styles.facts}>{t('mounts.lostStorage')}</p>
              )}
            </li>
          )
        })}
      </ul>
      {first.length < mounts.length && (
        <div>
          <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('dashboard.showFewer') : t('dashboard.showAll', { count: mounts.length })}
          </Button>
        </div>
      )}
    </>
  )
}
