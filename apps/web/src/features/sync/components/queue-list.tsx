import type { QueueEntry } from '@dropleaf/sync-queue'
import { Button } from '@mantine/core'
import { IconCloudCheck, IconCloudUp } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { showOfflineToast } from '../../../domains/offline/connection-notice.ts'
import { syncNow } from '../../../domains/offline/queue/sync-page.ts'
import { Banner, PageMessage } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { changeEntry, useQueue } from '../api/queue.ts'
import { QueueEntryRow } from './queue-entry.tsx'
import { SentList } from './sent-list.tsx'
import styles from './queue.module.css'

interface QueueListProps {
  /** Compares the pending change with the server's version. */
  renderComparison: (entry: QueueEntry, onClose: () => void) => ReactNode
}

function subscribeLine(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Lists all pending changes with their state and actions. */
export function QueueList({ renderComparison }: QueueListProps) {
  const { t } = useT()
  const queue = useQueue()
  const [comparedId, setComparedId] = useState<number | null>(null)
  const isOnline = useSyncExternalStore(subscribeLine, () => navigator.onLine)
  const syncing = useMutation({
    mutationFn: syncNow,
    onError: () => showOfflineToast('info', t('queue.toasts.slow')),
  })
  const entries = typeof queue === 'string' ? [] : queue
  const compared = entries.find(({ id }) => id === comparedId)
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h1 className={styles.title}>{t('queue.title')}</h1>
          <p className={styles.intro}>{t('queue.text')}</p>
          <p className={styles.intro}>{t(isOnline ? 'queue.line.online' : 'queue.line.offline')}</p>
        </div>
        {entries.length > 0 && (
          <Button
            leftSection={<IconCloudUp size={18} aria-hidden />}
            loading={syncing.isPending}
            onClick={() => syncing.mutate()}
          >
            {t('queue.syncNow')}
          </Button>
        )}
      </header>
      {queue === 'loading' && <SkeletonLines label={t('common.loading')} />}
      {queue === 'unreadable' && <Banner tone="warning">{t('queue.unreadable')}</Banner>}
      {(queue === 'others' || queue.length === 0) && (
        <PageMessage
          level={2}
          icon={<IconCloudCheck size={28} aria-hidden />}
          title={t(queue === 'others' ? 'queue.others.title' : 'queue.empty.title')}
          text={t(queue === 'others' ? 'queue.others.text' : 'queue.empty.text')}
        />
      )}
      {entries.length > 0 && (
        <ul className={styles.entries}>
          {entries.map((entry) => (
            <QueueEntryRow
              key={entry.id}
              entry={entry}
              onChange={(changes) => {
                changeEntry(entry.id, changes).then(() => syncing.mutate(), reportError)
              }}
              onCompare={() => setComparedId(entry.id)}
            />
          ))}
        </ul>
      )}
      <SentList />
      {compared && renderComparison(compared, () => setComparedId(null))}
    </div>
  )
}
