import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, parseStorageKey, type StorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { databaseTrouble } from '../../../../db/database.ts'
import { specOf } from '../../../../errors/error-specs.ts'
import type { RunningTask } from '../../../../jobs/running-task.ts'
import { AppError, type ErrorParams } from '../../../../lib/app-error.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { requireTaskRight } from '../../../foundation/identity/task-rights.usecases.ts'
import { requireAccess } from '../places/access.models.ts'
import type { KeyLeases } from '../leases/key-leases.usecases.ts'
import { pathOfObject } from '../../../foundation/mounts/mounts.usecases.ts'
import type { Place } from '../places/places.usecases.ts'
import type { Conflict } from './transfers.models.ts'

/** One copy or move while it runs: everything its steps need. */
export interface TransferRun {
  readonly ctx: AppContext
  readonly task: RunningTask
  readonly actor: Actor
  readonly isMove: boolean
  /** As a `TransferRequest` has it. */
  readonly intoFolder: boolean
  /** Names that the item at work has to itself. */
  readonly holds: KeyLeases
}

/** One item of it: from where, to where, and what a taken target means. */
export interface TransferStep {
  readonly source: Place
  readonly target: Place
  readonly conflict: Conflict
  /** Whether an earlier run began it: equal things at the target may be its own. */
  readonly isResumed: boolean
  /** What is at the target and has to go first. */
  readonly replaces?: 'file' | 'folder'
}

/** A path that a task works on, and what it does there. */
export interface TaskPath {
  readonly path: string
  readonly intent: 'read' | 'write'
}

/**
 * Who a task works for, with the rights of now. A key that is deleted, expires, or is narrowed so that it does not cover a path
 * any more stops its tasks also while they run; an administrator's go on when the session ends.
 * @throws {AppError} `auth.unauthorized`, `auth.forbidden`
 */
export function requireTaskActor(
  ctx: AppContext,
  task: RunningTask,
  paths: readonly TaskPath[],
): Promise<Actor> {
  let covered: readonly TaskPath[] | null = null
  return requireTaskRight(ctx, task, 'mount', (now, before) => {
    // What was out of reach before is a failed item, which stops nothing.
    covered ??= paths.filter(({ path, intent }) => isCovered(before, path, intent))
    if (now.kind === 'key') for (const { path, intent } of covered) requireAccess(now, path, intent)
  })
}

function isCovered(actor: Actor, path: string, intent: TaskPath['intent']): boolean {
  try {
    requireAccess(actor, path, intent)
    return true
  } catch {
    return false
  }
}

/** Why something could not be done, with the figures and names that its message holds. */
export interface Refusal {
  readonly code: string
  readonly params: ErrorParams
}

export const refusalOf = (error: unknown): Refusal => ({
  code: specOf(error).code,
  params: error instanceof AppError ? error.params : {},
})

/**
 * Counts a failed item, unless it failed because the task should stop.
 * @throws the failure itself if the database is unreachable: the task then waits, and no item has failed
 */
export function noteFailure(
  { ctx, task }: Pick<TransferRun, 'ctx' | 'task'>,
  path: string,
  error: unknown,
): void {
  if (task.signal.aborted) return
  if (databaseTrouble(error) === 'away') throw error
  const { code, params } = refusalOf(error)
  if (code === 'request.internal')
    ctx.log.error({ err: error, path, task: task.id }, 'an item of a task failed')
  task.fail({ path, code, params })
}

/** Key of what lies at a place, a folder's with its slash. @throws {AppError} `fs.not_operable` for the mount itself */
export function keyAt(place: Place, { isFolder }: { isFolder: boolean }): StorageKey {
  if (place.rest === '') throw new AppError(fsErrors.not_operable)
  return isFolder ? parseFolderKey(`${place.rest}/`) : parseStorageKey(place.rest)
}

/** The virtual path of a key in the mount of a place. */
export const pathOfKey = ({ mount }: Place, key: string): string => pathOfObject(mount, key)
