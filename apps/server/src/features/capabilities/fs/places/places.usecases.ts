import { fsErrors } from '@dropleaf/contract'
import { parseFolderKey, parseStorageKey, type StorageDriver, type StorageKey } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { isAtOrBelow, pathBelow, type VirtualPath } from '../../../../lib/paths.ts'
import type { PathActor } from '../../../foundation/identity/actor.models.ts'
import { shareObjectsAmong } from '../../../foundation/share-objects/share-objects.usecases.ts'
import type { MountRow } from '../../../foundation/mounts/mounts.table.ts'
import { findMountOf, touchMountSoon, visibleMounts } from '../../../foundation/mounts/mounts.usecases.ts'
import type { StorageConfigRow } from '../../../foundation/storage-configs/storage-configs.table.ts'
import { readSettings } from '../../../foundation/settings/settings.usecases.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { asStored } from './name-forms.usecases.ts'
import { type GrantedPath, type Intent, requireAccess } from './access.models.ts'
import { hidesBelow, withoutShareObjects } from './without-share-objects.ts'

/** The location of a virtual path: its mount, and the path below the mount. */
export interface Place<Purpose extends Intent = Intent> {
  readonly grant: GrantedPath<Purpose>
  readonly path: VirtualPath
  readonly isFolder: boolean
  readonly mount: MountRow
  readonly config: StorageConfigRow
  /** Driver that hides the objects of shares unless `showsShareObjects` is true. */
  readonly driver: StorageDriver
  /** True only if the caller is the administrator, and a setting makes objects of shares visible. */
  readonly showsShareObjects: boolean
  /** Path below the mount, without leading and trailing slashes; empty for the mount itself. */
  readonly rest: string
  /** Whether mounts are below this place. If so, the place is a folder even if no storage contains the folder. */
  readonly hasMountsBelow: boolean
}

/**
 * Resolves a user's path for a purpose. Returns `undefined` if no visible mount contains the path.
 * @throws {AppError} as {@link requireAccess}; `fs.not_found` (reading) or `fs.path_reserved` (writing) for an object
 * of a share, unless such objects are shown
 */
export async function findPlace<const Purpose extends Intent>(
  ctx: PlaceNeeds,
  actor: PathActor,
  text: string,
  purpose: Purpose,
): Promise<Place<Purpose> | undefined> {
  const grant = requireAccess(actor, text, purpose)
  const mounts = await visibleMounts(ctx, actor)
  const mount = findMountOf(mounts, grant.path)
  if (!mount) return undefined
  const hasMountsBelow = mounts.some(
    ({ id, mount_path }) => id !== mount.id && isAtOrBelow(mount_path as VirtualPath, grant.path),
  )
  return openPlace(ctx, { actor, mount, grant, hasMountsBelow, purpose })
}

interface PlaceToOpen<Purpose extends Intent> {
  readonly actor: PathActor
  readonly mount: MountRow
  readonly grant: GrantedPath<Purpose>
  readonly hasMountsBelow: boolean
  readonly purpose: Purpose
}

async function openPlace<Purpose extends Intent>(
  ctx: PlaceNeeds,
  { actor, mount, grant, hasMountsBelow, purpose }: PlaceToOpen<Purpose>,
): Promise<Place<Purpose>> {
  const config = await getConfig(ctx, mount.storage_config_id ?? '')
  const whole = await driverOf(ctx, config)
  const showsShareObjects = actor.kind === 'admin' && (await readSettings(ctx)).showsShareFiles
  const driver = showsShareObjects ? whole : withoutShareObjects(ctx, config.id, whole)
  const rest = await asStored(driver, pathBelow(grant.path, mount.mount_path as VirtualPath))
  const isWrite = purpose === 'write'
  if (!showsShareObjects && (await isShareObject(ctx, { configId: config.id, rest, isWrite })))
    throw new AppError(isWrite ? fsErrors.path_reserved : fsErrors.not_found)
  touchMountSoon(ctx, mount)
  return {
    grant,
    path: grant.path,
    isFolder: grant.isFolder,
    mount,
    config,
    driver,
    showsShareObjects,
    rest,
    hasMountsBelow,
  }
}

/** Returns the key prefix of a folder's content; empty for the mount itself. */
export const prefixOf = (place: Pick<Place, 'rest'>): string => (place.rest === '' ? '' : `${place.rest}/`)

/** Returns whether a folder has hidden objects, see {@link hidesBelow}. */
export async function holdsHidden(
  ctx: Needs<'db' | 'secrets' | 'storage'>,
  place: Place,
  signal?: AbortSignal,
): Promise<boolean> {
  if (place.showsShareObjects) return false
  const driver = await driverOf(ctx, place.config)
  return hidesBelow(ctx, { configId: place.config.id, driver }, prefixOf(place), signal)
}

const isShareObject = async (
  ctx: Needs<'db' | 'secrets'>,
  { configId, rest, isWrite }: { configId: string; rest: string; isWrite: boolean },
): Promise<boolean> =>
  rest !== '' && (await shareObjectsAmong(ctx, { db: ctx.db, configId }, [rest], { isWrite })).size > 0

/**
 * Like {@link findPlace}, for a path that must be in a mount.
 * @throws {AppError} as {@link findPlace}; `fs.no_mount`; `fs.not_operable` for `/`
 */
export async function getPlace<const Purpose extends Intent>(
  ctx: PlaceNeeds,
  actor: PathActor,
  text: string,
  purpose: Purpose,
): Promise<Place<Purpose>> {
  const place = await findPlace(ctx, actor, text, purpose)
  if (place) return place
  throw new AppError(
    requireAccess(actor, text, purpose).path === '/' ? fsErrors.not_operable : fsErrors.no_mount,
  )
}

/**
 * Returns the key of the file at a place.
 * @throws {AppError} `fs.not_a_file` for a folder or the mount itself; `fs.path_invalid` for a key that no storage can
 * have
 */
export function fileKeyOf(place: Place): StorageKey {
  if (place.isFolder || place.rest === '') throw new AppError(fsErrors.not_a_file)
  return parsed(() => parseStorageKey(place.rest))
}

/**
 * Returns the key of the marker of a folder below its mount.
 * @throws {AppError} `fs.path_invalid`
 */
export function folderKeyOf(place: Place): StorageKey {
  return parsed(() => parseFolderKey(`${place.rest}/`))
}

function parsed(parse: () => StorageKey): StorageKey {
  try {
    return parse()
  } catch (cause) {
    throw new AppError(fsErrors.path_invalid, { cause })
  }
}
