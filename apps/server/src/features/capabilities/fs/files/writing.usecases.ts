import { Readable } from 'node:stream'
import { FS_TEXT_MAX_LENGTH, fsErrors } from '@dropleaf/contract'
import type { ObjectStat, StorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
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

/** Path of a file that is to be put into a folder. One that ends in the name already is the whole one. */
export const pathOfUpload = (target: UploadTarget): string =>
  isWholePath(target) ? target.path : `${target.path.replace(/\/$/, '')}/${target.fileName}`

/**
 * The place of a file that is to be put into a folder, {@link pathOfUpload}.
 * @throws {AppError} as `getPlace` does; `file.name_invalid`, `fs.read_only`
 */
export async function placeOfUpload(
  ctx: AppContext,
  actor: Actor,
  { path, fileName }: UploadTarget,
): Promise<Place<'write'>> {
  const target = { path, fileName: requireFilename(fileName) }
  if (!isWholePath(target)) requireAccess(actor, path, 'write')
  return getPlace(ctx, actor, pathOfUpload(target), 'write')
}

/** What must hold when a file is stored, beyond the right to write there. */
export interface WriteConditions {
  /** Fail with `fs.exists` rather than replace. */
  readonly ifAbsent?: boolean
  /** Tag of the version to replace: fail with `fs.changed` rather than replace another. */
  readonly ifMatch?: string | undefined
  /** Fail with `fs.parent_missing` rather than create the folder above, where the storage has folders. */
  readonly intoFolder?: boolean
  /** Runs while the name is locked: no other write of ours comes to the file from then on. What it throws stores nothing. */
  readonly check?: (() => Promise<void>) | undefined
}

/** What a caller knows, or does not need, and so saves work. */
export interface WriteHints {
  /** Size of what is replaced, where that was looked at; 0 for nothing. */
  readonly replacesBytes?: number
  /** Whether what is longer than a part goes to the storage in parts, where it takes such. */
  readonly inParts?: boolean
  /** Whether {@link WrittenFile.sha256} is wanted; the file's share has it in any case. */
  readonly hashes?: boolean
}

export interface FileWrite {
  readonly source: Readable
  /** Exact size of the source, where it was announced. */
  readonly sizeBytes?: number | undefined
  /** Asks whether its sender may still write here; `null` where all bytes were here when that was asked before. */
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
  /** In hex; `null` for a file without a share, where it was not wanted. */
  readonly sha256: string | null
}

/**
 * Writes a file: the one way in for bytes that pass through us. Readers see the old file or the whole new one; missing
 * folders are created. A share of the file shows the new bytes. The stages, in their order: reserve, receive, lock, authorize
 * again, check, store, publish; `docs/architecture/writes.md` tells of each.
 * @throws {AppError} `fs.not_a_file`, `fs.path_invalid`, `fs.exists`, `file.too_large`, `file.storage_full`
 */
export async function writeFile(
  ctx: AppContext,
  place: Place<'write'>,
  write: FileWrite,
): Promise<WrittenFile> {
  const { source, sizeBytes, authorize, conditions, hints, signal } = write
  const key = fileKeyOf(place)
  const configId = place.config.id
  const { isShared } = await claimKeys(ctx, { configId, keys: [key] })
  const claim = await roomClaimOf(place, key, write)
  await using holds = openLeases(ctx)
  // Runs after the last byte: until then nothing shows, and bodies may take their time.
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
    // What is counted against a limit must be known before its room is given back.
    await publishObjects(ctx, configId, [{ ...stat, sha256 }])
    return { place, key, stat, contentType, sha256 }
  }
  return await inFsTerms(() => withinRoom(ctx, claim, store))
}

/** The room that a write asks for. What it replaces is looked at only where a capacity counts it. */
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
  /** Tag of what the editor loaded; without one it overwrites whatever is there. */
  readonly etag?: string | null | undefined
}

/**
 * Saves a text as the whole content of a file.
 * @throws {AppError} as {@link writeFile}; `fs.text_too_large`; `fs.changed` when the file is not the one of `etag` any more
 */
export async function updateText(
  ctx: AppContext,
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
  // A storage that cannot decide between writers leaves it to us.
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
