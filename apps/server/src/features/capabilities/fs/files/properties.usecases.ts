import { isFolderKey } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { isAtOrBelow, type VirtualPath } from '../../../../lib/paths.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { visibleMounts } from '../../../foundation/mounts/mounts.usecases.ts'
import { type FolderSums, indexedSums } from '../../../foundation/object-index/folder-sums.usecases.ts'
import { mayRead } from '../places/access.models.ts'
import { getPlace, type Place, prefixOf } from '../places/places.usecases.ts'
import { type Entry, getEntry } from './reading.usecases.ts'
import { walk } from '../../../../storage/walk.ts'

/** Time limit for counting in a storage that is not completely indexed, in milliseconds. */
const COUNT_MS = 3000

export interface Properties extends FolderSums {
  readonly entry: Entry
  /** Whether the totals are complete. Counting stops after a time limit. */
  readonly isComplete: boolean
}

/** Returns the number of new folders in a key, compared to the previous key in sorted order. */
function newFolders(key: string, before: string): number {
  let common = 0
  while (common < key.length && key[common] === before[common]) common += 1
  return key.slice(common).split('/').length - 1
}

type Counted = FolderSums & { readonly isComplete: boolean }

/** Counts the content of a folder by listing the storage, until the time limit. */
async function countLive(ctx: Needs<'log'>, { driver }: Place, prefix: string): Promise<Counted> {
  const signal = AbortSignal.timeout(COUNT_MS)
  let [files, folders, bytes, before] = [0, 0, 0, prefix]
  try {
    for await (const { objects } of walk(driver, { prefix, signal })) {
      for (const { key, sizeBytes } of objects) {
        if (key === prefix) continue
        folders += newFolders(key, before)
        before = key
        if (isFolderKey(key)) continue
        files += 1
        bytes += sizeBytes
      }
      if (signal.aborted) return { files, folders, bytes, isComplete: false }
    }
    return { files, folders, bytes, isComplete: true }
  } catch (error) {
    if (!signal.aborted) throw error
    ctx.log.debug({ prefix }, 'a folder was too large to be counted in time')
    return { files, folders, bytes, isComplete: false }
  }
}

async function countFolder(ctx: Needs<'db' | 'log'>, place: Place): Promise<Counted> {
  const folder = prefixOf(place)
  const known = await indexedSums(ctx, { configId: place.config.id, folder })
  return known ? { ...known, isComplete: true } : countLive(ctx, place, folder)
}

const NOTHING: Counted = { files: 0, folders: 0, bytes: 0, isComplete: true }

/** Returns the totals of all readable mounts below a path. Each mount also counts as a folder. */
async function countMounts(
  ctx: PlaceNeeds & Needs<'log'>,
  actor: Actor,
  path: VirtualPath,
): Promise<Counted> {
  const mounts = (await visibleMounts(ctx, actor)).map((mount) => mount.mount_path as VirtualPath)
  const below = mounts.filter((mount) => isAtOrBelow(mount, path) && mayRead(actor, mount))
  let sum = NOTHING
  for (const mount of below) {
    const one = await countFolder(ctx, await getPlace(ctx, actor, `${mount}/`, 'read'))
    sum = {
      files: sum.files + one.files,
      folders: sum.folders + one.folders + 1,
      bytes: sum.bytes + one.bytes,
      isComplete: sum.isComplete && one.isComplete,
    }
  }
  return sum
}

/**
 * Returns the properties of a path, with totals of everything below it. Above an API key's base path, the totals of a
 * mount's folder are 0.
 * @throws {AppError} as `getEntry`
 */
export async function readProperties(
  ctx: PlaceNeeds & Needs<'log'>,
  actor: Actor,
  path: string,
): Promise<Properties> {
  const entry = await getEntry(ctx, actor, path)
  if (entry.kind === 'virtual') return { entry, ...(await countMounts(ctx, actor, entry.path)) }
  if (entry.kind === 'file')
    return { entry, files: 1, folders: 0, bytes: entry.stat.sizeBytes, isComplete: true }
  const counted = mayRead(actor, entry.place.path) ? await countFolder(ctx, entry.place) : NOTHING
  return { entry, ...counted }
}
