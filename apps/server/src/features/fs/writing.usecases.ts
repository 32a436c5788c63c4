import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { FS_TEXT_MAX_LENGTH, fsErrors } from '@dropleaf/contract'
import type { Body, ObjectStat, StorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../lib/app-error.ts'
import { gatherBody, isShort } from '../../lib/gather-body.ts'
import { inferMimeType } from '../../lib/mime.ts'
import { relayBody, roomByChunks } from '../../lib/relay-body.ts'
import type { Actor } from '../auth/actor.models.ts'
import { requireFilename } from '../files/files.models.ts'
import { hashingBody } from '../files/receive.usecases.ts'
import { claimKeys, sharesReplaced } from '../files/shared-objects.usecases.ts'
import { noteChange } from '../search/storage-changes.usecases.ts'
import { type Room, withinRoom } from '../storage-usage/storage-usage.usecases.ts'
import { requireAccess } from './access.models.ts'
import { inFsTerms } from './fs-terms.models.ts'
import { openHolds, takeForWrite } from './key-holds.usecases.ts'
import { nameOf, parentOf } from './names.models.ts'
import { plainEtag } from './uploads.models.ts'
import { fileKeyOf, getPlace, type Place } from './places.usecases.ts'

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

export interface FileWrite {
  readonly source: Readable
  /**
   * Asks whether its sender may still write here, after the last byte and before anything shows; what fails stores nothing.
   * `null` where all bytes were here when that was asked before.
   */
  readonly requireMay: (() => Promise<void>) | null
  /** Exact size of the source, where it was announced. */
  readonly sizeBytes?: number | undefined
  /** Size of what is replaced, where that was looked at; 0 for nothing. */
  readonly replacesBytes?: number | undefined
  /** Whether what is longer than a part goes to the storage in parts, where it takes such. */
  readonly inParts?: boolean
  /** Fail with `fs.exists` rather than replace. */
  readonly ifAbsent?: boolean
  /** Tag of the version to replace: fail with `fs.changed` rather than replace another. */
  readonly ifMatch?: string | undefined
  /** Fail with `fs.parent_missing` instead of creating the folder above, if the storage has folders. */
  readonly intoFolder?: boolean
  /** Runs after the last byte; when it fails nothing is stored. */
  readonly beforeEnd?: () => Promise<void>
  /** The same after the last byte, before it shows. When it fails nothing is stored. */
  readonly beforeShow?: () => Promise<void>
  /** The last look before the write: from then on no other write of ours comes to the file. */
  readonly beforeWrite?: () => Promise<void>
  readonly signal?: AbortSignal
  /** Whether {@link WrittenFile.sha256} is wanted; the file's share has it in any case. */
  readonly hashes?: boolean
}

interface BodyToWrite {
  readonly body: Body
  readonly sha256: () => string | null
}

/** A gigabyte costs a core more than half a second to hash. */
function streamedBody(
  source: Readable,
  { isHashed, grow, beforeEnd }: { isHashed: boolean; grow: Room['grow']; beforeEnd: () => Promise<void> },
): BodyToWrite & { body: Readable } {
  if (isHashed) return hashingBody(source, { grow, beforeEnd })
  return { body: relayBody(source, { makeRoom: roomByChunks(grow), beforeEnd }), sha256: () => null }
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
 * Writes a file: the only way in for bytes that pass through the server. Readers see the old file or the whole new one;
 * missing folders are created. A share of the file shows the new bytes.
 * @throws {AppError} `fs.not_a_file`, `fs.path_invalid`, `fs.exists`, `file.too_large`, `file.storage_full`
 */
export async function writeFile(
  ctx: AppContext,
  place: Place<'write'>,
  {
    source,
    requireMay,
    sizeBytes,
    replacesBytes,
    inParts,
    ifAbsent = false,
    ifMatch,
    intoFolder,
    beforeEnd,
    beforeShow,
    beforeWrite,
    signal,
    hashes = true,
  }: FileWrite,
): Promise<WrittenFile> {
  const key = fileKeyOf(place)
  const { config, driver } = place
  const contentType = inferMimeType(nameOf(key))
  const { isShared } = await claimKeys(ctx, { configId: config.id, keys: [key] })
  const isLimited = config.total_storage_bytes !== null
  const replaced = isLimited && replacesBytes === undefined ? await driver.stat(key) : null
  const freedBytes = replacesBytes ?? replaced?.sizeBytes ?? 0
  const claim = { config, sizeBytes: sizeBytes ?? 0, replacesBytes: freedBytes }
  const granted = Promise.withResolvers<Room>()
  let room: Room | undefined
  // The first bytes come before the room is granted: they wait for it.
  const grow = (totalBytes: number) =>
    room ? room.grow(totalBytes) : granted.promise.then((late) => late.grow(totalBytes))
  await using holds = openHolds(ctx)
  const takeName = () => takeForWrite(holds, { configId: config.id, key })
  // Not before the last byte: until then nothing shows, and bodies may take their time.
  const atEnd = async () => {
    await beforeEnd?.()
    await takeName()
    await requireMay?.()
    await beforeShow?.()
  }
  const isHashed = hashes || isShared
  const streamed = isShort(sizeBytes) ? null : streamedBody(source, { isHashed, grow, beforeEnd: atEnd })
  async function bodyOf(): Promise<BodyToWrite> {
    if (streamed) return streamed
    const bytes = await gatherBody(source, { sizeBytes: sizeBytes ?? 0, signal })
    await atEnd()
    return { body: bytes, sha256: () => (isHashed ? hash('sha256', bytes, 'hex') : null) }
  }
  const write = async (held: Room) => {
    room = held
    granted.resolve(held)
    const { maxBytes } = held
    const limits = { sizeBytes, maxBytes, ...(intoFolder ? { intoFolder: parentOf(key) } : {}) }
    // What was gathered is hashed when it is written.
    const options = { ...limits, inParts, contentType, ifAbsent, ifMatch, signal }
    if (beforeWrite) {
      await takeName()
      await beforeWrite()
    }
    const { body, sha256 } = await bodyOf()
    const stat = await driver.write(key, body, options)
    const file = { place, key, stat, contentType, sha256: sha256() }
    // What is counted against a limit must be known before its room is given back.
    await noteWritten(ctx, file)
    return file
  }
  try {
    return await inFsTerms(() => withinRoom(ctx, claim, write))
  } catch (error) {
    streamed?.body.destroy()
    throw error
  }
}

/** Tells the shares and the index of a file that was written. */
export async function noteWritten(
  ctx: AppContext,
  { place, stat, sha256 }: { place: Place; stat: ObjectStat; sha256: string | null },
): Promise<void> {
  const configId = place.config.id
  await sharesReplaced(ctx, { configId, objects: [{ ...stat, sha256 }] })
  await noteChange(ctx, { configId, written: [stat] })
}

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
  const beforeWrite = async () => requireSeen(await driver.stat(key))
  const needsGuard = seen !== undefined && !driver.capabilities.conditionalWrite
  const file = await writeFile(ctx, place, {
    source: Readable.from(bytes.length === 0 ? [] : [bytes]),
    requireMay: null,
    sizeBytes: bytes.length,
    ifMatch: seen,
    ...(needsGuard ? { beforeWrite } : {}),
  })
  return { ...file, isNew: before === null }
}
