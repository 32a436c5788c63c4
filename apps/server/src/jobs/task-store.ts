import { ENDED_TASK_STATES, type TaskState } from '@dropleaf/contract'
import type { Insertable, Kysely, Updateable } from 'kysely'
import type { TaskRow, TasksTable } from './tasks.table.ts'

interface TasksOnly {
  tasks: TasksTable
}

export interface TaskFilter {
  readonly owner?: string | undefined
  readonly states?: readonly TaskState[] | undefined
}

export class TaskStore {
  readonly #db: Kysely<TasksOnly>

  constructor(db: Kysely<TasksOnly & object>) {
    this.#db = db
  }

  insert(row: Insertable<TasksTable>) {
    return this.#db.insertInto('tasks').values(row).execute()
  }

  find(id: string) {
    return this.#db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
  }

  list({ owner, states }: TaskFilter, limit: number) {
    return this.#db
      .selectFrom('tasks')
      .selectAll()
      .$if(owner !== undefined, (q) => q.where('owner', '=', owner ?? ''))
      .$if(states !== undefined, (q) => q.where('state', 'in', states ?? []))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  findLastOf(subject: string) {
    return this.#db
      .selectFrom('tasks')
      .selectAll()
      .where('subject', '=', subject)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .executeTakeFirst()
  }

  async isUnderWay(subject: string): Promise<boolean> {
    return (
      (await this.#db
        .selectFrom('tasks')
        .select('id')
        .where('subject', '=', subject)
        .where('state', 'in', ['pending', 'running'])
        .executeTakeFirst()) !== undefined
    )
  }

  /** Finds pending tasks, and running tasks whose lease has expired. The oldest task comes first. */
  findClaimable(nowMs: number, limit: number) {
    return this.#db
      .selectFrom('tasks')
      .select('id')
      .where((eb) =>
        eb.or([
          eb('state', '=', 'pending'),
          eb.and([eb('state', '=', 'running'), eb('lease_until_ms', '<=', nowMs)]),
        ]),
      )
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  /** Claims a task, unless another process was faster. */
  claim(id: string, o: { owner: string; nowMs: number; untilMs: number }): Promise<TaskRow | undefined> {
    return this.#db
      .updateTable('tasks')
      .set((eb) => ({
        state: 'running' as const,
        lease_owner: o.owner,
        lease_until_ms: o.untilMs,
        attempts: eb('attempts', '+', 1),
        started_at_ms: eb.fn.coalesce('started_at_ms', eb.val(o.nowMs)),
        updated_at_ms: o.nowMs,
      }))
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb('state', '=', 'pending'),
          eb.and([eb('state', '=', 'running'), eb('lease_until_ms', '<=', o.nowMs)]),
        ]),
      )
      .returningAll()
      .executeTakeFirst()
  }

  /** Changes a task. Returns `undefined` if this process no longer holds the task. */
  update(id: string, leaseOwner: string, change: Updateable<TasksTable>) {
    return this.#db
      .updateTable('tasks')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'running')
      .where('lease_owner', '=', leaseOwner)
      .returning('cancel_requested')
      .executeTakeFirst()
  }

  async cancelPending(id: string, nowMs: number): Promise<boolean> {
    const result = await this.#db
      .updateTable('tasks')
      .set({ state: 'cancelled', finished_at_ms: nowMs, updated_at_ms: nowMs })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  requestCancel(id: string) {
    return this.#db
      .updateTable('tasks')
      .set({ cancel_requested: 1 })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .execute()
  }

  /** Puts a failed, cancelled or partially complete task back into the queue. */
  async reopen(id: string, o: { nowMs: number; progress: string; checkpoint: string }): Promise<boolean> {
    const result = await this.#db
      .updateTable('tasks')
      .set({
        state: 'pending',
        cancel_requested: 0,
        attempts: 0,
        error_code: null,
        failures: '[]',
        checkpoint: o.checkpoint,
        finished_at_ms: null,
        updated_at_ms: o.nowMs,
        progress: o.progress,
      })
      .where('id', '=', id)
      .where('state', 'in', ['failed', 'cancelled', 'partially_complete'])
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Makes every running task claimable. Called at the start of the only process on SQLite. */
  releaseAll() {
    return this.#db.updateTable('tasks').set({ lease_until_ms: 0 }).where('state', '=', 'running').execute()
  }

  async deleteEnded({ owner, id, beforeMs }: { owner?: string | undefined; id?: string; beforeMs?: number }) {
    const result = await this.#db
      .deleteFrom('tasks')
      .where('state', 'in', ENDED_TASK_STATES)
      .$if(owner !== undefined, (q) => q.where('owner', '=', owner ?? ''))
      .$if(id !== undefined, (q) => q.where('id', '=', id ?? ''))
      .$if(beforeMs !== undefined, (q) => q.where('finished_at_ms', '<', beforeMs ?? 0))
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }
}
