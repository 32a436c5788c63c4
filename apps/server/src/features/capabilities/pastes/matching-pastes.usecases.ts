import type { Needs } from '../../../context.ts'
import type { ShareQuery } from '../../../db/share-queries.ts'
import type { TaskHandler } from '../../../jobs/running-task.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { requireTaskRight } from '../../foundation/identity/task-rights.usecases.ts'
import { pastesRepository } from './pastes.repository.ts'

const TASK_TYPE = 'delete_texts'
const BATCH_ROWS = 200

/**
 * Deletes all matching shares in a task of the caller. Shares created after the call are not deleted.
 * @returns the task's id, and the current number of matches
 */
export async function deleteMatchingPastes(
  ctx: Needs<'clock' | 'db' | 'tasks'>,
  actor: Actor,
  query: ShareQuery,
): Promise<{ task_id: string; matching: number }> {
  const nowMs = ctx.clock.nowMs()
  const meant: ShareQuery = { ...query, madeUntilMs: nowMs }
  const matching = await pastesRepository(ctx.db).count(meant, nowMs)
  const task = await ctx.tasks.add({
    type: TASK_TYPE,
    owner: creatorOf(actor),
    payload: { query: meant, nowMs },
  })
  return { task_id: task.id, matching }
}

export const matchingPastesHandler =
  (ctx: Needs<'clock' | 'db'>): TaskHandler =>
  async (task) => {
    const { query, nowMs } = task.payload as { query: ShareQuery; nowMs: number }
    await requireTaskRight(ctx, task, 'text')
    const repository = pastesRepository(ctx.db)
    task.progress.totalItems = task.progress.doneItems + (await repository.count(query, nowMs))
    while (!task.signal.aborted) {
      const deleted = await repository.deleteMatching(query, { nowMs, limit: BATCH_ROWS })
      task.progress.doneItems += deleted
      await task.saveCheckpoint(null)
      if (deleted < BATCH_ROWS) break
    }
    task.setResult({ deleted: task.progress.doneItems })
  }
