import type { Readable } from 'node:stream'
import { fsErrors } from '@dropleaf/contract'
import { isFolderKey, type ObjectStat } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import type { Language } from '../../../messages/index.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isAtOrBelow, pathBelow, type VirtualPath } from '../../../lib/paths.ts'
import { nameOf } from '../../../lib/object-names.ts'
import { walk } from '../../../storage/walk.ts'
import type { PathActor } from '../../foundation/identity/actor.models.ts'
import type { MountRow } from '../../foundation/mounts/mounts.table.ts'
import { findMountOf, visibleMounts } from '../../foundation/mounts/mounts.usecases.ts'
import { requireAccess } from '../fs/places/access.models.ts'
import { hiddenByInnerMounts } from '../fs/places/hidden-by-inner-mounts.usecases.ts'
import { getPlace, type Place, prefixOf } from '../fs/places/places.usecases.ts'
import { keyAt, pathOfKey } from '../fs/transfers/transfer-run.usecases.ts'
import { archiveName } from './archive.models.ts'
import {
  type ArchiveFault,
  type ArchiveMember,
  type ArchiveSource,
  streamArchive,
} from './archive-stream.usecases.ts'

export interface ArchiveRequest {
  readonly paths: readonly string[]
  readonly name: string | null
}

/**
 * Checks access to all paths, and for a single path also that there is something to archive.
 * @returns the file name of the archive
 * @throws {AppError} as `requireAccess` for any path; for a single path also `fs.no_mount`, `fs.not_found`, and as
 * `getPlace`
 */
export async function prepareArchive(
  ctx: PlaceNeeds,
  actor: PathActor,
  { paths, name }: ArchiveRequest,
): Promise<string> {
  for (const path of paths) requireAccess(actor, path, 'read')
  const [only] = paths
  if (paths.length === 1 && only !== undefined) {
    let hasFaults = false
    const members = membersAt(ctx, actor, { path: only, name: '', onFault: () => void (hasFaults = true) })
    const first = await members.next()
    await members.return(undefined)
    if (first.done && !hasFaults) throw new AppError(fsErrors.not_found)
  }
  return archiveName(name, paths)
}

/**
 * A path to walk. `below` is the folder of its members, relative to the selected path; empty for the selected path
 * itself.
 */
interface Root {
  readonly path: string
  readonly below: string
}

/** Returns the paths to walk for a selected path. As in the listing, a folder includes the mounts inside it. */
function rootsOf(
  actor: PathActor,
  { mounts, path }: { mounts: readonly MountRow[]; path: string },
): { readonly isFile: boolean; readonly roots: readonly Root[] } {
  const { path: virtual, isFolder } = requireAccess(actor, path, 'read')
  const around = findMountOf(mounts, virtual)
  const below = mounts
    .map((mount) => mount.mount_path as VirtualPath)
    .filter((mount) => mount !== virtual && isAtOrBelow(mount, virtual))
  if (!around && below.length === 0) throw new AppError(fsErrors.no_mount)
  // The path of a mount counts as a folder with or without a trailing slash, as in the listing.
  if (around !== undefined && !isFolder && around.mount_path !== virtual)
    return { isFile: true, roots: [{ path, below: '' }] }
  const inside = below.map((mount) => ({ path: `${mount}/`, below: pathBelow(mount, virtual) }))
  return { isFile: false, roots: around ? [{ path: `${virtual}/`, below: '' }, ...inside] : inside }
}

const memberAt = (place: Place, stat: ObjectStat, name: string): ArchiveMember => ({
  name,
  path: pathOfKey(place, stat.key),
  isFolder: isFolderKey(stat.key),
  sizeBytes: stat.sizeBytes,
  modifiedAtMs: stat.modifiedAtMs,
  read: async (signal) => (await place.driver.read(stat.key, { signal })).body,
})

export interface Selected {
  readonly path: string
  /**
   * Top-level name of the selected file or folder in the archive. If empty, the contents of a folder are at the top
   * level.
   */
  readonly name: string
  /** Called for each entry of a folder that cannot be archived. */
  readonly onFault: (fault: ArchiveFault) => void
}

export async function* membersAt(
  ctx: PlaceNeeds,
  actor: PathActor,
  { path, name: top, onFault }: Selected,
): AsyncGenerator<ArchiveMember> {
  const mounts = await visibleMounts(ctx, actor)
  const { isFile, roots } = rootsOf(actor, { mounts, path })
  for (const root of roots) {
    const place = await getPlace(ctx, actor, root.path, 'read')
    if (isFile) {
      const stat = await place.driver.stat(keyAt(place, { isFolder: false }))
      if (!stat) throw new AppError(fsErrors.not_found)
      yield memberAt(place, stat, top)
      continue
    }
    const start = [top, root.below].filter((part) => part !== '').map((part) => `${part}/`)
    const prefix = prefixOf(place)
    const isHidden = hiddenByInnerMounts(place, mounts)
    for await (const page of walk(place.driver, { prefix })) {
      for (const name of page.unnamed)
        if (!isHidden(name))
          onFault({ path: pathOfKey(place, name), error: new AppError(fsErrors.names_unusable) })
      for (const stat of page.objects)
        if (!isHidden(stat.key)) yield memberAt(place, stat, start.join('') + stat.key.slice(prefix.length))
    }
  }
}

/**
 * Returns the source for a selected path, with the name of its file or folder as the top-level name. A folder above
 * mounts has no top-level name.
 */
function sourceAt(ctx: PlaceNeeds, actor: PathActor, path: string): ArchiveSource {
  return {
    path,
    async *members(onFault) {
      const { path: virtual } = requireAccess(actor, path, 'read')
      const isInMount = findMountOf(await visibleMounts(ctx, actor), virtual) !== undefined
      yield* membersAt(ctx, actor, { path, name: isInMount ? nameOf(virtual) : '', onFault })
    },
  }
}

/** Streams selected files and folders as a zip archive, see {@link streamArchive}. */
export const openArchive = (
  ctx: PlaceNeeds & Needs<'log'>,
  actor: PathActor,
  { paths, language }: ArchiveRequest & { readonly language: Language },
): Promise<Readable> =>
  streamArchive(ctx, { sources: paths.map((path) => sourceAt(ctx, actor, path)), language })
