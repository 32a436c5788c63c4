import { bundleErrors, type ErrorSpec, fsErrors, type ManifestInput } from '@dropleaf/contract'
import type { PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { eachOf } from '../../../lib/concurrency.ts'
import { inferMimeType } from '../../../lib/mime.ts'
import { nameOf } from '../../../lib/object-names.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import type { FileRow } from '../files/files.table.ts'
import { findEntryAt, getFile } from '../fs/files/reading.usecases.ts'
import { getPlace } from '../fs/places/places.usecases.ts'
import type { FolderItem, ObjectItem, ReferenceItem, StoredItem } from './manifest.models.ts'

const LOOKS_AT_ONCE = 8

/** Errors of the file system that mean that the path has no file or folder that can be shared. */
const GONE = new Set([
  fsErrors.not_found,
  fsErrors.not_a_file,
  fsErrors.no_mount,
  fsErrors.not_operable,
  fsErrors.path_invalid,
])

/** An item to publish. `pinnedTo` is the etag if an earlier revision pinned this reference. */
export type NewItem = ManifestInput['items'][number] & { readonly pinnedTo?: string | undefined }

const itemError = (spec: ErrorSpec, index: number, path: string, cause?: unknown) =>
  new AppError(spec, { details: [{ path: `body.manifest.items.${index}`, message: path }], cause })

async function findReference(
  ctx: PlaceNeeds,
  actor: Actor,
  {
    path,
    ref,
    pinnedTo,
  }: { path: string; ref: { path: string; mode: 'follow' | 'pin' }; pinnedTo?: string | undefined },
): Promise<ReferenceItem> {
  const { place, key, stat } = await getFile(ctx, actor, ref.path)
  if (pinnedTo !== undefined && stat.etag !== pinnedTo) throw new AppError(fsErrors.not_found)
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
  actor: Actor,
  { path, folder }: { path: string; folder: { path: string } },
): Promise<FolderItem> {
  const place = await getPlace(ctx, actor, folder.path, 'read')
  const entry = await findEntryAt(actor, place)
  if (entry?.kind !== 'folder') throw new AppError(fsErrors.not_found)
  return { path, source: { folder: { path: place.path } } }
}

const objectItem = (path: string, row: FileRow): ObjectItem => ({
  path,
  size: row.size_bytes,
  mimetype: row.mimetype,
  modifiedAtMs: row.committed_at_ms,
  source: { object: row.object_number ?? 0 },
})

/**
 * Resolves the items of a manifest with the current permissions of the caller.
 * @param objects the complete objects of the bundle, by number
 * @throws {AppError} `bundle.object_missing`, `bundle.item_gone`, `auth.path_forbidden`
 */
export async function resolveItems(
  ctx: PlaceNeeds,
  actor: Actor,
  { items, objects }: { items: readonly NewItem[]; objects: ReadonlyMap<number, FileRow> },
): Promise<StoredItem[]> {
  const resolved: StoredItem[] = []
  await eachOf(items.entries(), LOOKS_AT_ONCE, async ([index, { path, source, pinnedTo }]) => {
    try {
      if ('object' in source) {
        const row = objects.get(source.object)
        if (!row) throw itemError(bundleErrors.object_missing, index, String(source.object))
        resolved[index] = objectItem(path, row)
      } else if ('ref' in source)
        resolved[index] = await findReference(ctx, actor, { path, ref: source.ref, pinnedTo })
      else resolved[index] = await findLiveFolder(ctx, actor, { path, folder: source.folder })
    } catch (error) {
      const isGone = error instanceof AppError && (GONE as ReadonlySet<unknown>).has(error.spec)
      throw isGone ? itemError(bundleErrors.item_gone, index, path, error) : error
    }
  })
  return resolved
}
