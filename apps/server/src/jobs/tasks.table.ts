import type { TaskState } from '@dropleaf/contract'
import type { Selectable } from 'kysely'

export interface TasksTable {
  id: string
  type: string
  /** Creator in the form that `creatorOf` returns. */
  owner: string
  /** Identifies what the task works on. A later task on the same subject can be refused, or can continue this task. */
  subject: string | null
  state: TaskState
  /** JSON for the handler. */
  payload: string
  /** JSON of the checkpoint, for resuming after a restart. */
  checkpoint: string | null
  /** JSON of the task's progress. */
  progress: string
  /** JSON list of the first failures. */
  failures: string
  /** JSON of the result. */
  result: string | null
  error_code: string | null
  cancel_requested: number
  attempts: number
  lease_owner: string | null
  lease_until_ms: number | null
  created_at_ms: number
  started_at_ms: number | null
  finished_at_ms: number | null
  updated_at_ms: number
}

export type TaskRow = Selectable<TasksTable>
