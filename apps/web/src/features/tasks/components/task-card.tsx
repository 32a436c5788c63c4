import type { Task } from '@dropleaf/contract'
import { IconReload, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { formatBytes } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import {
  cancelTask,
  forgetTasks,
  hasEnded,
  retryTask,
} from '../../../domains/transfers/tasks/server-tasks.ts'
import { noticeFailure } from '../../../domains/session/session-notices.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { sharedSlugOf, taskShare } from '../tray-model.ts'
import { Card } from './card.tsx'
import styles from './tray.module.css'
import { useTaskTitle } from './use-task-title.ts'
import { hrefOf } from '../../../lib/browser/base-path.ts'

const STATES = {
  pending: 'pending',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  partially_complete: 'partial',
} as const

/** A task of the server, started on any device. */
export function TaskCard({ task, note }: { task: Task; note?: string }) {
  const title = useTaskTitle()(task)
  const share = taskShare(task)
  return (
    <Card
      id={task.id}
      title={title}
      {...(!hasEnded(task) && { share })}
      tools={<TaskTools task={task} title={title} />}
      {...(task.failures.length > 0 && { details: <Failures task={task} /> })}
    >
      <TaskFacts task={task} />
      {note !== undefined && <div className={styles.facts}>{note}</div>}
    </Card>
  )
}

function TaskTools({ task, title }: { task: Task; title: string }) {
  const { t } = useT()
  const [isBusy, setBusy] = useState(false)
  const act = async (work: Promise<void>) => {
    setBusy(true)
    try {
      await work
    } catch (error) {
      noticeFailure(error, t('tasks.actionFailed', { reason: errorText(error) }))
    }
    setBusy(false)
  }
  if (!hasEnded(task)) {
    return (
      <ToolButton
        label={t('tasks.cancel', { name: title })}
        icon={<IconX size={20} aria-hidden />}
        isBusy={isBusy}
        onClick={() => void act(cancelTask(task.id))}
      />
    )
  }
  return (
    <>
      {task.state !== 'completed' && (
        <ToolButton
          label={t('tasks.retry', { name: title })}
          icon={<IconReload size={20} aria-hidden />}
          isBusy={isBusy}
          onClick={() => void act(retryTask(task.id))}
        />
      )}
      <ToolButton
        label={t('tasks.forget', { name: title })}
        icon={<IconX size={20} aria-hidden />}
        onClick={() => void act(forgetTasks([task.id]))}
      />
    </>
  )
}

function TaskFacts({ task }: { task: Task }) {
  const { t, language } = useT()
  const { totalItems, doneItems, failedItems, skippedItems, totalBytes, doneBytes, current } = task.progress
  const slug = sharedSlugOf(task)
  const bytes = (size: number) => formatBytes(size, language)
  const texts = [
    t(`tasks.state.${STATES[task.state]}`),
    totalItems === null
      ? doneItems > 0 && t('tasks.task.itemsSoFar', { done: doneItems })
      : totalItems > 1 && t('tasks.task.itemsDone', { done: doneItems, total: totalItems }),
    doneBytes > 0 &&
      (totalBytes !== null && !hasEnded(task)
        ? t('tasks.bytesDone', { done: bytes(doneBytes), total: bytes(totalBytes) })
        : bytes(doneBytes)),
    skippedItems > 0 && t('tasks.task.itemsSkipped', { count: skippedItems }),
  ]
  return (
    <>
      <div className={styles.facts}>{texts.filter((text) => text !== false).join(' · ')}</div>
      {!hasEnded(task) && current !== null && (
        <div className={styles.facts}>{t('tasks.task.current', { name: current })}</div>
      )}
      {failedItems > 0 && (
        <div className={styles.facts} data-tone="danger">
          {t('tasks.task.itemsFailed', { count: failedItems })}
        </div>
      )}
      {task.error !== null && task.state !== 'cancelled' && (
        <div className={styles.facts} data-tone="danger">
          {task.error.message}
        </div>
      )}
      {slug !== null && (
        <a className={styles.share} href={hrefOf(paths.file(slug))} target="_blank" rel="noopener">
          {t('tasks.task.openShare')}
        </a>
      )}
    </>
  )
}

function Failures({ task }: { task: Task }) {
  return (
    <ul className={styles.files}>
      {task.failures.map(({ path, message }) => (
        <li key={`${path} ${message}`} className={styles.file}>
          <div className={styles.cardText}>
            <div className={styles.fileName}>{path}</div>
            <div className={styles.facts} data-tone="danger">
              {message}
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
