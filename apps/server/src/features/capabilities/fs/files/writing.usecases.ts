import { Readable } from 'node:stream'
import { FS_TEXT_MAX_LENGTH, fsErrors } from '@dropleaf/contract'
import type { ObjectStat, StorageKey } from '@dropleaf/storage'
import type { Needs, PlaceNeeds, WriteNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { receiveBody } from '../../../../lib/bodies/receive-body.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { nameOf, parentOf } from '../../../../lib/object-names.ts'
import type { Actor } from '../../../foundation/identity/actor.models.ts'
import { requireFilename } from '../../files/files.models.ts'
import { publishObjects } from '../../files/objects/publish.usecases.ts'
import { claimKeys } from '../../files/objects/shared-objects.usecases.ts'
import {
  type Room,
  type RoomClaim,
  withinRoom,
} from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { requireAccess } from '../places/access.models.ts'
import { inFsTerms } from '../fs-terms.models.ts'
import { openLeases, takeForWrite } from '../leases/key-leases.usecases.ts'
import { plainEtag } from '../uploads/uploads.models.ts'
import { fileKeyOf, getPlace, type Place } from '../places/places.usecases.ts'

interface UploadTarget {
  readonly path: string
  readonly fileName: string
}

const isWholePath = ({ path, fileName }: UploadTarget): boolean =>
  !path.endsWith('/') && nameOf(path) === fileName

/** Returns the path of an uploaded file. If the target path ends in the file name, it is already the full path. */
export const pathOfUpload = (target: UploadTarget): string =>
  isWholePath(target) ? target.path : `${target.path.replace(/\/$/, '')}/${target.fileName}`

/**
 * Returns the place of an uploaded file, at {@link pathOfUpload}.
 * @throws {AppError} as `getPlace` does; `file.name_invalid`, `fs.read_only`
 */
export async function placeOfUpload(
  ctx: PlaceNeeds,
  actor: Actor,
  { path, fileName }: UploadTarget,
): Promise<Place<'write'>> {
  const target = { path, fileName: requireFilename(fileName) }
  if (!isWholePath(target)) requireAccess(actor, path, 'write')
  return getPlace(ctx, actor, pathOfUpload(target), 'write')
}

/** Conditions under which a write succeeds. */
export interface WriteConditions {
  /** Whether the write fails with `fs.exists` instead of replacing a file. */
  readonly ifAbsent?: boolean
  /** Etag of the version to replace. Another version fails with `fs.changed`. */
  readonly ifMatch?: string | undefined
  /**
   * Whether the write fails with `fs.parent_missing` instead of creating the parent folder, if the storage has
   * folders.
   */
  readonly intoFolder?: boolean
  /**
   * Called while the key is leased, so no other write can change the file until this write ends. If the check throws,
   * nothing is stored.
   */
  readonly check?: (() => Promise<void>) | undefined
}

/** Optional information about how to store the bytes. */
export interface WriteHints {
  /** Size of the replaced file, if known; 0 if there is none. */
  readonly replacesBytes?: number
  /** Whether to write a file larger than one part as a multipart upload, if the storage supports it. */
  readonly inParts?: boolean
  /** Whether to compute {@link WrittenFile.sha256}. The hash of a shared file is always computed. */
  readonly hashes?: boolean
}

export interface FileWrite {
  readonly source: Readable
  /** Exact size of the source, if announced. */
  readonly sizeBytes?: number | undefined
  /** Checks whether the sender may still write here; `null` if the permission was checked after the last byte. */
  readonly authorize: (() => Promise<void>) | null
  readonly conditions?: WriteConditions
  readonly hints?: WriteHints
  readonly signal?: AbortSignal
}

export interface WrittenFile {
  readonly place: Place<'write'>
  readonly key: StorageKey
  readonly stat: ObjectStat
  readonly contentType: string
  /** SHA-256 of the content in hexadecimal; `null` for an unshared file if the hash was not requested. */
  readonly sha256: string | null
}

/**
 * Writes a whole file whose bytes pass through the server into a mount. Readers see the old file or the complete new
 * file. Missing folders are created, and a share of the file gets the new bytes. The stages are: reserve, receive,
 * lock, authorize again, check, store, publish. The code for shares, signed URLs, parts and copies calls the driver
 * directly; see `docs/architecture/writes.md`.
 * @throws {AppError} `fs.not_a_file`, `fs.path_invalid`, `file.too_large`, `file.storage_full`; `fs.exists`,
 * `fs.changed` and `fs.parent_missing` under `conditions`; `request.unavailable` if another operation does not release
 * the key in time; as `authorize` and `conditions.check`
 */
export async function writeFile(
  ctx: WriteNeeds & Needs<'secrets'>,
  place: Place<'write'>,
  write: FileWrite,
): Promise<WrittenFile> {
  const { source, sizeBytes, authorize, conditions, hints, signal } = write
  const key = fileKeyOf(place)
  const configId = place.config.id
  const { isShared } = await claimKeys(ctx, { configId, keys: [key] })
  const claim = await roomClaimOf(place, key, write)
  await using holds = openLeases(ctx)
  // Runs after the last byte, because a slow body must not hold the lease.
  const beforeEnd = async () => {
    await takeForWrite(holds, { configId, key })
    await authorize?.()
    await conditions?.check?.()
  }
  const store = async (room: Room) => {
    const hashes = isShared || hints?.hashes !== false
    const received = await receiveBody(source, { sizeBytes, grow: room.grow, beforeEnd, hashes, signal })
    const contentType = inferMimeType(nameOf(key))
    const options = { ...storeOptionsOf(key, write), maxBytes: room.maxBytes, contentType }
    const stat = await place.driver.write(key, received.body, options)
    const sha256 = received.sha256()
    // The index must include the file before its reservation is released.
    await publishObjects(ctx, configId, [{ ...stat, sha256 }])
    return { place, key, stat, contentType, sha256 }
  }
  return await inFsTerms(() => withinRoom(ctx, claim, store))
}

/**
 * Returns the reservation for a write. The size of the replaced file is read only if the storage has a capacity limit.
 */
async function roomClaimOf(
  { config, driver }: Place,
  key: StorageKey,
  { sizeBytes = 0, hints }: FileWrite,
): Promise<RoomClaim> {
  const isLimited = config.total_storage_bytes !== null
  const replacesBytes = hints?.replacesBytes ?? (isLimited ? ((await driver.stat(key))?.sizeBytes ?? 0) : 0)
  return { config, sizeBytes, replacesBytes }
}

const storeOptionsOf = (key: StorageKey, { sizeBytes, conditions, hints, signal }: FileWrite) => ({
  sizeBytes,
  inParts: hints?.inParts,
  ifAbsent: conditions?.ifAbsent ?? false,
  ifMatch: conditions?.ifMatch,
  ...(conditions?.intoFolder ? { intoFolder: parentOf(key) } : {}),
  signal,
})

export interface TextUpdate {
  readonly path: string
  readonly content: string
  /** Etag of the version that the editor loaded. Without an etag, any version is overwritten. */
  readonly etag?: string | null | undefined
}

/**
 * Replaces the content of a file with text. Creates the file if it does not exist and no etag is expected.
 * @throws {AppError} as `getPlace` and {@link writeFile}; `fs.text_too_large`; `fs.changed` if the file no longer has
 * `etag`
 */
export async function updateText(
  ctx: WriteNeeds & Needs<'secrets'>,
  actor: Actor,
  { path, content, etag }: TextUpdate,
): Promise<WrittenFile & { isNew: boolean }> {
  if (content.length > FS_TEXT_MAX_LENGTH) throw new AppError(fsErrors.text_too_large)
  const bytes = Buffer.from(content)
  const place = await getPlace(ctx, actor, path, 'write')
  const key = fileKeyOf(place)
  const seen = etag === null || etag === undefined ? undefined : plainEtag(etag)
  const { driver } = place
  const before = await inFsTerms(() => driver.stat(key))
  const requireSeen = (stat: ObjectStat | null) => {
    if (seen !== undefined && stat?.etag !== seen) throw new AppError(fsErrors.changed)
  }
  requireSeen(before)
  // A storage without conditional writes cannot check the etag, so the server checks it.
  const isOurs = seen !== undefined && !driver.capabilities.conditionalWrite
  const check = isOurs ? async () => requireSeen(await driver.stat(key)) : undefined
  const file = await writeFile(ctx, place, {
    source: Readable.from(bytes.length === 0 ? [] : [bytes]),
    authorize: null,
    sizeBytes: bytes.length,
    conditions: { ifMatch: seen, check },
  })
  return { ...file, isNew: before === null }
}
