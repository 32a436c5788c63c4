import type { TaskState } from '@dropleaf/contract'
import type { ErrorParams } from '../lib/app-error.ts'
import { newId } from '../lib/ids.ts'
import type { TaskRow } from './tasks.table.ts'

/** Progress of a task. The meaning of items and bytes depends on the type of the task. */
export interface TaskProgress {
  /** Number of items; `null` until the number is known. */
  totalItems: number | null
  doneItems: number
  failedItems: number
  skippedItems: number
  totalBytes: number | null
  doneBytes: number
  current: string | null
}

export interface TaskFailure {
  readonly path: string
  /** An error code of the contract. */
  readonly code: string
  /** Values that the error message contains. */
  readonly params?: ErrorParams
}

export interface NewTask {
  readonly type: string
  readonly owner: string
  readonly payload: unknown
  readonly subject?: string
}

export interface Checkpoint {
  readonly value: unknown
  readonly progress: TaskProgress
  readonly failures: readonly TaskFailure[]
}

export const noProgress = (): TaskProgress => ({
  totalItems: null,
  doneItems: 0,
  failedItems: 0,
  skippedItems: 0,
  totalBytes: null,
  doneBytes: 0,
  current: null,
})

export function outcomeOf(progress: TaskProgress): TaskState {
  if (progress.failedItems === 0) return 'completed'
  return progress.doneItems + progress.skippedItems > 0 ? 'partially_complete' : 'failed'
}

export function rowOf({ type, owner, payload, subject }: NewTask, nowMs: number): TaskRow {
  return {
    id: newId(),
    type,
    owner,
    subject: subject ?? null,
    state: 'pending',
    payload: JSON.stringify(payload),
    checkpoint: null,
    progress: JSON.stringify(noProgress()),
    failures: '[]',
    result: null,
    error_code: null,
    cancel_requested: 0,
    attempts: 0,
    lease_owner: null,
    lease_until_ms: null,
    created_at_ms: nowMs,
    started_at_ms: null,
    finished_at_ms: null,
    updated_at_ms: nowMs,
  }
}
