import type { Task } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconListCheck, IconX } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../lib/keyboard/keys.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { forgetJobs, type LocalJob } from '../../../domains/transfers/tasks/local-jobs.ts'
import {
  forgetTasks,
  hasEnded,
  refreshTasks,
  useTasksFailure,
} from '../../../domains/transfers/tasks/server-tasks.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { noticeFailure } from '../../../domains/session/session-notices.ts'
import { useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { type BatchView, groupOf, type TrayGroup } from '../tray-model.ts'
import { BatchCard } from './batch-card.tsx'
import { JobCard } from './job-card.tsx'
import { TaskCard } from './task-card.tsx'
import styles from './tray.module.css'

interface TrayPanelProps {
  batches: readonly BatchView[]
  tasks: readonly Task[]
  jobs: readonly LocalJob[]
  opener: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Focuses the panel. Closes it on Esc, and on a press outside the panel, its button and dialogs. */
function useDismissal(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    const onKey = (event: KeyboardEvent) => {
      const isInDialog = document.querySelector('dialog:modal') !== null
      if (isKey(event, keyMap.anywhere.leave) && !isInDialog) close()
    }
    const onPointer = ({ target }: PointerEvent) => {
      const isOurs = [panel, opener].some(({ current }) => current?.contains(target as Node))
      const isInDialog = target instanceof Element && target.closest('dialog:modal') !== null
      if (!isOurs && !isInDialog) close()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPointer)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPointer)
    }
  }, [panel, opener])
}

export function TrayPanel({ batches, tasks, jobs, opener, onClose }: TrayPanelProps) {
  const { t } = useT()
  const panel = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const failure = useTasksFailure()
  useDismissal(panel, opener, onClose)
  useKeptFocus(panel)
  useEffect(() => {
    void refreshTasks()
  }, [])
  const inGroup = (group: TrayGroup) => batches.filter((view) => groupOf(view) === group)
  const waiting = { batches: inGroup('waiting'), tasks: [], jobs: [] }
  const paused = { batches: inGroup('paused'), tasks: [], jobs: [] }
  const ended = {
    batches: inGroup('ended'),
    tasks: tasks.filter(hasEnded),
    jobs: jobs.filter(({ state }) => state !== 'running'),
  }
  const active = {
    batches: inGroup('active'),
    tasks: tasks.filter((task) => !hasEnded(task)),
    jobs: jobs.filter(({ state }) => state === 'running'),
  }
  const countOf = (group: Omit<GroupProps, 'title'>) =>
    group.batches.length + group.tasks.length + group.jobs.length
  const clear = () => {
    uploads.forget(ended.batches.flatMap(({ entries }) => entries.map(({ key }) => key)))
    forgetJobs(ended.jobs.map(({ id }) => id))
    forgetTasks(ended.tasks.map(({ id }) => id)).catch((error: unknown) =>
      noticeFailure(error, t('tasks.actionFailed', { reason: errorText(error) })),
    )
  }
  return (
    <dialog ref={panel} open className={styles.panel} aria-labelledby={titleId} tabIndex={-1}>
      <div className={styles.head}>
        <h2 className={styles.title} id={titleId}>
          {t('tasks.title')}
        </h2>
        {countOf(ended) > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            {t('tasks.clearEnded')}
          </Button>
        )}
        <ToolButton label={t('common.close')} icon={<IconX size={20} aria-hidden />} onClick={onClose} />
      </div>
      <div className={styles.body}>
        {failure !== null && (
          <div className={styles.message}>
            <Banner
              tone="warning"
              actions={
                <Button size="compact-sm" variant="default" onClick={() => void refreshTasks()}>
                  {t('common.retry')}
                </Button>
              }
            >
              {t('tasks.serverFailed', { reason: errorText(failure) })}
            </Banner>
          </div>
        )}
        {batches.length + tasks.length + jobs.length === 0 && (
          <div className={styles.empty}>
            <IconListCheck size={32} aria-hidden />
            <span className={styles.emptyTitle}>{t('tasks.emptyTitle')}</span>
            <span>{t('tasks.emptyText')}</span>
          </div>
        )}
        <Group title={t('tasks.waitingForYou')} {...waiting} />
        <Group title={t('tasks.active')} {...active} />
        <Group title={t('tasks.paused')} {...paused} />
        <Group title={t('tasks.ended')} {...ended} />
      </div>
    </dialog>
  )
}

type GroupProps = Pick<TrayPanelProps, 'batches' | 'tasks' | 'jobs'> & { title: string }

function Group({ title, batches, tasks, jobs }: GroupProps) {
  const id = useId()
  if (batches.length + tasks.length + jobs.length === 0) return null
  return (
    <>
      <h3 className={styles.group} id={id}>
        {title}
      </h3>
      <ul className={styles.list} aria-labelledby={id}>
        {batches.toReversed().map((view) => (
          <BatchCard key={view.batch.id} view={view} />
        ))}
        {jobs.toReversed().map((job) => (
          <JobCard key={job.id} job={job} />
        ))}
        {tasks.map((task) => (
          <TaskCard key={task.id} task={task} />
        ))}
      </ul>
    </>
  )
}
