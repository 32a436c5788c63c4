import { Readable } from 'node:stream'
import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, removeAll, type StorageDriver } from '@dropleaf/storage'
import type { IndexNeeds, Needs, WriteNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { isAtOrBelow, type VirtualPath } from '../../../../lib/paths.ts'
import { parentOf } from '../../../../lib/object-names.ts'
import type { Actor, PathActor } from '../../../foundation/identity/actor.models.ts'
import { visibleMounts } from '../../../foundation/mounts/mounts.usecases.ts'
import { indexPosition, noteMade } from '../../../foundation/object-index/folder-index.usecases.ts'
import { noteChange } from '../../../foundation/object-index/storage-changes.usecases.ts'
import { isGoneAbove } from './folder-above.usecases.ts'
import { inFsTerms } from '../fs-terms.models.ts'
import { fileKeyOf, folderKeyOf, getPlace, type Place } from '../places/places.usecases.ts'
import { pathOfKey } from '../transfers/transfer-run.usecases.ts'
import { folderExists } from '../../../../storage/walk.ts'

/** An existing folder: it has a marker or contains an object. */
export interface FoundFolder {
  /**
   * Modification time of the folder's marker or of an object in the folder; `null` if no path can address any of the
   * objects.
   */
  readonly modifiedAtMs: number | null
}

/** @param rest path of the folder below the mount, not empty, without leading and trailing slashes. */
export const findFolder = (driver: StorageDriver, rest: string): Promise<FoundFolder | null> =>
  driver.statFolder(parseFolderKey(`${rest}/`))

/**
 * Returns whether a path is the root or a mount, or has mounts below it. Such a path is a folder even if no storage
 * contains the folder.
 */
export async function isAboveMounts(ctx: Needs<'db'>, actor: PathActor, path: VirtualPath): Promise<boolean> {
  const mounts = await visibleMounts(ctx, actor)
  return path === '/' || mounts.some((mount) => isAtOrBelow(mount.mount_path as VirtualPath, path))
}

/**
 * Creates the parent folder of a new object if the folder exists only because a mount is below it.
 * @throws {AppError} `fs.path_invalid`
 */
export async function makeWay(
  ctx: IndexNeeds & Needs<'db' | 'secrets'>,
  actor: Actor,
  place: Place<'write'>,
): Promise<void> {
  const { config, driver, mount } = place
  const prefix = parentOf(place.rest)
  if (prefix === '') return
  const path = pathOfKey(place, prefix.slice(0, -1)) as VirtualPath
  const mounts = await visibleMounts(ctx, actor)
  const isWay = mounts.some(
    ({ id, mount_path }) => id !== mount.id && isAtOrBelow(mount_path as VirtualPath, path),
  )
  if (!isWay) return
  const rest = prefix.slice(0, -1)
  const marker = folderKeyOf({ ...place, rest })
  const [file, folder] = await inFsTerms(() =>
    Promise.all([driver.stat(fileKeyOf({ ...place, rest, isFolder: false })), findFolder(driver, rest)]),
  )
  if (file || folder) return
  const stat = await inFsTerms(() => driver.write(marker, Readable.from([]), { sizeBytes: 0 }))
  await noteChange(ctx, { configId: config.id, written: [stat] })
}

/**
 * Creates a folder in an existing folder.
 * @throws {AppError} as `getPlace` does; `fs.read_only`, `fs.exists`, `fs.parent_missing`, `fs.path_invalid`
 */
export async function makeFolder(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  path: string,
): Promise<void> {
  const place = await getPlace(ctx, actor, path, 'write')
  const { driver, rest } = place
  if (await isAboveMounts(ctx, actor, place.path)) throw new AppError(fsErrors.exists)
  await makeWay(ctx, actor, place)
  const marker = folderKeyOf(place)
  const fileKey = fileKeyOf({ ...place, isFolder: false })
  const configId = place.config.id
  const [since, listedAtMs] = [await indexPosition(ctx, configId), ctx.clock.nowMs()]
  const [file, folder, above] = await inFsTerms(() =>
    Promise.all([driver.stat(fileKey), findFolder(driver, rest), folderExists(driver, parentOf(rest))]),
  )
  if (file || folder) throw new AppError(fsErrors.exists)
  if (!above) throw new AppError(fsErrors.parent_missing)
  const prefix = parentOf(marker)
  const stat = await inFsTerms(() =>
    driver.write(marker, Readable.from([]), { sizeBytes: 0, ifAbsent: true, intoFolder: prefix }),
  )
  if (await isGoneAbove(driver, { prefix, key: rest })) {
    await removeAll(driver, [marker])
    throw new AppError(fsErrors.parent_missing)
  }
  await noteChange(ctx, { configId, written: [stat] })
  await noteMade(ctx, configId, { key: marker, listedAtMs, since })
}
