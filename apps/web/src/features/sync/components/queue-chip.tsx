import { IconCloudUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { showOfflineToast } from '../../../domains/offline/connection-notice.ts'
import { onSynced, startSyncing } from '../../../domains/offline/queue/sync-page.ts'
import { onSessionEnd } from '../../../domains/session/session.ts'
import { useQueue } from '../api/queue.ts'
import { notifySent } from '../notify-sent.ts'
import styles from './queue.module.css'

startSyncing()

function useSyncNews(waiting: number) {
  const { t } = useT()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      onSynced(({ done, failed }) => {
        const synced = t('queue.toasts.synced', { count: done.length })
        if (done.some(({ type }) => type === 'verify_file_password'))
          showOfflineToast('success', t('queue.toasts.opened'))
        else if (done.length > 0) showOfflineToast('success', synced)
        else if (failed > 0 && navigator.onLine) showOfflineToast('error', t('queue.toasts.failed'))
        if (done.length > 0) void queryClient.invalidateQueries()
        // This call fails if the browser blocks storage. The failure is ignored.
        notifySent().catch(() => undefined)
      }),
    [t, queryClient],
  )
  // Reports texts that the service worker has sent while no page was open.
  useEffect(() => {
    notifySent().catch(() => undefined)
  }, [])
  useEffect(
    () =>
      onSessionEnd((reason) => {
        if (reason === 'logout' && waiting > 0)
          showOfflineToast('info', t('queue.toasts.stays', { count: waiting }))
      }),
    [t, waiting],
  )
}

/** Shows the number of pending changes on every page, as a link to the list. */
export function QueueChip() {
  const { t, language } = useT()
  const queue = useQueue()
  const waiting = typeof queue === 'string' ? [] : queue
  useSyncNews(waiting.length)
  if (waiting.length === 0) return null
  const needsPerson = waiting.some(({ status }) => status === 'conflict' || status === 'login')
  const label = t('queue.chip', { count: waiting.length })
  return (
    <Link
      className={styles.chip}
      to="/offline"
      aria-label={label}
      title={label}
      data-urgent={needsPerson || undefined}
    >
      <IconCloudUp size={18} aria-hidden />
      {formatNumber(waiting.length, language)}
    </Link>
  )
}
