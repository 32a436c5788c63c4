import { authErrors, fsErrors } from '@dropleaf/contract'
import { parseFolderKey, parseStorageKey, type StorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { specOf } from '../../http/error-specs.ts'
import type { RunningTask } from '../../jobs/task-queue.ts'
import { AppError, type ErrorParams } from '../../lib/app-error.ts'
import type { Actor } from '../auth/actor.models.ts'
import { findCreator } from '../auth/authenticate.usecases.ts'
import type { KeyHolds, StorageName } from './key-holds.usecases.ts'
import type { Place } from './places.usecases.ts'
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
  readonly holds: KeyHolds
}

/** One item of it: from where, to where, and what a taken target means. */
export interface TransferStep {
  readonly source: Place
  readonly target: Place
  readonly conflict: Conflict
  /** Whether an earlier run began it: equal things at the target may be its own. */
  readonly isResumed: boolean
}

/**
 * Who a task works for, with the rights of now: a key that was revoked or narrowed since stops its tasks.
 * @throws {AppError} `auth.unauthorized`, `auth.forbidden`
 */
export async function requireTaskActor(ctx: AppContext, task: RunningTask): Promise<Actor> {
  const actor = await findCreator(ctx, task.owner)
  if (!actor) throw new AppError(authErrors.unauthorized)
  if (actor.kind === 'key' && !actor.canMount) throw new AppError(authErrors.forbidden)
  return actor
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

/** Counts a failed item, unless it failed because the task is to stop. */
export function noteFailure(
  { ctx, task }: Pick<TransferRun, 'ctx' | 'task'>,
  path: string,
  error: unknown,
): void {
  if (task.signal.aborted) return
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

/** The name that a file or folder at a place takes. */
export const nameAt = ({ config, rest }: Place): StorageName => ({ configId: config.id, key: rest })

/** What the keys in a folder start with; empty for the mount itself. */
export const prefixOf = (place: Place): string => (place.rest === '' ? '' : `${place.rest}/`)

/** The virtual path of a key in the mount of a place. */
export const pathOfKey = (place: Place, key: string): string => `${place.mount.mount_path}/${key}`
