import {
  authErrors,
  bundleErrors,
  fsErrors,
  type ManifestInput,
  type ReferenceMode,
} from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { eachOf } from '../../../lib/concurrency.ts'
import { inferMimeType } from '../../../lib/mime.ts'
import { nameOf } from '../../../lib/object-names.ts'
import { parseVirtualPath } from '../../../lib/paths.ts'
import {
  type Actor,
  creatorOf,
  opens,
  type PathActor,
  type ReaderActor,
} from '../../foundation/identity/actor.models.ts'
import { findCreator } from '../../foundation/identity/authenticate.usecases.ts'
import type { FileRow } from '../files/files.table.ts'
import { findEntryAt, getFile } from '../fs/files/reading.usecases.ts'
import { mayRead, requireAccess } from '../fs/places/access.models.ts'
import { getPlace } from '../fs/places/places.usecases.ts'
import type { BundleRow } from './bundles.table.ts'
import {
  type FolderItem,
  isFolderItem,
  isObjectItem,
  isReferenceItem,
  type ObjectItem,
  type ReferenceItem,
  type StoredItem,
  type StoredManifest,
} from './manifest.models.ts'

const LOOKS_AT_ONCE = 8

/** File system errors for a path without a file or folder that can be shared. */
const GONE = new Set([
  fsErrors.not_found,
  fsErrors.not_a_file,
  fsErrors.no_mount,
  fsErrors.not_operable,
  fsErrors.path_invalid,
])

type MountSource = Exclude<ManifestInput['items'][number]['source'], { object: number }>

const pathOf = (source: MountSource): string => ('ref' in source ? source.ref.path : source.folder.path)

const itemDetails = (index: number, message: string) => [{ path: `body.manifest.items.${index}`, message }]

/**
 * The caller who publishes items, and the owner of the bundle. The owner is `null` if the administrator or the API key
 * no longer exists.
 */
export interface Publisher {
  readonly actor: Actor
  readonly owner: Actor | null
  readonly bundleId: string
}

/** Returns the owner of a bundle with the owner's current permissions; `null` if the owner no longer exists. */
export async function ownerOf(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  { created_by }: Pick<BundleRow, 'created_by'>,
): Promise<Actor | null> {
  if (created_by === creatorOf(actor)) return actor
  return created_by === null ? null : findCreator(ctx, created_by)
}

/**
 * Returns the reader of a path of a mount, who has the rights of the bundle's owner.
 * @throws {AppError} `auth.path_forbidden` if the caller or the owner may not share the path; `fs.path_invalid`
 */
function requireReader({ actor, owner, bundleId }: Publisher, text: string): ReaderActor {
  const { path } = requireAccess(actor, text, 'read')
  if (!owner || !opens(owner, 'mount') || !opens(owner, 'file') || !mayRead(owner, path))
    throw new AppError(authErrors.path_forbidden)
  return { kind: 'reader', id: bundleId, basicPath: path, owner }
}

async function findReference(
  ctx: PlaceNeeds,
  actor: PathActor,
  { path, ref }: { path: string; ref: { path: string; mode: ReferenceMode } },
): Promise<ReferenceItem> {
  const { place, key, stat } = await getFile(ctx, actor, ref.path)
  return {
    path,
    size: stat.sizeBytes,
    mimetype: inferMimeType(nameOf(key)),
    modifiedAtMs: stat.modifiedAtMs,
    source: { ref: { path: place.path, mode: ref.mode, etag: stat.etag } },
  }
}

async function findLiveFolder(
  ctx: PlaceNeeds,
  actor: PathActor,
  { path, folder }: { path: string; folder: { path: string } },
): Promise<FolderItem> {
  const place = await getPlace(ctx, actor, folder.path, 'read')
  const entry = await findEntryAt(actor, place)
  if (entry?.kind !== 'folder') throw new AppError(fsErrors.not_found)
  return { path, source: { folder: { path: place.path } } }
}

const isGone = (error: unknown): boolean =>
  error instanceof AppError && (GONE as ReadonlySet<unknown>).has(error.spec)

/** Looks up an item of a mount with the permissions that readers of the bundle will have. */
async function findInMount(
  ctx: PlaceNeeds,
  publisher: Publisher,
  { path, source }: { path: string; source: MountSource },
): Promise<StoredItem> {
  const find = (actor: PathActor) =>
    'ref' in source
      ? findReference(ctx, actor, { path, ref: source.ref })
      : findLiveFolder(ctx, actor, { path, folder: source.folder })
  const reader = requireReader(publisher, pathOf(source))
  try {
    return await find(reader)
  } catch (error) {
    if (!isGone(error) || publisher.actor === publisher.owner) throw error
    await find(publisher.actor)
    // The caller can read the item, but the owner of the bundle cannot.
    throw new AppError(authErrors.path_forbidden, { cause: error })
  }
}

const objectItem = (path: string, row: FileRow): ObjectItem => ({
  path,
  size: row.size_bytes,
  mimetype: row.mimetype,
  modifiedAtMs: row.committed_at_ms,
  source: { object: row.object_number ?? 0 },
})

/**
 * Whether the edited revision has the same item of a mount. An unchanged item is neither looked up nor pinned again.
 */
function isUnchanged(source: MountSource, before: StoredItem | undefined): before is StoredItem {
  if (!before || isObjectItem(before)) return false
  if ('folder' in source)
    return isFolderItem(before) && before.source.folder.path === parseVirtualPath(source.folder.path)
  if (!isReferenceItem(before) || source.ref.renew === true) return false
  const { path, mode } = before.source.ref
  return mode === source.ref.mode && path === parseVirtualPath(source.ref.path)
}

export interface ItemsToResolve {
  readonly items: ManifestInput['items']
  /** The complete objects of the bundle, keyed by number. */
  readonly objects: ReadonlyMap<number, FileRow>
  /** The revision that was edited. */
  readonly base: StoredManifest | null
}

/**
 * Resolves the items of a manifest, with the current permissions of the caller and of the bundle's owner. If the edited
 * revision has the same item of a mount, that item is copied unchanged.
 * @throws {AppError} `bundle.object_missing`, `bundle.item_gone`, `auth.path_forbidden`
 */
export async function resolveItems(
  ctx: PlaceNeeds,
  publisher: Publisher,
  { items, objects, base }: ItemsToResolve,
): Promise<StoredItem[]> {
  const before = new Map(base?.items.map((item) => [item.path, item]))
  const resolved: StoredItem[] = []
  await eachOf(items.entries(), LOOKS_AT_ONCE, async ([index, { path, source }]) => {
    if ('object' in source) {
      const row = objects.get(source.object)
      if (!row)
        throw new AppError(bundleErrors.object_missing, {
          details: itemDetails(index, String(source.object)),
        })
      resolved[index] = objectItem(path, row)
      return
    }
    try {
      const known = before.get(path)
      if (isUnchanged(source, known)) {
        requireReader(publisher, pathOf(source))
        resolved[index] = known
      } else resolved[index] = await findInMount(ctx, publisher, { path, source })
    } catch (error) {
      const isForbidden = error instanceof AppError && error.spec === authErrors.path_forbidden
      if (!isForbidden && !isGone(error)) throw error
      const spec = isForbidden ? authErrors.path_forbidden : bundleErrors.item_gone
      throw new AppError(spec, { details: itemDetails(index, path), cause: error })
    }
  })
  return resolved
}
