import type { TASK_TYPES, Task } from '@dropleaf/contract'
import { useEffect, useEffectEvent } from 'react'
import { onTaskEnded } from './server-tasks.ts'

/** Calls `onEnd` when a task of the given type ends while the component is mounted. Includes tasks of other users. */
export function useEndedTask(type: (typeof TASK_TYPES)[number], onEnd: () => void): void {
  const tell = useEffectEvent((task: Task) => {
    if (task.type === type) onEnd()
  })
  useEffect(() => onTaskEnded((task) => tell(task)), [])
}
