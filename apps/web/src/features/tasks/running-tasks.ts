import type { Task } from '@dropleaf/contract'
import { hasEnded } from '../../domains/transfers/tasks/server-tasks.ts'

/**
 * Merges the running tasks of two responses. Either response can be newer.
 * @param listed all tasks that were running
 * @param followed tasks of any state, including tasks that this page has changed
 */
export function runningOf(listed: readonly Task[], followed: readonly Task[]): readonly Task[] {
  const known = new Map(listed.map((task) => [task.id, task]))
  for (const task of followed) {
    const other = known.get(task.id)
    if (other === undefined ? !hasEnded(task) : task.updated_at >= other.updated_at) known.set(task.id, task)
  }
  return [...known.values()].filter((task) => !hasEnded(task))
}
