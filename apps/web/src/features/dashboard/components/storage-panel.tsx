import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatBytes, formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useProviderName } from '../../../domains/storages/provider-name.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import type { DashboardStats } from '../api/dashboard.queries.ts'
import { distribution, inOrder, type Part, quotaToneOf, type StorageUse } from '../models/storage-use.ts'
import styles from './storage-panel.module.css'

const SHOWN = 5
const PARTS = 5

const percentOf = (share: number, language: string) => formatPercent(share, language, share < 0.01 ? 1 : 0)

/** Shows the use and the quotas of storages. */
export function StoragePanel({ stats }: { stats: DashboardStats | undefined }) {
  const { t, language } = useT()
  const total = stats && formatBytes(stats.totalStorageUsed, language)
  return (
    <Panel title={t('dashboard.storage.title')} note={total && t('dashboard.storage.used', { size: total })}>
      {!stats && <SkeletonLines label={t('table.loading')} widths={['100%', '60%', '85%']} />}
      {stats?.s3Buckets.length === 0 && (
        <p className={styles.quiet}>
          {t('dashboard.storage.empty')}{' '}
          <Link to="/admin/$module" params={{ module: 'storage-config' }}>
            {t('dashboard.storage.add')}
          </Link>
        </p>
      )}
      {stats && stats.s3Buckets.length > 0 && <Storages storages={stats.s3Buckets} />}
    </Panel>
  )
}

function Storages({ storages }: { storages: readonly StorageUse[] }) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  const ordered = inOrder(storages)
  const parts = distribution(storages, PARTS)
  // Shows one more storage instead of a button that would take the same space.
  const isFew = storages.length <= SHOWN + 1
  return (
    <>
      {parts.length > 1 && <Distribution parts={parts} />}
      <ul className={styles.storages}>
        {(isFew || isOpen ? ordered : ordered.slice(0, SHOWN)).map((storage) => (
          <StorageLine
            key={storage.id}
            storage={storage}
            part={
              parts.length > 1
                ? parts.findIndex((part) => part.storage?.id === storage.id || part.storage === null)
                : -1
            }
          />
        ))}
      </ul>
      {!isFew && (
        <div>
          <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('dashboard.showFewer') : t('dashboard.showAll', { count: storages.length })}
          </Button>
        </div>
      )}
    </>
  )
}

/** Shows how the used space is distributed over the storages. The list below has the same data as text. */
function Distribution({ parts }: { parts: readonly Part[] }) {
  const { t, language } = useT()
  const named = parts.map(({ storage, share, count }) => {
    const name = storage?.name ?? t('dashboard.storage.others', { count })
    return `${name} ${percentOf(share, language)}`
  })
  return (
    <>
      <p className="dl-sr">
        {t('dashboard.storage.distribution')}: {named.join(', ')}
      </p>
      <div className={styles.distribution} aria-hidden>
        {parts.map(({ storage, share }, index) => (
          <span
            key={storage?.id ?? 'others'}
            data-part={index}
            style={{ flexGrow: share }}
            title={named[index]}
          />
        ))}
      </div>
    </>
  )
}

interface StorageLineProps {
  storage: StorageUse
  /** Index of the storage in the distribution; -1 for none. */
  part: number
}

function StorageLine({ storage, part }: StorageLineProps) {
  const { t, language } = useT()
  const provider = useProviderName()(storage.providerType)
  const tone = quotaToneOf(storage)
  const used = formatBytes(storage.usedStorage, language)
  const isPressing = tone === 'over' || tone === 'full'
  const isInDistribution = part !== -1 && storage.usedStorage > 0
  return (
    <li className={styles.storage}>
      <div className={styles.storageHead}>
        <h3 className={styles.storageName}>
          {isInDistribution && <span className={styles.dot} data-part={part} aria-hidden />}
          <bdi>{storage.name}</bdi>
        </h3>
        <span className={styles.used}>
          {storage.hasLimit
            ? t('dashboard.storage.usedOf', { used, total: formatBytes(storage.totalStorage, language) })
            : `${used} · ${t('dashboard.storage.unlimited')}`}
        </span>
      </div>
      {tone !== null && (
        <meter
          className={styles.quota}
          aria-label={t('dashboard.storage.quota', { name: storage.name })}
          max={100}
          value={storage.usagePercent}
          data-tone={tone}
        />
      )}
      <p className={styles.storageFacts}>
        <span>
          {provider !== storage.name && `${provider} · `}
          {t('dashboard.storage.files', { count: storage.fileCount })}
        </span>
        {tone !== null && (
          <span className={styles.percent} data-tone={tone}>
            {percentOf(storage.usagePercent / 100, language)}
            {isPressing && ` · ${t(`dashboard.storage.tones.${tone}`)}`}
          </span>
        )}
      </p>
    </li>
  )
}
