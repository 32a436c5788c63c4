import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { PAGE_SIZE_MAX } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { defaultInt, idParams, instant, optionalText } from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const TASK_STATES = [
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled',
  'partially_complete',
] as const
export type TaskState = (typeof TASK_STATES)[number]

export const ENDED_TASK_STATES = [
  'completed',
  'failed',
  'cancelled',
  'partially_complete',
] as const satisfies readonly TaskState[]

export const TASK_TYPES = [
  'copy',
  'move',
  'delete',
  'url_import',
  'delete_texts',
  'delete_files',
  'reconcile',
] as const

export const taskErrors = defineErrors('task', {
  /** The task does not exist, or belongs to another caller. */
  not_found: 404,
  /** The task is pending, running or completed. Or another task with the same subject is pending or running. */
  not_retryable: 409,
  /** The task is pending or running, and must be cancelled first. */
  not_ended: 409,
  /** The task was cancelled while the request was waiting for it. Items already processed are not rolled back. */
  cancelled: 409,
})

const count = z.number()

/** A task as shown to its owner. */
export const task = z.object({
  id: z.string(),
  type: z.string(),
  state: z.enum(TASK_STATES),
  created_by: z.string(),
  progress: z.object({
    /** `null` until the task has counted its items. */
    totalItems: z.nullable(count),
    doneItems: count,
    failedItems: count,
    skippedItems: count,
    totalBytes: z.nullable(count),
    doneBytes: count,
    current: z.nullable(z.string()),
  }),
  /** Input of the task, for display. */
  request: z.unknown(),
  /** The first items that failed. */
  failures: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  /** Result of the task; the form depends on the type of the task. */
  result: z.unknown(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  created_at: instant,
  started_at: z.nullable(instant),
  finished_at: z.nullable(instant),
  updated_at: instant,
})
export type Task = z.infer<typeof task>

const areStates = (text: string | null) =>
  text === null || text.split(',').every((state) => (TASK_STATES as readonly string[]).includes(state))

const one = z.object({ data: task })
const TASKS_PAGE_SIZE = 50

export const taskRoutes = {
  list: route({
    method: 'GET',
    path: '/api/tasks',
    access: 'identity',
    summary: 'Tasks that the server runs for the caller, newest first; the administrator sees all.',
    query: z.object({
      /** Comma-separated states. */
      state: optionalText(200).check(z.refine(areStates, rules.taskStates)),
      limit: defaultInt({ min: 1, max: PAGE_SIZE_MAX }, TASKS_PAGE_SIZE),
    }),
    reply: z.object({ data: z.object({ tasks: z.array(task) }) }),
    errors: [],
  }),
  read: route({
    method: 'GET',
    path: '/api/tasks/:id',
    access: 'identity',
    summary: 'One task.',
    params: idParams,
    reply: one,
    errors: [taskErrors.not_found],
  }),
  cancel: route({
    method: 'POST',
    path: '/api/tasks/:id/cancel',
    access: 'identity',
    summary: 'Stop a task. What is done stays done; an ended task stays as it is.',
    params: idParams,
    reply: one,
    errors: [taskErrors.not_found],
  }),
  retry: route({
    method: 'POST',
    path: '/api/tasks/:id/retry',
    access: 'identity',
    summary: 'Start a failed, cancelled or partially complete task again.',
    params: idParams,
    reply: one,
    errors: [taskErrors.not_found, taskErrors.not_retryable],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/tasks/:id',
    access: 'identity',
    summary: 'Delete an ended task.',
    params: idParams,
    reply: z.object({}),
    errors: [taskErrors.not_found, taskErrors.not_ended],
  }),
  clear: route({
    method: 'DELETE',
    path: '/api/tasks',
    access: 'identity',
    summary: 'Delete the ended tasks of the caller; the administrator deletes those of all.',
    reply: z.object({ data: z.object({ cleared: z.number() }) }),
    errors: [],
  }),
}
