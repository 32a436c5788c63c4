import type { Needs, StorageNeeds } from '../../../context.ts'
import type { TaskHandler } from '../../../jobs/running-task.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { requireTaskRight } from '../../foundation/identity/task-rights.usecases.ts'
import { type FileQuery, fileListsRepository } from './file-lists.repository.ts'
import { deleteFiles } from './own-files.usecases.ts'

const TASK_TYPE = 'delete_files'
const BATCH_ROWS = 100

/**
 * Deletes all matching listed shares and their objects in a task of the caller. Shares created after the call are not
 * deleted.
 * @returns the task's id, and the current number of matches
 */
export async function deleteMatchingFiles(
  ctx: Needs<'clock' | 'db' | 'tasks'>,
  actor: Actor,
  query: FileQuery,
): Promise<{ task_id: string; matching: number }> {
  const nowMs = ctx.clock.nowMs()
  const meant: FileQuery = { ...query, madeUntilMs: nowMs }
  const matching = await fileListsRepository(ctx.db).count(meant, nowMs)
  const task = await ctx.tasks.add({
    type: TASK_TYPE,
    owner: creatorOf(actor),
    payload: { query: meant, nowMs },
  })
  return { task_id: task.id, matching }
}

/** Executes the task of {@link deleteMatchingFiles}. A restart begins again, because deleted files no longer match. */
export const matchingFilesHandler =
  (ctx: StorageNeeds & Needs<'database' | 'log'>): TaskHandler =>
  async (task) => {
    const { query, nowMs } = task.payload as { query: FileQuery; nowMs: number }
    await requireTaskRight(ctx, task, 'file')
    const repository = fileListsRepository(ctx.db)
    task.progress.totalItems = task.progress.doneItems + (await repository.count(query, nowMs))
    let afterId = ''
    while (!task.signal.aborted) {
      const rows = await repository.findMatching(query, { nowMs, afterId, limit: BATCH_ROWS })
      const last = rows.at(-1)
      if (!last) break
      const { deleted } = await deleteFiles(
        ctx,
        {},
        rows.map(({ id }) => id),
      )
      task.progress.doneItems += deleted
      await task.saveCheckpoint(null)
      afterId = last.id
    }
    task.setResult({ deleted: task.progress.doneItems })
  }
