import type { TaskState } from '@dropleaf/contract'
import type { Selectable } from 'kysely'

export interface TasksTable {
  id: string
  type: string
  /** Creator as `creatorOf` writes it. */
  owner: string
  /** What it is about, so that a later one can tell that it goes on with this. */
  subject: string | null
  state: TaskState
  /** JSON, as the handler of the type reads it. */
  payload: string
  /** JSON: how far it is, for going on after a restart. */
  checkpoint: string | null
  /** JSON of its progress. */
  progress: string
  /** JSON list of what failed, the first ones. */
  failures: string
  /** JSON, what came out. */
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
