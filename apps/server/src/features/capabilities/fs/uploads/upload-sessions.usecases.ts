import type { Readable } from 'node:stream'
import { DEFAULT_SIGNATURE_SECONDS, fsErrors } from '@dropleaf/contract'
import {
  type MultipartUploads,
  type ObjectStat,
  type PartRef,
  type PartStat,
  parseStorageKey,
  removeAll,
  stagingKey,
  StorageError,
  type StorageKey,
  type UploadRef,
} from '@dropleaf/storage'
import type { IndexNeeds, Needs, PlaceNeeds, WriteNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { SharedRuns } from '../../../../lib/concurrency.ts'
import { newId } from '../../../../lib/ids.ts'
import { inferMimeType } from '../../../../lib/mime.ts'
import { nameOf } from '../../../../lib/object-names.ts'
import { type Actor, creatorOf, owns } from '../../../foundation/identity/actor.models.ts'
import { issuerOf } from '../../../foundation/link-issuers/link-issuers.usecases.ts'
import { requireFilename } from '../../files/files.models.ts'
import { claimKeys } from '../../files/objects/shared-objects.usecases.ts'
import type { StorageConfigRow } from '../../../foundation/storage-configs/storage-configs.table.ts'
import {
  isWithoutRoom,
  requireRoom,
  takeRoom,
} from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { inFsTerms } from '../fs-terms.models.ts'
import { openLeases, takeForWrite } from '../leases/key-leases.usecases.ts'
import { fileKeyOf, getPlace, type Place } from '../places/places.usecases.ts'
import { uploadsRepository } from './uploads.repository.ts'
import type { FsUploadRow } from './uploads.table.ts'
import { publishObjects } from '../../files/objects/publish.usecases.ts'

/**
 * Uploads whose bytes the client sends in parts. The bytes are in a multipart upload of the storage, and become the
 * file atomically at the end. Until the end, an existing file remains unchanged. An aborted upload leaves nothing
 * behind. A signed PUT is an upload with one part; see `docs/adr/0008`.
 */

/** Time in milliseconds until an idle upload expires, and until the row of an ended upload is deleted. */
const SESSION_MS = 24 * 3_600_000

/** Provider that requires at least two parts; a single part is stored under a staging key and then copied. */
const NEEDS_STAGING = 'Backblaze B2'

/** An upload that the caller may continue. */
export interface Session {
  readonly row: FsUploadRow
  readonly place: Place<'write'>
  readonly key: StorageKey
}

/** Returns the lifetime of upload URLs in seconds, at least the usual default of storages. */
const uploadSeconds = (config: StorageConfigRow): number =>
  Math.max(config.signature_expires_in, DEFAULT_SIGNATURE_SECONDS)

export interface SessionStart {
  readonly kind: FsUploadRow['kind']
  readonly sizeBytes: number | null
  /** Size of a part; `null` if the only part can have any size. */
  readonly partSizeBytes: number | null
  readonly partCount: number
}

/** @throws {AppError} `fs.not_operable` if the storage has no multipart uploads; all known storages have them */
function multipartOf({ driver }: Pick<Place, 'driver'>): MultipartUploads {
  if (!driver.multipart) throw new AppError(fsErrors.not_operable)
  return driver.multipart
}

/**
 * Starts an upload, and reserves its announced size.
 * @throws {AppError} as `requireRoom`; `fs.not_a_file`, `fs.path_invalid`, `fs.exists`
 */
export async function startSession(
  ctx: Needs<'clock' | 'database' | 'db' | 'unfinished'>,
  actor: Actor,
  { place, start }: { place: Place<'write'>; start: SessionStart },
): Promise<{ session: Session; maxBytes: number }> {
  const key = fileKeyOf(place)
  const { config, driver } = place
  const sizeBytes = start.sizeBytes ?? 0
  await requireRoom(ctx, { config, sizeBytes, replacesBytes: await replacedBytes(place, key) })
  const contentType = inferMimeType(nameOf(key))
  const isStaged = start.partCount === 1 && config.provider_type === NEEDS_STAGING
  const begin = async (): Promise<{ session: Session; maxBytes: number }> => {
    const upload = isStaged ? null : await inFsTerms(() => multipartOf(place).create(key, { contentType }))
    const row = newRow(ctx, actor, { place, start, key, contentType, upload })
    try {
      const claim = { config, sizeBytes, replacesBytes: await replacedBytes(place, key) }
      const maxBytes = await takeRoom(ctx, claim, (trx) => uploadsRepository(trx).insert(row))
      return { session: { row, place, key }, maxBytes }
    } catch (error) {
      if (upload) await driver.multipart?.abort(upload)
      throw error
    }
  }
  return ctx.unfinished.whileBegun({ configId: config.id, key, driver }, begin)
}

interface NewSession {
  readonly place: Place
  readonly start: SessionStart
  readonly key: StorageKey
  readonly contentType: string
  readonly upload: UploadRef | null
}

function newRow(
  ctx: Needs<'clock'>,
  actor: Actor,
  { place, start, key, contentType, upload }: NewSession,
): FsUploadRow {
  const nowMs = ctx.clock.nowMs()
  return {
    id: newId(),
    storage_config_id: place.config.id,
    mount_id: place.mount.id,
    storage_key: key,
    path: place.path,
    created_by: creatorOf(actor),
    kind: start.kind,
    storage_upload_id: upload?.uploadId ?? null,
    content_type: contentType,
    size_bytes: start.sizeBytes,
    part_size_bytes: start.partSizeBytes,
    part_count: start.partCount,
    state: 'open',
    replaced_etag: null,
    stored_size_bytes: null,
    etag: null,
    created_at_ms: nowMs,
    expires_at_ms: nowMs + SESSION_MS,
  }
}

async function replacedBytes(place: Place, key: StorageKey): Promise<number> {
  if (place.config.total_storage_bytes === null) return 0
  return (await place.driver.stat(key))?.sizeBytes ?? 0
}

/** Values that a client repeats in addition to the upload ID, and that must match the upload. */
export interface SessionHints {
  /** Path of the folder, or the full path of the file. */
  readonly path?: string | null | undefined
  readonly fileName?: string | null | undefined
}

const withoutSlash = (path: string) => path.replace(/\/$/, '')

function requireHints(row: FsUploadRow, { path, fileName }: SessionHints): void {
  const name = nameOf(row.path)
  const folder = row.path.slice(0, row.path.length - name.length - 1)
  const isPathRight = [row.path, folder].includes(withoutSlash(path ?? row.path))
  const isNameRight = requireFilename(fileName ?? name) === name
  if (isPathRight && isNameRight) return
  throw new AppError(fsErrors.upload_mismatch, { params: { field: isPathRight ? 'fileName' : 'path' } })
}

/**
 * Returns an upload for its creator or an administrator, after checking all permissions again.
 * @throws {AppError} `fs.upload_not_found`, also for another caller's upload, or if its path now leads to another
 * location; `fs.upload_mismatch`, `auth.path_forbidden`, `fs.read_only`, `fs.no_mount`
 */
export async function getSession(
  ctx: PlaceNeeds,
  actor: Actor,
  { id, kind, hints = {} }: { id: string; kind: FsUploadRow['kind'] | 'any'; hints?: SessionHints },
): Promise<Session> {
  const row = await uploadsRepository(ctx.db).findById(id)
  const isKnown = row && (kind === 'any' || row.kind === kind) && owns(actor, row.created_by)
  if (!row || !isKnown || row.expires_at_ms <= ctx.clock.nowMs())
    throw new AppError(fsErrors.upload_not_found)
  requireHints(row, hints)
  const place = await getPlace(ctx, actor, row.path, 'write')
  const key = parseStorageKey(row.storage_key)
  if (place.config.id !== row.storage_config_id || place.rest !== key)
    throw new AppError(fsErrors.upload_not_found)
  return { row, place, key }
}

/** Extends the time until an upload expires. @returns the new expiry. */
export async function prolong(ctx: Needs<'clock' | 'db'>, { row }: Session): Promise<number> {
  const expiresAtMs = ctx.clock.nowMs() + SESSION_MS
  await uploadsRepository(ctx.db).changeAlive(row.id, { expires_at_ms: expiresAtMs })
  return expiresAtMs
}

/** Returns the storage's reference to an upload; `null` if its only part is stored under a staging key. */
const uploadRefOf = ({ row, key }: Pick<Session, 'row' | 'key'>): UploadRef | null =>
  row.storage_upload_id === null ? null : { key, uploadId: row.storage_upload_id }

const isNotFound = (error: unknown): boolean =>
  error instanceof StorageError && error.code === 'storage.not_found'

/** Returns a signed URL for the PUT of one part. */
export function signPart(
  session: Session,
  actor: Actor,
  { partNumber, maxBytes }: { partNumber: number; maxBytes: number },
): Promise<string> {
  const { config, driver, mount } = session.place
  const issuer = issuerOf(actor, 'write', mount.id)
  const options = { expiresInSeconds: uploadSeconds(config), maxBytes, issuer }
  const upload = uploadRefOf(session)
  if (upload) return driver.links.part(upload, partNumber, options)
  return driver.links.put(stagingKey(session.row.id), { ...options, contentType: session.row.content_type })
}

/**
 * Stores one part.
 * @throws {AppError} `fs.upload_not_found` if the upload no longer exists in the storage
 * @throws {StorageError} as `uploadPart` and `write` do
 */
export async function storePart(
  session: Session,
  { partNumber, body, sizeBytes }: { partNumber: number; body: Readable; sizeBytes: number },
): Promise<PartRef> {
  const upload = uploadRefOf(session)
  const { row, place } = session
  try {
    if (upload) return await multipartOf(place).uploadPart(upload, partNumber, body, { sizeBytes })
    const options = { sizeBytes, contentType: row.content_type }
    const { etag } = await place.driver.write(stagingKey(row.id), body, options)
    return { partNumber, etag }
  } catch (error) {
    throw isNotFound(error) ? new AppError(fsErrors.upload_not_found, { cause: error }) : error
  }
}

/** Returns all received parts in ascending order; `null` if the upload no longer exists in the storage. */
export async function findParts(session: Session): Promise<PartStat[] | null> {
  const upload = uploadRefOf(session)
  if (!upload) {
    const stat = await session.place.driver.stat(stagingKey(session.row.id))
    if (stat) return [{ partNumber: 1, etag: stat.etag, sizeBytes: stat.sizeBytes }]
    return session.row.state === 'completing' ? null : []
  }
  const parts: PartStat[] = []
  let cursor: string | undefined
  try {
    do {
      const page = await multipartOf(session.place).listParts(upload, { cursor })
      parts.push(...page.parts)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return parts
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Result of a completed upload. */
export interface Finished {
  readonly row: FsUploadRow
  readonly place: Place<'write'>
  readonly sizeBytes: number
  readonly etag: string
}

/** Returns the result if the upload has already been committed, otherwise `null`. */
export const finishedBefore = ({ row, place }: Session): Finished | null =>
  row.state === 'committed'
    ? { row, place, sizeBytes: row.stored_size_bytes ?? 0, etag: row.etag ?? '' }
    : null

/**
 * Finds the result of an earlier attempt whose response was lost or whose process died. The object at the key is the
 * result if it has the expected size and is not the version that existed before the attempt.
 * @throws {AppError} `fs.upload_not_found` if there is no such result
 */
export async function findLostResult(
  ctx: IndexNeeds & Needs<'db' | 'secrets'>,
  session: Session,
): Promise<Finished> {
  const row = await uploadsRepository(ctx.db).findById(session.row.id)
  const before = row ? finishedBefore({ ...session, row }) : null
  if (before) return before
  const stat = row?.state === 'completing' ? await session.place.driver.stat(session.key) : null
  const isIts = stat !== null && stat.etag !== row?.replaced_etag && stat.sizeBytes === row?.stored_size_bytes
  if (!isIts) throw new AppError(fsErrors.upload_not_found)
  return commit(ctx, session, stat)
}

async function commit(
  ctx: IndexNeeds & Needs<'db' | 'secrets'>,
  session: Session,
  stat: ObjectStat,
): Promise<Finished> {
  const { row, place } = session
  await uploadsRepository(ctx.db).commit(row.id, {
    etag: stat.etag,
    stored_size_bytes: stat.sizeBytes,
    expires_at_ms: ctx.clock.nowMs() + SESSION_MS,
  })
  await publishObjects(ctx, place.config.id, [stat])
  return { row, place, sizeBytes: stat.sizeBytes, etag: stat.etag }
}

/**
 * Commits an upload to its path atomically.
 * @param sizeBytes total size, for which the limits are checked again.
 * @throws {AppError} `file.too_large` and `file.storage_full`, which also abort the upload; `fs.exists` if a folder has
 * the name; `fs.upload_not_found` if the upload has been aborted; `request.unavailable` if another operation does not
 * release the key in time
 */
export const finishSession = (
  ctx: WriteNeeds & Needs<'secrets'>,
  session: Session,
  bytes: { sizeBytes: number; parts: readonly PartRef[] },
): Promise<Finished> => finishing.run(session.row.id, () => finishOnce(ctx, session, bytes))

/**
 * Uploads that are being committed. Concurrent calls share one commit, since a disk would join the parts once per call.
 */
const finishing = new SharedRuns<Finished>()

async function finishOnce(
  ctx: WriteNeeds & Needs<'secrets'>,
  session: Session,
  { sizeBytes, parts }: { sizeBytes: number; parts: readonly PartRef[] },
): Promise<Finished> {
  const { row, place, key } = session
  const now = await uploadsRepository(ctx.db).findById(row.id)
  const before = now ? finishedBefore({ ...session, row: now }) : null
  if (before) return before
  const { config, driver } = place
  const replaced = await driver.stat(key)
  const claim = { config, sizeBytes, replacesBytes: replaced?.sizeBytes ?? 0, except: { uploadId: row.id } }
  const change = { replacedEtag: replaced?.etag ?? null, sizeBytes }
  let isMine = false
  try {
    // From this transaction on, the reservation has the actual size.
    await takeRoom(ctx, claim, async (trx) => {
      isMine = await uploadsRepository(trx).beginCompleting(row.id, change)
    })
  } catch (error) {
    // Aborts only if the file is too large or the storage is full. Other failures can be temporary, so the client can
    // retry.
    if (isWithoutRoom(error)) await giveUp(ctx, session)
    throw error
  }
  if (!isMine) return findLostResult(ctx, session)
  await using holds = openLeases(ctx, row.id)
  try {
    await takeForWrite(holds, { configId: config.id, key })
    await claimKeys(ctx, { configId: config.id, keys: [key] })
    const stat = await inFsTerms(() => join(session, parts))
    return await commit(ctx, session, stat)
  } catch (error) {
    if (error instanceof AppError && error.spec === fsErrors.not_found) return findLostResult(ctx, session)
    // Checks whether another request aborted the upload and deleted its parts during the completion.
    const after = await uploadsRepository(ctx.db).findById(row.id)
    if (after?.state === 'aborted') throw new AppError(fsErrors.upload_not_found, { cause: error })
    throw error
  }
}

async function join(session: Session, parts: readonly PartRef[]): Promise<ObjectStat> {
  const { row, place, key } = session
  const upload = uploadRefOf(session)
  if (upload) return multipartOf(place).complete(upload, parts)
  const staged = stagingKey(row.id)
  const stat = await place.driver.copy(staged, key)
  await removeAll(place.driver, [staged])
  return stat
}

/** Aborts an upload and deletes its bytes. Does nothing if the upload has ended. */
export async function giveUp(ctx: Needs<'clock' | 'db'>, session: Session): Promise<void> {
  // Sets the state first, so that a concurrent completion detects why the parts are missing. If deleting the bytes
  // fails, the sweep deletes them.
  await uploadsRepository(ctx.db).changeAlive(session.row.id, {
    state: 'aborted',
    expires_at_ms: ctx.clock.nowMs() + SESSION_MS,
  })
  await dropBytes(session)
}

/**
 * Deletes the bytes of an upload.
 * @throws {StorageError} if the storage is unreachable
 */
export async function dropBytes(
  session: Pick<Session, 'row' | 'key'> & { place: Pick<Place, 'driver'> },
): Promise<void> {
  const { row, place } = session
  if (row.state === 'committed') return
  const upload = uploadRefOf(session)
  if (upload) await multipartOf(place).abort(upload)
  else await removeAll(place.driver, [stagingKey(row.id)])
}
