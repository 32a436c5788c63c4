import { ENDED_TASK_STATES, TASK_STATES, taskErrors, type TaskState } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { TaskRow } from '../../../jobs/tasks.table.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Actor, creatorOf, owns } from '../identity/actor.models.ts'

const isState = (text: string): text is TaskState => (TASK_STATES as readonly string[]).includes(text)
const hasEnded = (row: TaskRow) => (ENDED_TASK_STATES as readonly TaskState[]).includes(row.state)

const ownerOf = (actor: Actor) => (actor.kind === 'admin' ? undefined : creatorOf(actor))

/** Lists the caller's tasks, newest first. Administrators see all tasks. */
export function listTasks(
  ctx: Needs<'tasks'>,
  actor: Actor,
  { states, limit }: { states: string | null; limit: number },
): Promise<TaskRow[]> {
  const wanted = states === null ? undefined : states.split(',').filter(isState)
  return ctx.tasks.list({ owner: ownerOf(actor), states: wanted }, limit)
}

/** @throws {AppError} `task.not_found`, also for a task that the caller does not manage */
export async function getTask(ctx: Needs<'tasks'>, actor: Actor, id: string): Promise<TaskRow> {
  const row = await ctx.tasks.find(id)
  if (!row || !owns(actor, row.owner)) throw new AppError(taskErrors.not_found)
  return row
}

/** @throws {AppError} `task.not_found` */
export async function cancelTask(ctx: Needs<'tasks'>, actor: Actor, id: string): Promise<TaskRow> {
  const row = await getTask(ctx, actor, id)
  if (!hasEnded(row)) await ctx.tasks.cancel(id)
  return getTask(ctx, actor, id)
}

/**
 * Starts work on a subject, unless such work is already running or waiting. @returns the result of `begin`; `undefined`
 * if it was not called
 */
export const beginAlone = <T>(
  ctx: Needs<'database' | 'tasks'>,
  subject: string,
  begin: () => Promise<T>,
): Promise<T | undefined> =>
  ctx.database.exclusively(`task:${subject}`, async () =>
    (await ctx.tasks.isUnderWay(subject)) ? undefined : begin(),
  )

/**
 * @throws {AppError} `task.not_found`; `task.not_retryable`, also while another task with the same subject is running
 * or waiting
 */
export async function retryTask(
  ctx: Needs<'database' | 'tasks'>,
  actor: Actor,
  id: string,
): Promise<TaskRow> {
  const { subject } = await getTask(ctx, actor, id)
  const retry = () => ctx.tasks.retry(id)
  const isBegun = subject === null ? await retry() : await beginAlone(ctx, subject, retry)
  if (!isBegun) throw new AppError(taskErrors.not_retryable)
  return getTask(ctx, actor, id)
}

/** @throws {AppError} `task.not_found`, `task.not_ended` */
export async function forgetTask(ctx: Needs<'tasks'>, actor: Actor, id: string): Promise<void> {
  await getTask(ctx, actor, id)
  if ((await ctx.tasks.clear({ id })) === 0) throw new AppError(taskErrors.not_ended)
}

/** Deletes ended tasks: the caller's own, or all for an administrator. @returns the number of deleted tasks. */
export const clearTasks = (ctx: Needs<'tasks'>, actor: Actor): Promise<number> =>
  ctx.tasks.clear({ owner: ownerOf(actor) })
