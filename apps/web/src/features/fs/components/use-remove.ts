import { useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { dismissNotice, notify } from '../../../lib/notices.ts'
import { isSessionError, noticeLeft } from '../../../domains/session/session-notices.ts'
import type { Failure } from '../api/fs.api.ts'
import { dropEntries, invalidateListing } from '../api/fs.queries.ts'
import type { Entry } from '../models/entries.ts'
import { focusGrid } from './items/focus-grid.ts'
import { removeSoon, undoRemoval, UNDO_MS } from './removals.ts'

/** Hides entries of a folder at once and removes them a moment later. */
export function useRemove(folder: string, showFailures: (failures: readonly Failure[]) => void) {
  const { t } = useT()
  const queryClient = useQueryClient()
  return (entries: readonly Entry[]) => {
    const paths = entries.map(({ path }) => path)
    const [first] = entries
    const sayEnded = () => {
      dismissNotice(notice)
      noticeLeft(
        first && entries.length === 1
          ? t('explorer.remove.endedOne', { name: first.name })
          : t('explorer.remove.endedMany', { count: entries.length }),
      )
    }
    const id = removeSoon({
      paths,
      onDone: ({ failures, isRunning }) => {
        dismissNotice(notice)
        const failed = new Set(failures.map(({ path }) => path))
        dropEntries(queryClient, folder, new Set(paths.filter((path) => !failed.has(path))))
        if (isRunning) notify('info', t('explorer.remove.running'))
        if (failures.length > 0) showFailures(failures)
        void invalidateListing(queryClient, folder)
      },
      onUndone: () => {
        dismissNotice(notice)
        notify('success', t('explorer.remove.undone'))
      },
      onEnded: sayEnded,
      onFailed: (error) => {
        // The session might have ended on the server before the request arrived.
        if (isSessionError(error)) sayEnded()
        else {
          dismissNotice(notice)
          notify('error', t('explorer.remove.failed', { reason: errorText(error) }))
        }
        void invalidateListing(queryClient, folder)
      },
    })
    const text =
      entries.length === 1 && first
        ? t('explorer.remove.doneOne', { name: first.name })
        : t('explorer.remove.doneMany', { count: entries.length })
    const undo = () => {
      undoRemoval(id)
      // The button disappears with the notice, so the list gets the focus.
      focusGrid()
    }
    const notice = notify('success', text, {
      shownMs: UNDO_MS,
      action: { label: t('common.undo'), run: undo },
    })
  }
}
