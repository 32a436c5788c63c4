import { type Task, taskRoutes } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { api } from '../../api/api-client.ts'
import { formatNumber } from '../../../lib/format.ts'
import { tellQueued } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { cancelTask, hasEnded, refreshTasks } from '../../transfers/tasks/server-tasks.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Failure } from '../../session/components/failure.tsx'
import { NamesList } from '../../../ui/layout/names-list.tsx'
import styles from './share-table.module.css'

const POLL_MS = 400

/** Result of a deletion. The deletion has finished, or a task on the server continues it. */
export type Deletion =
  | { readonly kind: 'done'; readonly deleted: number; readonly failed: readonly string[] }
  | { readonly kind: 'task'; readonly taskId: string }

interface DeleteSharesDialogProps {
  title: string
  /** Explains the consequences of the deletion, and that it is permanent. */
  text: string
  /** Names of the selected rows; empty if all matching rows are selected. */
  names: readonly string[]
  confirmLabel: string
  run: () => Promise<Deletion>
  /** Called when rows might be deleted. The table must then be reloaded. */
  onChanged: () => void
  /** Called when the deletion has finished, is queued or continues as a task. The caller then clears the selection. */
  onDeleted?: () => void
  onClose: () => void
}

/** Confirms a deletion and shows its progress. A server task continues after the dialog is closed. */
export function DeleteSharesDialog(props: DeleteSharesDialogProps) {
  const { title, text, names, confirmLabel, run, onChanged, onDeleted, onClose } = props
  const { t } = useT()
  const leave = () => {
    onChanged()
    onClose()
  }
  const end = () => {
    onDeleted?.()
    leave()
  }
  const tell = (deleted: number, failed: number, reason?: string) => {
    if (deleted > 0 || failed === 0) {
      notify('success', t('shares.deletion.done', { count: deleted }))
    }
    if (failed > 0) {
      notify('error', t('shares.deletion.failed', { count: failed, reason: reason ?? '' }))
    }
    end()
  }
  const deletion = useMutation({
    mutationFn: run,
    onSuccess: (result) => {
      if (result.kind === 'done') tell(result.deleted, result.failed.length, result.failed[0])
      else void refreshTasks()
    },
    onError: (error) => {
      if (tellQueued(error)) end()
    },
  })
  if (deletion.data?.kind === 'task') {
    return <Following title={title} taskId={deletion.data.taskId} onEnded={tell} onClose={end} />
  }
  return (
    <ConfirmDialog
      title={title}
      cancelLabel={t('common.cancel')}
      confirmLabel={confirmLabel}
      isDangerous
      isBusy={deletion.isPending}
      // A failed deletion can be partial. The selection stays for another attempt.
      onCancel={deletion.isError ? leave : onClose}
      onConfirm={() => deletion.mutate()}
    >
      {names.length > 0 && <NamesList names={names} />}
      <p className={formStyles.text}>{text}</p>
      {deletion.isError && <Failure error={deletion.error} />}
    </ConfirmDialog>
  )
}

interface FollowingProps {
  title: string
  taskId: string
  onEnded: (deleted: number, failed: number, reason?: string) => void
  onClose: () => void
}

function Following({ title, taskId, onEnded, onClose }: FollowingProps) {
  const { t, language } = useT()
  const task = useQuery({
    queryKey: ['task', taskId],
    queryFn: async ({ signal }): Promise<Task> =>
      (await api(taskRoutes.read, { params: { id: taskId }, signal })).data,
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : POLL_MS),
    gcTime: 0,
    meta: { isPrivate: true },
  })
  const isOver = task.data !== undefined && hasEnded(task.data)
  const tellEnd = useEffectEvent(() => {
    if (!task.data) return
    const { progress, error } = task.data
    const isFailed = task.data.state === 'failed'
    onEnded(progress.doneItems, progress.failedItems || Number(isFailed), error?.message)
  })
  useEffect(() => {
    if (isOver) tellEnd()
  }, [isOver])
  const stopping = useMutation({
    mutationFn: () => cancelTask(taskId),
    onSuccess: () => void task.refetch(),
  })
  const total = task.data?.progress.totalItems ?? null
  const done = task.data?.progress.doneItems ?? 0
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shares.deletion.background')}
          </Button>
          <Button variant="default" loading={stopping.isPending} onClick={() => stopping.mutate()}>
            {t('shares.deletion.stop')}
          </Button>
        </>
      }
    >
      <div className={styles.progress}>
        <progress aria-label={title} {...(total === null ? {} : { max: Math.max(total, 1), value: done })} />
        {/* This is not a live region, because the text changes constantly. */}
        <p>
          {t('shares.deletion.progress', {
            done: formatNumber(done, language),
            total: total === null ? '…' : formatNumber(total, language),
          })}
        </p>
        {task.isError && <Failure error={task.error} />}
        {stopping.isError && <Failure error={stopping.error} />}
      </div>
    </Dialog>
  )
}
