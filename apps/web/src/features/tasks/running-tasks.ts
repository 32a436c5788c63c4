import type { Task } from '@dropleaf/contract'
import { hasEnded } from '../../domains/transfers/tasks/server-tasks.ts'

/**
 * What runs, from two answers of the server of which now the one and now the other is newer.
 * @param listed all that ran when it was asked for. @param followed tasks of any state, among them those acted on here.
 */
export function runningOf(listed: readonly Task[], followed: readonly Task[]): readonly Task[] {
  const known = new Map(listed.map((task) => [task.id, task]))
  for (const task of followed) {
    const other = known.get(task.id)
    if (other === undefined ? !hasEnded(task) : task.updated_at >= other.updated_at) known.set(task.id, task)
  }
  return [...known.values()].filter((task) => !hasEnded(task))
}
