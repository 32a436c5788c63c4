import { type fsTransferRoutes, fsErrors, type ParsedOf, taskErrors } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { specOfCode } from '../../../../errors/error-specs.ts'
import type { TaskFailure, TaskProgress } from '../../../../jobs/tasks.models.ts'
import type { TaskRow } from '../../../../jobs/tasks.table.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { type Actor, creatorOf } from '../../../foundation/identity/actor.models.ts'
import { getPlace, type Place } from '../places/places.usecases.ts'
import { requireAccess } from '../places/access.models.ts'
import type { TransferItem, TransferRequest } from './transfers.models.ts'

/** How long a request waits for its task before it responds that the task is still running, in milliseconds. */
const WAIT_MS = 25_000

export const progressOf = (row: TaskRow): TaskProgress => JSON.parse(row.progress) as TaskProgress
export const failuresOf = (row: TaskRow): TaskFailure[] => JSON.parse(row.failures) as TaskFailure[]

export const isRunning = (row: TaskRow): boolean => row.state === 'pending' || row.state === 'running'

export interface WaitOptions {
  /** Whether the request waits until the task ends. Set for clients that cannot poll the task. */
  readonly isToEnd?: boolean | undefined
}

/** Runs a task while the request waits. A completed task is deleted, because the response contains its result. */
export async function runWhileWaiting(
  ctx: Needs<'tasks'>,
  actor: Actor,
  task: { type: 'copy' | 'move' | 'delete'; payload: unknown; subject?: string },
  { isToEnd = false }: WaitOptions = {},
): Promise<TaskRow> {
  const order = { ...task, owner: creatorOf(actor) }
  const row = await (isToEnd ? ctx.tasks.runToEnd(order) : ctx.tasks.run(order, WAIT_MS))
  if (row.state === 'completed') await ctx.tasks.clear({ id: row.id })
  return row
}

/**
 * Throws if a task ended without completing all items.
 * @throws {AppError} `task.cancelled`; the error of the task; the first failure if no item was completed; otherwise
 * `fs.partly_done` with the first failures
 */
export function requireDone(row: TaskRow): void {
  if (row.state === 'completed' || isRunning(row)) return
  if (row.state === 'cancelled') throw new AppError(taskErrors.cancelled)
  const failures = failuresOf(row)
  const progress = progressOf(row)
  const code = row.error_code ?? (progress.doneItems === 0 ? failures[0]?.code : undefined)
  const { params = {} } = failures.find((failure) => failure.code === code) ?? {}
  if (code !== undefined) throw new AppError(specOfCode(code), { params })
  throw new AppError(fsErrors.partly_done, {
    params: {
      done: progress.doneItems,
      total: progress.totalItems ?? progress.doneItems + progress.failedItems,
    },
    details: failures.map((failure) => ({ path: failure.path, message: failure.code })),
  })
}

const subjectOf = (source: Place, target: Place) =>
  `${source.config.id}:${source.rest}>${target.config.id}:${target.rest}`

/** Returns whether an earlier run of the same move was interrupted. */
async function isBegun(ctx: Needs<'tasks'>, subject: string): Promise<boolean> {
  const last = await ctx.tasks.findLastOf(subject)
  if (!last || last.state === 'completed' || isRunning(last)) return false
  return progressOf(last).doneItems > 0 || last.state === 'partially_complete'
}

/**
 * Renames or moves a file or folder within its mount. Resumes an interrupted move of a folder.
 * @returns the task, which might still be running.
 * @throws {AppError} as `getPlace` and {@link requireDone}; `fs.kind_mismatch`, `fs.other_mount`
 */
export async function renamePath(
  ctx: PlaceNeeds & Needs<'tasks'>,
  actor: Actor,
  { oldPath, newPath }: ParsedOf<typeof fsTransferRoutes.rename, 'body'>,
): Promise<TaskRow> {
  const source = await getPlace(ctx, actor, oldPath, 'write')
  const target = await getPlace(ctx, actor, newPath, 'write')
  if (source.isFolder !== target.isFolder) throw new AppError(fsErrors.kind_mismatch)
  if (source.mount.id !== target.mount.id) throw new AppError(fsErrors.other_mount)
  const subject = subjectOf(source, target)
  const row = await runWhileWaiting(ctx, actor, {
    type: 'move',
    payload: {
      items: [{ source: oldPath, target: newPath }],
      conflict: (await isBegun(ctx, subject)) ? 'continue' : 'fail',
    },
    subject,
  })
  requireDone(row)
  return row
}

/**
 * Checks access to every path of a request before the work starts.
 * @throws {AppError} as `requireAccess`
 */
export function requireItems(actor: Actor, items: readonly TransferItem[], o: { isMove: boolean }): void {
  for (const item of items) {
    requireAccess(actor, item.source, o.isMove ? 'write' : 'read')
    requireAccess(actor, item.target, 'write')
  }
}

/**
 * Moves files and folders, even between mounts and storages.
 * @returns the task, which might still be running.
 * @throws {AppError} as {@link requireItems}
 */
export async function moveItems(
  ctx: Needs<'tasks'>,
  actor: Actor,
  { isToEnd, ...payload }: TransferRequest & WaitOptions,
): Promise<TaskRow> {
  requireItems(actor, payload.items, { isMove: true })
  return runWhileWaiting(ctx, actor, { type: 'move', payload }, { isToEnd })
}
