import { fsErrors } from '@dropleaf/contract'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Actor } from '../auth/actor.models.ts'
import { nameOf, numberedNames } from './names.models.ts'
import { getPlace, type Place } from './places.usecases.ts'
import { keyAt, prefixOf, type TransferStep } from './transfer-run.usecases.ts'
import type { Conflict } from './transfers.models.ts'
import { folderExists } from './walk.usecases.ts'

interface Asking {
  readonly ctx: AppContext
  readonly actor: Actor
  readonly signal?: AbortSignal
  readonly isMove: boolean
}

/** What is at a place. The mount itself is a folder. */
export async function findTaken(place: Place, signal?: AbortSignal): Promise<'file' | 'folder' | null> {
  if (await place.driver.stat(keyAt(place, { isFolder: false }), { signal })) return 'file'
  return (await folderExists(place.driver, prefixOf(place), signal)) ? 'folder' : null
}

/** @throws {AppError} `fs.into_itself`, `fs.not_operable` */
function requireApart({ isMove }: Asking, source: Place, target: Place): void {
  if (target.rest === '' || (isMove && source.rest === '')) throw new AppError(fsErrors.not_operable)
  if (source.config.id !== target.config.id) return
  const isSame = source.rest === target.rest
  const isInside = source.isFolder && prefixOf(target).startsWith(prefixOf(source)) && !isSame
  if (isInside || (isSame && isMove)) throw new AppError(fsErrors.into_itself)
}

interface Wish {
  readonly source: Place
  readonly wanted: Place
  readonly conflict: Conflict
  /** Whether `wanted` was decided by an earlier run. */
  readonly isResumed?: boolean
}

/**
 * Decides where an item goes, and what a taken name below it means.
 * @returns `null` when the item is to be skipped.
 * @throws {AppError} `fs.exists`, `fs.into_itself`, `fs.not_operable`
 */
export async function settleTarget(
  asking: Asking,
  { source, wanted, conflict, isResumed = false }: Wish,
): Promise<TransferStep | null> {
  requireApart(asking, source, wanted)
  if (isResumed || conflict === 'continue')
    return { source, target: wanted, conflict: conflict === 'rename' ? 'fail' : conflict, isResumed: true }
  const taken = await findTaken(wanted, asking.signal)
  const free = { source, conflict: 'fail' as const, isResumed }
  if (taken === null) return { ...free, target: wanted }
  const isSame = source.config.id === wanted.config.id && source.rest === wanted.rest
  const isAlike = taken === (source.isFolder ? 'folder' : 'file') && !isSame
  switch (conflict) {
    case 'fail':
      throw new AppError(fsErrors.exists)
    case 'rename':
      return { ...free, target: await findFree(asking, wanted, source.isFolder) }
    case 'skip':
      return source.isFolder && isAlike ? { source, target: wanted, conflict, isResumed } : null
    case 'overwrite':
      if (!isAlike) throw new AppError(fsErrors.exists)
      return { source, target: wanted, conflict, isResumed }
  }
}

async function findFree({ ctx, actor, signal }: Asking, wanted: Place, isFolder: boolean): Promise<Place> {
  const parent = wanted.path.slice(0, wanted.path.lastIndexOf('/') + 1)
  for (const name of numberedNames(nameOf(wanted.path), { isFolder })) {
    const place = await getPlace(ctx, actor, parent + name, 'write')
    if ((await findTaken(place, signal)) === null) return place
  }
  throw new AppError(fsErrors.exists)
}
