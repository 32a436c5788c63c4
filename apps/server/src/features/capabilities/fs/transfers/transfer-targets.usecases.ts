import { fsErrors, numberedNames } from '@dropleaf/contract'
import type { PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { nameAt, nameOf } from '../../../../lib/object-names.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import type { KeyLeases } from '../leases/key-leases.usecases.ts'
import { getPlace, type Place, prefixOf } from '../places/places.usecases.ts'
import { keyAt, type TransferStep } from './transfer-run.usecases.ts'
import type { Conflict } from './transfers.models.ts'
import { folderExists } from '../../../../storage/walk.ts'

interface Asking {
  readonly ctx: PlaceNeeds
  readonly actor: Actor
  readonly signal?: AbortSignal
  readonly isMove: boolean
  /** Leases of the operation; `null` if the client does the work, because the server then needs no leases. */
  readonly holds: KeyLeases | null
}

/** Returns the kind of the entry at a place, or `null`. @throws {AppError} `fs.not_operable` for the mount itself */
export async function findTaken(place: Place, signal?: AbortSignal): Promise<'file' | 'folder' | null> {
  if (await place.driver.stat(keyAt(place, { isFolder: false }), { signal })) return 'file'
  return (await folderExists(place.driver, prefixOf(place), signal)) ? 'folder' : null
}

/** @throws {AppError} `fs.into_itself`, `fs.not_operable`; `fs.exists` for a move onto itself */
function requireApart({ isMove }: Asking, source: Place, target: Place): void {
  if (target.rest === '' || (isMove && source.rest === '')) throw new AppError(fsErrors.not_operable)
  if (source.config.id !== target.config.id) return
  const isSame = source.rest === target.rest
  if (isSame && isMove) throw new AppError(fsErrors.exists)
  const isInside = source.isFolder && prefixOf(target).startsWith(prefixOf(source)) && !isSame
  if (isInside) throw new AppError(fsErrors.into_itself)
}

interface TargetRequest {
  readonly source: Place
  readonly wanted: Place
  readonly conflict: Conflict
  /** Whether an earlier run chose `wanted`. */
  readonly isResumed?: boolean
}

/**
 * Leases the target key of an item before the target is checked, so that the check stays valid. A move also leases its
 * source. Waits for the leases, but not for the lease of a target that can get a numbered name instead.
 * @returns whether the wanted key was leased.
 */
async function holdNames(
  { holds, isMove, signal }: Asking,
  { source, wanted, conflict, isResumed }: TargetRequest,
): Promise<boolean> {
  if (!holds) return true
  const from = isMove ? [nameAt(source)] : []
  const canBeNumbered = conflict === 'rename' && !isResumed
  await holds.takeInTurn(canBeNumbered ? from : [...from, nameAt(wanted)], signal)
  return canBeNumbered ? holds.take([nameAt(wanted)]) : true
}

/**
 * Chooses the target of an item, leases its keys, and decides how conflicts below the target are handled.
 * @returns `null` if the item is skipped.
 * @throws {AppError} `fs.exists`, `fs.into_itself`, `fs.not_operable`
 */
export async function settleTarget(
  asking: Asking,
  { source, wanted, conflict, isResumed = false }: TargetRequest,
): Promise<TransferStep | null> {
  requireApart(asking, source, wanted)
  const isHeld = await holdNames(asking, { source, wanted, conflict, isResumed })
  if (isResumed || conflict === 'continue') {
    // An interrupted run replaces a file atomically, so the old file may still exist.
    const isFile =
      conflict === 'replace' && !source.isFolder && (await findTaken(wanted, asking.signal)) === 'file'
    const now = isFile ? 'overwrite' : conflict === 'rename' ? 'fail' : conflict
    return { source, target: wanted, conflict: now, isResumed: true }
  }
  const free = { source, conflict: 'fail' as const, isResumed }
  if (!isHeld) return { ...free, target: await findFree(asking, wanted, source.isFolder) }
  const taken = await findTaken(wanted, asking.signal)
  if (taken === null) return { ...free, target: wanted }
  const isSame = source.config.id === wanted.config.id && source.rest === wanted.rest
  const isAlike = taken === (source.isFolder ? 'folder' : 'file') && !isSame
  switch (conflict) {
    case 'fail':
      throw new AppError(fsErrors.exists)
    case 'rename':
      await asking.holds?.release(nameAt(wanted))
      return { ...free, target: await findFree(asking, wanted, source.isFolder) }
    case 'skip':
      return source.isFolder && isAlike ? { source, target: wanted, conflict, isResumed } : null
    case 'replace':
      if (source.config.id === wanted.config.id && source.rest.startsWith(prefixOf(wanted)))
        throw new AppError(fsErrors.into_itself)
      // A file replaces a file atomically; any other target is deleted first.
      return isAlike && taken === 'file'
        ? { source, target: wanted, conflict: 'overwrite', isResumed }
        : { ...free, target: wanted, replaces: taken }
    case 'overwrite':
      if (!isAlike) throw new AppError(fsErrors.exists)
      return { source, target: wanted, conflict, isResumed }
  }
}

/** Finds a free name derived from a taken name. Leased keys count as taken. */
async function findFree(
  { ctx, actor, signal, holds }: Asking,
  wanted: Place,
  isFolder: boolean,
): Promise<Place> {
  const parent = wanted.path.slice(0, wanted.path.lastIndexOf('/') + 1)
  for (const name of numberedNames(nameOf(wanted.path), { isFolder })) {
    const place = await getPlace(ctx, actor, parent + name, 'write')
    if (holds && !(await holds.take([nameAt(place)]))) continue
    if ((await findTaken(place, signal)) === null) return place
    await holds?.release(nameAt(place))
  }
  throw new AppError(fsErrors.exists)
}
