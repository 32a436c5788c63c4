import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mountQueries } from '../../../features/mounts/api/mounts.queries.ts'
import { MountDialog } from '../../../features/mounts/components/mount-dialog.tsx'
import { StorageCard } from '../../../features/storage-configs/components/storage-card.tsx'
import storageStyles from '../../../features/storage-configs/components/storages.module.css'
import { useStorageTools } from '../../../features/storage-configs/components/use-storage-tools.tsx'
import { DiskFacts } from '../../../features/welcome/components/disk-facts.tsx'
import styles from '../../../features/welcome/components/guide.module.css'
import { GuideStepPage } from '../../../features/welcome/components/guide-step.tsx'
import { useT } from '../../../i18n/use-translation.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { BackButton } from './back-button.tsx'
import type { StepProps } from './welcome.page.tsx'

export function StorageStep({ facts: { disk }, hasFocus, onNext, onBack }: StepProps) {
  const { t } = useT()
  const { openNew, dialogs, ...tools } = useStorageTools({ testsNew: true })
  return (
    <GuideStepPage
      title={t('welcome.storage.title')}
      text={t(disk ? 'welcome.storage.text' : 'welcome.storage.noDiskText')}
      hasFocus={hasFocus}
      actions={
        <>
          <BackButton onBack={onBack} />
          <Button onClick={onNext}>{t('welcome.next')}</Button>
        </>
      }
    >
      {disk && (
        <div className={styles.part}>
          <h3 className={styles.partTitle}>{t('welcome.storage.disk')}</h3>
          <DiskFacts disk={disk} />
        </div>
      )}
      <div className={styles.part}>
        <h3 className={styles.partTitle}>{t('welcome.storage.bucket')}</h3>
        <p className={styles.hint}>{t('welcome.storage.connectHint')}</p>
        <Button
          variant="default"
          className={styles.connect}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={openNew}
        >
          {t('welcome.storage.connect')}
        </Button>
      </div>
      <Storages {...tools} />
      {dialogs}
    </GuideStepPage>
  )
}

/**
 * Lists the storages with the results of their tests, and offers to mount storages without a mount. Renders nothing if
 * there are fewer than two storages.
 */
function Storages({ commands, verdicts }: Pick<ReturnType<typeof useStorageTools>, 'commands' | 'verdicts'>) {
  const { t } = useT()
  const storages = useQuery(storageQueries.all())
  const mounts = useQuery(mountQueries.all())
  const [mountedId, setMountedId] = useState<string | null>(null)
  const failed = [storages, mounts].find(({ isError }) => isError)
  if (failed) return <FailedBanner error={failed.error} onRetry={() => void failed.refetch()} />
  if (!storages.data || storages.data.length < 2) return null
  // Leaves out failing storages, because their cards already show the failure.
  const unmounted = storages.data.filter(
    ({ id }) =>
      verdicts.get(id) !== 'fails' && mounts.data?.every((mount) => mount.storage_config_id !== id) === true,
  )
  return (
    <div className={styles.part}>
      <h3 className={styles.partTitle}>{t('welcome.storage.connected')}</h3>
      <p className={styles.hint}>{t('welcome.storage.defaultHint')}</p>
      <ul className={storageStyles.cards} aria-label={t('welcome.storage.connected')}>
        {storages.data.map((config) => (
          <StorageCard
            key={config.id}
            config={config}
            verdict={verdicts.get(config.id)}
            commands={commands}
            level={4}
          />
        ))}
      </ul>
      {unmounted.map(({ id, name }) => (
        <Banner
          key={id}
          tone="info"
          actions={
            <Button size="compact-sm" variant="default" onClick={() => setMountedId(id)}>
              {t('welcome.storage.mount')}
            </Button>
          }
        >
          {t('welcome.storage.unmounted', { name })}
        </Banner>
      ))}
      {mountedId !== null && (
        <MountDialog
          edited={null}
          storages={storages.data}
          configId={mountedId}
          onClose={() => setMountedId(null)}
        />
      )}
    </div>
  )
}
