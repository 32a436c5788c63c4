import { type Task, TASK_TYPES } from '@dropleaf/contract'
import { useCallback } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { subjectOf } from '../tray-model.ts'

/** Returns a function that formats the title of a server task. */
export function useTaskTitle(): (task: Pick<Task, 'type' | 'request'>) => string {
  const { t } = useT()
  return useCallback(
    ({ type, request }) => {
      const known = TASK_TYPES.find((one) => one === type)
      if (!known) return t('tasks.task.other')
      const subject = subjectOf({ request })
      const what = 'name' in subject ? subject.name : t('tasks.task.items', { count: subject.count })
      return t(`tasks.task.${known}`, { what })
    },
    [t],
  )
}
