import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, parseStorageKey, type StorageKey } from '@dropleaf/storage'
import type { Needs, WriteNeeds } from '../../../../context.ts'
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

/** Shared state of all steps of a running copy or move. */
export interface TransferRun {
  readonly ctx: WriteNeeds & Needs<'secrets'>
  readonly task: RunningTask
  readonly actor: Actor
  readonly isMove: boolean
  /** Has the same meaning as in `TransferRequest`. */
  readonly intoFolder: boolean
  /** Leases of the current item. */
  readonly holds: KeyLeases
}

/** One item of a copy or move. */
export interface TransferStep {
  readonly source: Place
  readonly target: Place
  readonly conflict: Conflict
  /**
   * Whether an earlier run started this item. If so, equal objects at the target may be copies that the earlier run
   * made.
   */
  readonly isResumed: boolean
  /** Kind of the existing target, which is deleted first. */
  readonly replaces?: 'file' | 'folder'
}

/** A path that a task accesses, and the kind of access. */
export interface TaskPath {
  readonly path: string
  readonly intent: 'read' | 'write'
}

/**
 * Returns the actor of a task with its current permissions. The tasks of an API key stop when the key is deleted,
 * expires, or loses access to a path. An administrator's tasks continue after the session ends.
 * @throws {AppError} `auth.unauthorized`, `auth.forbidden`
 */
export function requireTaskActor(
  ctx: Needs<'clock' | 'db'>,
  task: RunningTask,
  paths: readonly TaskPath[],
): Promise<Actor> {
  let permitted: readonly TaskPath[] | null = null
  return requireTaskRight(ctx, task, 'mount', (now, before) => {
    // A path that was inaccessible from the start makes only its own item fail, not the whole task.
    permitted ??= paths.filter(({ path, intent }) => isPermitted(before, path, intent))
    if (now.kind === 'key') for (const { path, intent } of permitted) requireAccess(now, path, intent)
  })
}

function isPermitted(actor: Actor, path: string, intent: TaskPath['intent']): boolean {
  try {
    requireAccess(actor, path, intent)
    return true
  } catch {
    return false
  }
}

/** Error code with the values for its message. */
export interface Refusal {
  readonly code: string
  readonly params: ErrorParams
}

export const refusalOf = (error: unknown): Refusal => ({
  code: specOf(error).code,
  params: error instanceof AppError ? error.params : {},
})

/**
 * Counts a failed item, unless the task is being stopped.
 * @throws the error itself if the database is unreachable; the task then waits, and no item counts as failed
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

/**
 * Returns the key of the entry at a place; the key of a folder has a trailing slash.
 * @throws {AppError} `fs.not_operable` for the mount itself
 * @throws {StorageError} `storage.invalid_key` for a key that no storage can have
 */
export function keyAt(place: Place, { isFolder }: { isFolder: boolean }): StorageKey {
  if (place.rest === '') throw new AppError(fsErrors.not_operable)
  return isFolder ? parseFolderKey(`${place.rest}/`) : parseStorageKey(place.rest)
}

/** Returns the virtual path of a key in the mount of a place. */
export const pathOfKey = ({ mount }: Place, key: string): string => pathOfObject(mount, key)
