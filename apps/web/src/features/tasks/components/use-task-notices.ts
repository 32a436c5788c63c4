import type { Task } from '@dropleaf/contract'
import { useCallback, useEffect, useRef } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { dismissNotice, notify } from '../../../lib/notices.ts'
import { hasEnded } from '../../../domains/transfers/tasks/server-tasks.ts'
import { type BatchView, isBatchActive } from '../tray-model.ts'
import { useTaskTitle } from './use-task-title.ts'

interface Shown {
  readonly batches: readonly BatchView[]
  readonly tasks: readonly Task[]
  /** Whether the tray is open. An open tray already shows started uploads. */
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

/**
 * Shows notices for the start and end of uploads to mounts, and for the results of tasks. Uploads of shares are
 * reported on their page.
 */
export function useTaskNotices({ batches, tasks, isOpen, setOpen }: Shown): void {
  const { t } = useT()
  const titleOf = useTaskTitle()
  const active = useRef(new Set<string>())
  const running = useRef(new Set<string>())
  /** Ids of the notices about started batches, by batch id. */
  const begun = useRef(new Map<string, number>())

  const takeBack = useCallback((batchId: string) => {
    const notice = begun.current.get(batchId)
    if (notice !== undefined) dismissNotice(notice)
    begun.current.delete(batchId)
  }, [])

  useEffect(() => {
    if (isOpen) for (const batchId of begun.current.keys()) takeBack(batchId)
  }, [isOpen, takeBack])

  useEffect(() => {
    for (const view of batches) {
      const { batch, entries, failed, doneCount } = view
      if (batch.kind !== 'mount') continue
      const wasActive = active.current.has(batch.id)
      if (isBatchActive(view)) {
        active.current.add(batch.id)
        const isNew = !wasActive && entries.some(({ hasSource }) => hasSource)
        if (isNew && !isOpen) {
          const action = { label: t('tasks.notice.show'), run: () => setOpen(true) }
          const text = t('tasks.notice.started', { count: entries.length })
          begun.current.set(batch.id, notify('info', text, { action }))
        }
      } else if (wasActive) {
        active.current.delete(batch.id)
        takeBack(batch.id)
        if (failed.length > 0) notify('error', t('tasks.notice.someFailed', { count: failed.length }))
        else if (doneCount > 0) notify('success', t('tasks.notice.allDone', { count: doneCount }))
      }
    }
  }, [batches, isOpen, setOpen, takeBack, t])

  useEffect(() => {
    for (const task of tasks) {
      if (!hasEnded(task)) running.current.add(task.id)
      else if (running.current.delete(task.id)) {
        const title = titleOf(task)
        if (task.state === 'completed') notify('success', t('tasks.notice.taskDone', { title }))
        else if (task.state !== 'cancelled')
          notify(
            'error',
            task.type === 'reconcile'
              ? t('tasks.notice.checkFailed')
              : t('tasks.notice.taskFailed', { title }),
          )
      }
    }
  }, [tasks, t, titleOf])
}
