import type { QueueEntry } from '@dropleaf/sync-queue'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { dropEntry } from '../api/queue.ts'

/** Discards a pending change. Reports if its text cannot be saved as a draft. */
export function useDropEntry() {
  const { t } = useT()
  return (entry: QueueEntry) => {
    const drop = async () => {
      if (!(await dropEntry(entry))) notify('error', t('queue.dropNoRoom'))
    }
    drop().catch(reportError)
  }
}
