import { fsErrors } from '@dropleaf/contract'
import type { ObjectStat, StorageKey } from '@dropleaf/storage'
import type { Needs, PlaceNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import type { VirtualPath } from '../../../../lib/paths.ts'
import type { Actor, PathActor } from '../../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../../foundation/link-issuers/link-issuers.usecases.ts'
import { mayRead, requireAccess } from '../places/access.models.ts'
import { findFolder, isAboveMounts } from './folders.usecases.ts'
import { inFsTerms } from '../fs-terms.models.ts'
import { signLink } from './links.usecases.ts'
import { fileKeyOf, findPlace, folderKeyOf, getPlace, type Place } from '../places/places.usecases.ts'

export type Entry =
  | { readonly kind: 'file'; readonly place: Place; readonly stat: ObjectStat }
  | { readonly kind: 'folder'; readonly place: Place; readonly modifiedAtMs: number | null }
  /** A folder above mounts. Such a folder is in no storage. */
  | { readonly kind: 'virtual'; readonly path: VirtualPath }

/**
 * Finds the entry at a place.
 * @throws {AppError} `fs.path_invalid`
 */
export const findEntryAt = (
  actor: PathActor,
  place: Place,
): Promise<Exclude<Entry, { kind: 'virtual' }> | null> => inFsTerms(() => findEntry(actor, place))

async function findEntry(
  actor: PathActor,
  place: Place,
): Promise<Exclude<Entry, { kind: 'virtual' }> | null> {
  const { driver, rest } = place
  if (rest === '') return { kind: 'folder', place, modifiedAtMs: place.mount.updated_at_ms }
  folderKeyOf(place)
  // Above an API key's base path, only the existence of the folder is disclosed.
  if (!mayRead(actor, place.path)) return { kind: 'folder', place, modifiedAtMs: null }
  const stat = place.isFolder ? null : await driver.stat(fileKeyOf(place))
  if (stat) return { kind: 'file', place, stat }
  const folder = await findFolder(driver, rest)
  return folder && { kind: 'folder', place, modifiedAtMs: folder.modifiedAtMs }
}

/**
 * Returns the entry at a path: a file, a folder with or without a trailing slash, or a folder above mounts.
 * @throws {AppError} `fs.path_invalid`, `auth.path_forbidden`, `fs.not_found`
 */
export async function getEntry(ctx: PlaceNeeds, actor: PathActor, text: string): Promise<Entry> {
  const place = await findPlace(ctx, actor, text, 'navigate')
  const entry = place ? await findEntryAt(actor, place) : null
  if (entry) return entry
  if (place?.hasMountsBelow === false) throw new AppError(fsErrors.not_found)
  const { path } = requireAccess(actor, text, 'navigate')
  if (await isAboveMounts(ctx, actor, path)) return { kind: 'virtual', path }
  throw new AppError(fsErrors.not_found)
}

export interface FoundFile {
  readonly place: Place<'read'>
  readonly key: StorageKey
  readonly stat: ObjectStat
}

/**
 * Returns a file for reading.
 * @throws {AppError} as `getPlace` does; `fs.not_found`, `fs.not_a_file`
 */
export async function getFile(ctx: PlaceNeeds, actor: PathActor, text: string): Promise<FoundFile> {
  const place = await getPlace(ctx, actor, text, 'read')
  const key = fileKeyOf(place)
  const stat = await inFsTerms(() => place.driver.stat(key))
  if (stat) return { place, key, stat }
  throw new AppError((await findFolder(place.driver, place.rest)) ? fsErrors.not_a_file : fsErrors.not_found)
}

/** Fraction of a signed URL's lifetime during which it is reused. */
const CACHED_SHARE_OF_LIFE = 0.9

/** Returns two signed URLs of a file, for preview and download, with the default lifetime of its storage. */
export async function signedPair(
  ctx: Needs<'caches' | 'clock'>,
  actor: Actor,
  { place, stat }: { place: Place; stat: ObjectStat },
): Promise<{ preview: string; download: string }> {
  const { config } = place
  const nowMs = ctx.clock.nowMs()
  // Each API key gets separate URLs, which become invalid when the key or the mount is deleted. All administrators
  // share the same URLs, which become invalid when the mount is deleted.
  const whose = issuerOf(actor, 'read', place.mount.id)
  const cacheKey = JSON.stringify([config.id, 'fs', config.updated_at_ms, stat.etag, stat.key, whose ?? null])
  const known = ctx.caches.s3Url.get(cacheKey, nowMs)
  if (known) return known
  const expiresInSeconds = config.signature_expires_in
  const [preview, download] = await Promise.all([
    signLink(place, actor, { isDownload: false, expiresInSeconds }),
    signLink(place, actor, { isDownload: true, expiresInSeconds }),
  ])
  const expiresAtMs = nowMs + expiresInSeconds * 1000 * CACHED_SHARE_OF_LIFE
  ctx.caches.s3Url.set(cacheKey, { preview, download }, expiresAtMs)
  return { preview, download }
}
