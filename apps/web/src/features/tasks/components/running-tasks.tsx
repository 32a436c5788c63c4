import type { Task } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeyQueries } from '../../../domains/api/api-key-queries.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useServerTasks } from '../../../domains/transfers/tasks/server-tasks.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { runningTaskQueries } from '../api/running-tasks.queries.ts'
import { runningOf } from '../running-tasks.ts'
import { TaskCard } from './task-card.tsx'
import styles from './tray.module.css'

const NONE: readonly Task[] = []
const SHOWN = 4

/** Shows the running tasks of all users. */
export function RunningTasks() {
  const { t, language } = useT()
  const listed = useQuery(runningTaskQueries.all())
  const [isOpen, setOpen] = useState(false)
  const tasks = runningOf(listed.data ?? NONE, useServerTasks())
  const hasKeys = tasks.some(({ created_by }) => keyIdOf(created_by) !== null)
  const keys = useQuery({ ...apiKeyQueries.all(), enabled: hasKeys })
  const nameOf = (creator: string) => {
    const id = keyIdOf(creator)
    if (id === null) return t('manage.administrator')
    return keys.data?.find((key) => key.id === id)?.name ?? t('manage.keyHolder')
  }
  const isKnown = listed.data !== undefined
  // Shows one more task instead of a button that would take the same space.
  const isFew = tasks.length <= SHOWN + 1
  return (
    <Panel
      title={t('dashboard.running.title')}
      note={tasks.length > 0 && t('dashboard.running.count', { count: formatNumber(tasks.length, language) })}
    >
      {listed.isError && <FailedBanner error={listed.error} onRetry={() => void listed.refetch()} />}
      {listed.isPending && <SkeletonLines label={t('table.loading')} widths={['70%', '45%']} />}
      {isKnown && tasks.length === 0 && <p className={styles.quiet}>{t('dashboard.running.none')}</p>}
      {tasks.length > 0 && (
        <ul className={styles.running}>
          {(isFew || isOpen ? tasks : tasks.slice(0, SHOWN)).map((task) => (
            <TaskCard
              key={task.id}
              task={task}
              note={t('dashboard.running.by', { name: nameOf(task.created_by) })}
            />
          ))}
        </ul>
      )}
      {!isFew && (
        <div>
          <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('dashboard.showFewer') : t('dashboard.showAll', { count: tasks.length })}
          </Button>
        </div>
      )}
    </Panel>
  )
}

const keyIdOf = (creator: string): string | null =>
  creator.startsWith('apikey:') ? creator.slice('apikey:'.length) : null
