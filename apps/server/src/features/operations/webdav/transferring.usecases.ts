import { fsErrors, webdavErrors } from '@dropleaf/contract'
import type { Needs, WriteNeeds } from '../../../context.ts'
import { specOfCode } from '../../../errors/error-specs.ts'
import type { TaskFailure } from '../../../jobs/tasks.models.ts'
import type { TaskRow } from '../../../jobs/tasks.table.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isAtOrBelow } from '../../../lib/paths.ts'
import { isBelowKey, nameAt } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { copyOnServer } from '../../capabilities/fs/transfers/copying.usecases.ts'
import { makeFolder, makeWay } from '../../capabilities/fs/files/folders.usecases.ts'
import {
  failuresOf,
  moveItems,
  progressOf,
  requireDone,
} from '../../capabilities/fs/transfers/moving.usecases.ts'
import { getPlace, holdsHidden, type Place, prefixOf } from '../../capabilities/fs/places/places.usecases.ts'
import { requireNoMountIn } from '../../capabilities/fs/places/mounts-inside.usecases.ts'
import { removePaths } from '../../capabilities/fs/transfers/removing.usecases.ts'
import type {
  Conflict,
  ShownLocks,
  TransferredItem,
} from '../../capabilities/fs/transfers/transfers.models.ts'
import { walk } from '../../../storage/walk.ts'
import { requireCapacity } from '../../foundation/storage-usage/storage-usage.usecases.ts'
import { carryOwn } from '../../foundation/object-properties/properties.usecases.ts'
import { requireParent } from './put-target.usecases.ts'
import { findResource, isFolder, type Resource } from './resources.usecases.ts'

/** Failed members of an operation; empty if everything was done. */
export type Failures = readonly TaskFailure[]

/**
 * @throws {AppError} as `requireDone`, if the task was cancelled, or only the resource itself failed; the failure, if
 * nothing was done and all failures have the same code
 */
function failuresIn(row: TaskRow, path: string): Failures {
  if (row.state === 'completed') return []
  // Adds the path, because the failure of an interrupted task can lack a path.
  const failures = failuresOf(row).map((one) => (one.path === '' ? { ...one, path } : one))
  const [first] = failures
  const isOnlyItself = failures.length <= 1 && (first === undefined || first.path.replace(/\/$/, '') === path)
  if (isOnlyItself || row.state === 'cancelled') requireDone(row)
  const isNothingDone = progressOf(row).doneItems === 0
  if (first && isNothingDone && failures.every(({ code }) => code === first.code))
    throw new AppError(specOfCode(first.code), { params: first.params ?? {} })
  return failures
}

const withSlash = (place: Place, resource: Resource) => (isFolder(resource) ? `${place.path}/` : place.path)

interface Removal {
  readonly place: Place<'write'>
  readonly resource: Resource
  readonly locks: ShownLocks
  /** Owner of the lease on the resource's key, if there is one. */
  readonly holdsOwner?: string
  /** Whether the resource is being replaced. */
  readonly isReplaced?: boolean
}

/**
 * Deletes a resource.
 * @returns what was not deleted
 * @throws {AppError} as `removePaths`; the error of the task if nothing was deleted and all its errors are alike
 */
export async function removeResource(
  ctx: Needs<'tasks'>,
  actor: Actor,
  { place, resource, ...o }: Removal,
): Promise<Failures> {
  const row = await removePaths(ctx, actor, [withSlash(place, resource)], { isToEnd: true, ...o })
  // After a partial deletion, the response lists what was not deleted.
  // Source: RFC 4918, section 9.6.1, read 2026-11-23.
  const isPartly = row.error_code === null && progressOf(row).doneItems > 0
  return isPartly ? failuresOf(row) : failuresIn(row, place.path)
}

export interface Transfer {
  readonly isMove: boolean
  readonly source: {
    readonly place: Place
    readonly resource: Resource
    /** Expected etag of the file; `undefined` for any version. */
    readonly ifMatch?: string | undefined
  }
  readonly targetPath: string
  readonly mayReplace: boolean
  /**
   * Whether the request has conditions. If so, a target that did not exist when the conditions were checked is not
   * replaced.
   */
  readonly isConditional: boolean
  /** Whether a folder is copied with its contents. */
  readonly isDeep: boolean
}

export interface Target {
  readonly place: Place<'write'>
  /** The existing resource to replace; `null` if there is none. */
  readonly resource: Resource | null
}

/**
 * Finds and checks the target of a copy or move.
 * @throws {AppError} `webdav.same_place`, `fs.into_itself`, `fs.parent_missing`, `fs.not_operable`;
 * `webdav.condition_failed` if the target exists and `mayReplace` is false; the errors of `getPlace` and
 * `requirePossible`
 */
export async function resolveTarget(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  work: Transfer,
): Promise<Target> {
  const { source, targetPath, mayReplace, isDeep } = work
  const place = await getPlace(ctx, actor, targetPath.replace(/(?<=.)\/$/, ''), 'write')
  if (place.rest === '' || place.hasMountsBelow) throw new AppError(fsErrors.not_operable)
  const from = source.place
  const isSameStorage = from.config.id === place.config.id
  if (isSameStorage && from.rest === place.rest) throw new AppError(webdavErrors.same_place)
  const isInside = isAtOrBelow(place.path, from.path) || (isSameStorage && isBelowKey(place.rest, from.rest))
  if (isInside && isDeep && isFolder(source.resource)) throw new AppError(fsErrors.into_itself)
  await makeWay(ctx, actor, place)
  await requireParent(ctx, place)
  const resource = await findResource(ctx, actor, place.path)
  if (resource && !mayReplace) throw new AppError(webdavErrors.condition_failed)
  const isAround = isSameStorage && isBelowKey(from.rest, place.rest)
  if (resource && isAround) throw new AppError(fsErrors.into_itself)
  const target = { place, resource }
  await requirePossible(ctx, work, target)
  return target
}

/** Returns the size of a file, or of everything in a folder. */
async function sizeOf(place: Place, resource: Resource | null): Promise<number> {
  if (resource?.kind === 'file') return resource.stat.sizeBytes
  let sizeBytes = 0
  if (resource)
    for await (const { objects } of walk(place.driver, { prefix: prefixOf(place) }))
      for (const object of objects) sizeBytes += object.sizeBytes
  return sizeBytes
}

/**
 * Checks in advance for errors that the transfer would cause, so that the target is not deleted for a transfer that
 * cannot succeed.
 * @throws {AppError} `fs.holds_mount`, `file.storage_full`
 */
async function requirePossible(
  ctx: Needs<'clock' | 'db'>,
  { source, isMove, isDeep }: Transfer,
  target: Target,
) {
  const isTree = isFolder(source.resource)
  if (isTree && isDeep) await requireNoMountIn(ctx, source.place)
  const { config } = target.place
  const staysInStorage = isMove && source.place.config.id === config.id
  if (staysInStorage || config.total_storage_bytes === null || (isTree && !isDeep)) return
  const [sizeBytes, replacesBytes] = await Promise.all([
    sizeOf(source.place, source.resource),
    sizeOf(target.place, target.resource),
  ])
  await requireCapacity(ctx, { config, sizeBytes, replacesBytes })
}

export interface Outcome {
  readonly failures: Failures
  /** Whether an existing resource was replaced, even if it was created after the target was checked. */
  readonly hasReplaced: boolean
}

/**
 * Copies or moves a resource to a target, and replaces an existing resource. @throws {AppError} the errors of the
 * tasks, if nothing was done
 */
export async function transfer(
  ctx: WriteNeeds & Needs<'secrets' | 'tasks'>,
  actor: Actor,
  { work, target, tokens }: { work: Transfer; target: Target; tokens: ReadonlySet<string> },
): Promise<Outcome> {
  const locks = { tokens: [...tokens] }
  if (work.isDeep || !isFolder(work.source.resource)) return runTransfer(ctx, actor, { work, target, locks })
  return copyBareFolder(ctx, actor, { work, target, locks })
}

/** Maximum number of retries to create a folder while other requests create resources with its name. */
const TRIES = 8

/** @throws {AppError} the errors of `removePaths` and `makeFolder` */
async function copyBareFolder(
  ctx: WriteNeeds & Needs<'secrets' | 'tasks'>,
  actor: Actor,
  { work, target, locks }: { work: Transfer; target: Target; locks: ShownLocks },
): Promise<Outcome> {
  const { place } = target
  const mayReplace = work.mayReplace && !work.isConditional
  let hasReplaced = false
  for (let left = TRIES, { resource } = target; ; left -= 1) {
    if (resource) {
      const failures = await removeResource(ctx, actor, { place, resource, locks, isReplaced: true })
      if (failures.length > 0) return { failures, hasReplaced }
      hasReplaced = true
    }
    try {
      await makeFolder(ctx, actor, place.path)
      break
    } catch (error) {
      const isTaken = error instanceof AppError && error.spec.code === fsErrors.exists.code
      // If the folder was deleted except for hidden files of shares, it appears empty. The folder is then used as the
      // new folder.
      const isStaying = isTaken && hasReplaced && (await holdsHidden(ctx, place))
      if (isStaying) break
      if (!isTaken || !mayReplace || left === 0) throw error
      resource = await findResource(ctx, actor, place.path)
    }
  }
  await carryOwn(ctx, { from: nameAt(work.source.place), to: nameAt(place) })
  return { failures: [], hasReplaced }
}

async function runTransfer(
  ctx: Needs<'tasks'>,
  actor: Actor,
  { work, target, locks }: { work: Transfer; target: Target; locks: ShownLocks },
): Promise<Outcome> {
  const { source, isMove, mayReplace, isConditional } = work
  // A target that was created meanwhile is also replaced, unless the request has conditions.
  const conflict: Conflict = mayReplace && (target.resource || !isConditional) ? 'replace' : 'fail'
  const slash = isFolder(source.resource) ? '/' : ''
  const item = {
    source: `${source.place.path}${slash}`,
    target: `${target.place.path}${slash}`,
    ifMatch: source.ifMatch,
  }
  const request = {
    items: [item],
    conflict,
    intoFolder: true,
    locks,
    isToEnd: true,
  }
  const row = await (isMove ? moveItems(ctx, actor, request) : copyOnServer(ctx, actor, request))
  const failures = failuresIn(row, source.place.path)
  const items = (JSON.parse(row.result ?? '{}') as { items?: TransferredItem[] }).items ?? []
  return { failures, hasReplaced: items.some((done) => done.hasReplaced) }
}

/** Returns the status and code of a failure, for a multistatus. */
export const specOfFailure = (failure: TaskFailure) => specOfCode(failure.code)
