import { fsErrors, webdavErrors } from '@dropleaf/contract'
import type { Needs, WriteNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { parentKeyOf } from '../../../lib/object-names.ts'
import { findFolder, makeWay } from '../../capabilities/fs/files/folders.usecases.ts'
import { type Entry, findEntryAt } from '../../capabilities/fs/files/reading.usecases.ts'
import { fileKeyOf, getPlace, type Place } from '../../capabilities/fs/places/places.usecases.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { findKnownName, knownFolders } from '../../foundation/object-index/folder-index.usecases.ts'

/**
 * Finds the place of a new file. Creates its parent folder if the folder exists only because a mount is below it.
 * @throws {AppError} the errors of `getPlace` and `makeWay`; `webdav.method_impossible` for a folder's URL
 */
export async function placeForFile(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  path: string,
): Promise<Place<'write'>> {
  const place = await getPlace(ctx, actor, path, 'write')
  const isFolder = place.isFolder || place.rest === '' || place.hasMountsBelow
  if (isFolder) throw new AppError(webdavErrors.method_impossible)
  await makeWay(ctx, actor, place)
  return place
}

/**
 * Finds the file that a write replaces. If the index is reliable for the folder, does not query the storage. A
 * condition of the request is always checked against the storage.
 * @throws {AppError} `webdav.method_impossible` for a folder; `fs.parent_missing` if the parent folder does not exist,
 *   because no folder is created implicitly
 */
export async function findReplaced(
  ctx: Needs<'clock' | 'db' | 'state'>,
  actor: Actor,
  { place, isConditional }: { place: Place<'write'>; isConditional: boolean },
): Promise<Extract<Entry, { kind: 'file' }> | null> {
  const key = fileKeyOf(place)
  const known = await findKnownName(ctx, place.config.id, key)
  const isFresh = (known?.listedAtMs ?? 0) > ctx.clock.nowMs() - place.mount.cache_ttl * 1000
  if (known && isFresh && !isConditional) {
    if (known.folder) throw new AppError(webdavErrors.method_impossible)
    return known.file && { kind: 'file', place, stat: { key, ...known.file } }
  }
  const entry = await findEntryAt(actor, place)
  if (entry?.kind === 'folder') throw new AppError(webdavErrors.method_impossible)
  if (!entry && !known) await requireParent(ctx, place)
  return entry
}

/**
 * Checks that the parent folder exists. Checks the index first, and then the storage. The index is fast when a client
 * uploads thousands of files into a folder.
 * @throws {AppError} `fs.parent_missing`
 */
export async function requireParent(
  ctx: Needs<'db' | 'state'>,
  { config, driver, rest }: Place,
): Promise<void> {
  const parent = parentKeyOf(rest) ?? ''
  if (parent === '') return
  const known = await knownFolders(ctx, config.id, [`${parent}/`])
  if (known.size === 0 && !(await findFolder(driver, parent))) throw new AppError(fsErrors.parent_missing)
}
