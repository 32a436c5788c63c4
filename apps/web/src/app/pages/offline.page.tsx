import type { QueueEntry } from '@dropleaf/sync-queue'
import { useT } from '../../i18n/use-translation.ts'
import { overTheirs, textOf } from '../../domains/offline/queue/resolve-conflict.ts'
import { syncNow } from '../../domains/offline/queue/sync-page.ts'
import { usePageTitle } from '../../lib/browser/page-title.ts'
import { randomId } from '../../lib/random-id.ts'
import { PasteChangedDialog } from '../../features/pastes/components/editor/paste-changed-dialog.tsx'
import { changeEntry } from '../../features/sync/api/queue.ts'
import { QueueList } from '../../features/sync/components/queue-list.tsx'
import { useDropEntry } from '../../features/sync/components/use-drop-entry.ts'

const nameOf = ({ endpoint }: QueueEntry) => decodeURIComponent(endpoint.split('/').at(-1) ?? '')

/** Lists pending changes. */
export function OfflinePage() {
  const { t } = useT()
  const dropEntry = useDropEntry()
  usePageTitle(t('queue.title'))
  return (
    <QueueList
      renderComparison={(entry, onClose) => (
        <PasteChangedDialog
          slug={nameOf(entry)}
          mine={textOf(entry)?.content ?? ''}
          onMine={() => {
            onClose()
            changeEntry(entry.id, overTheirs(entry, randomId()))
              .then(() => syncNow())
              .catch(() => undefined)
          }}
          onTheirs={() => {
            onClose()
            dropEntry(entry)
          }}
          onClose={onClose}
        />
      )}
    />
  )
}
