import type { Readable } from 'node:stream'
import { authErrors, type UploadOptions } from '@dropleaf/contract'
import type { ObjectStat } from '@dropleaf/storage'
import type { Needs, UploadNeeds } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { receiveBody } from '../../../../lib/bodies/receive-body.ts'
import { type Actor, creatorOf } from '../../../foundation/identity/actor.models.ts'
import {
  brokenLimit,
  isTooLarge,
  type Room,
  withinRoom,
} from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { filesRepository } from '../files.repository.ts'
import type { FileRow } from '../files.table.ts'
import { replaceNamesake } from './same-name.usecases.ts'
import {
  claimOf,
  finishUpload,
  placementOf,
  type Reservation,
  reserveUpload,
  type ReserveInput,
  type ShareSettings,
  takesOwnSlug,
  shareSettingsOf,
} from './uploads.usecases.ts'
import { dropFailedUpload, dropUpload } from './dropped-uploads.usecases.ts'

/**
 * Interval at which the lease of a streamed upload is renewed. After three missed renewals the upload is considered
 * abandoned.
 */
const HEARTBEAT_MS = 60_000
const LEASE_MS = 3 * HEARTBEAT_MS

interface Sent {
  readonly source: Readable
  readonly sizeBytes: number | undefined
  readonly room: Room
  readonly requireMay: () => Promise<void>
}

async function writeHashed(
  { driver, key, row, isNamed }: Reservation,
  { source, sizeBytes, room, requireMay }: Sent,
): Promise<{ stat: ObjectStat; sha256: string | null }> {
  const { maxBytes, grow } = room
  // Only user-chosen keys need `ifAbsent`, which costs a request to the bucket. A random key cannot exist yet.
  const options = { sizeBytes, maxBytes, contentType: row.mimetype, ifAbsent: isNamed }
  const { body, sha256 } = await receiveBody(source, { sizeBytes, grow, beforeEnd: requireMay })
  const stat = await driver.write(key, body, options)
  return { stat, sha256: sha256() }
}

type Place = Omit<ReserveInput, 'kind' | 'lifetimeMs'>

/** Location and settings of a new share. */
export interface UploadOrder {
  readonly place: Place
  readonly settings: ShareSettings
}

/** An upload whose body is the file itself. */
export interface RawUpload {
  readonly filename: string
  /** Declared size; `null` if the body is chunked. */
  readonly sizeBytes: number | null
  readonly options: UploadOptions
  readonly source: Readable
  readonly requireMay: () => Promise<void>
}

/** Creates a share from a body that is the file itself. @throws {AppError} as {@link receiveUpload} */
export function receiveRawUpload(
  ctx: UploadNeeds,
  actor: Actor,
  { filename, sizeBytes, options, source, requireMay }: RawUpload,
): Promise<FileRow> {
  const order = {
    place: { ...placementOf(options), filename, sizeBytes },
    settings: shareSettingsOf(options),
  }
  return receiveUpload(ctx, actor, { place: order.place, source, requireMay, completeOrder: () => order })
}

const isSameObject = (a: Place, b: Place) =>
  a.configId === b.configId && a.folder === b.folder && a.keepsName === b.keepsName

/** Applies the link suffix and the kind of links given in form fields after the file. */
async function adoptLateNames(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  { row, before, after }: { row: FileRow; before: Place; after: Place },
) {
  const use_proxy = Number(after.useProxy)
  if (after.slug === null || (after.slug === before.slug && after.replacesOwn === before.replacesOwn))
    return { ...row, use_proxy }
  await takesOwnSlug(ctx, creatorOf(actor), after)
  return { ...row, use_proxy, takes_slug: after.slug }
}

/** Renews the lease of a streamed upload while `work` runs. */
async function whileLeased<T>(
  ctx: Needs<'clock' | 'db' | 'jobs'>,
  id: string,
  work: () => Promise<T>,
): Promise<T> {
  const beat = setInterval(() => {
    ctx.jobs.background('files.upload-lease', async () => {
      const upload_expires_at_ms = ctx.clock.nowMs() + LEASE_MS
      await filesRepository(ctx.db).updatePending(id, { upload_expires_at_ms })
    })
  }, HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
  }
}

const brokenLimitOf = (ctx: Needs<'clock' | 'db'>, { config, row }: Reservation) =>
  brokenLimit(ctx, claimOf(row, { config, sizeBytes: 0 }))

interface LateMove {
  readonly from: Reservation
  readonly order: UploadOrder
  readonly sha256: string | null
  readonly sizeBytes: number
  readonly requireMay: () => Promise<void>
}

/**
 * Copies the bytes to the location given in form fields after the file, and creates the share there. The caller deletes
 * the first copy.
 */
async function finishAtLatePlace(
  ctx: UploadNeeds,
  actor: Actor,
  { from, order, sha256, sizeBytes, requireMay }: LateMove,
): Promise<FileRow> {
  const { place, settings } = order
  // The new row takes the suffix over from the first row.
  const holdsSlug = place.slug !== null && place.slug === from.slug
  const slug = holdsSlug ? null : place.slug
  const to = await reserveUpload(ctx, actor, {
    ...place,
    slug,
    // If both copies are in the same storage, no more space is reserved, because the reservation for the first copy is
    // sufficient.
    sizeBytes: place.configId === from.config.id ? null : sizeBytes,
    kind: 'streamed',
    lifetimeMs: LEASE_MS,
  })
  try {
    return await whileLeased(ctx, to.row.id, async () => {
      const { body } = await from.driver.read(from.key)
      const options = { maxBytes: to.maxBytes, contentType: to.row.mimetype, ifAbsent: true }
      const { etag } = await to.driver.write(to.key, body, options)
      await requireMay()
      const row = holdsSlug ? { ...to.row, takes_slug: place.slug } : to.row
      const bytes = { sizeBytes, etag, sha256 }
      await replaceNamesake(ctx, to, bytes)
      return finishUpload(ctx, row, { bytes, settings })
    })
  } catch (error) {
    await dropFailedUpload(ctx, to, error)
    throw isTooLarge(error) ? await brokenLimitOf(ctx, to) : error
  }
}

/**
 * Checks that the base path of an API key is unchanged, because it determines the folder of the key's shares.
 * @throws {AppError} `auth.path_forbidden` if it has changed
 */
export function requireSameBase(before: Actor, now: Actor): void {
  if (before.kind === 'key' && now.kind === 'key' && now.basicPath !== before.basicPath)
    throw new AppError(authErrors.path_forbidden)
}

export interface UploadInput {
  readonly place: Place
  readonly source: Readable
  /**
   * Checks that the sender is still allowed to share. Called after the last byte and before the commit. If it throws,
   * nothing is stored.
   */
  readonly requireMay: () => Promise<void>
  readonly completeOrder: () => Promise<UploadOrder> | UploadOrder
  /** Called with the share's id before the first byte is received. */
  readonly onReserved?: (fileId: string) => Promise<void>
}

/**
 * Receives a share in a single request. The share becomes visible when it is complete. If the upload fails, nothing
 * remains.
 * @param input `completeOrder` returns the final order. It is called after the last byte, because fields of a form can
 * follow the file. If the order names another location than `place`, the bytes are copied. Another link suffix needs no
 * copy.
 * @throws {AppError} as `reserveUpload`, `finishUpload` and `requireMay`; `file.too_large` or `file.storage_full`
 * depending on the received bytes
 */
export async function receiveUpload(ctx: UploadNeeds, actor: Actor, input: UploadInput): Promise<FileRow> {
  const { place: before } = input
  const reservation = await reserveUpload(ctx, actor, { ...before, kind: 'streamed', lifetimeMs: LEASE_MS })
  const { row } = reservation
  try {
    return await whileLeased(ctx, row.id, async () => {
      await input.onReserved?.(row.id)
      // If the row has a size, this size has already been reserved.
      if (row.size_bytes > 0) {
        const room = { maxBytes: reservation.maxBytes, grow: () => undefined }
        return receiveInto(ctx, actor, { input, reservation, room })
      }
      const claim = claimOf(row, { config: reservation.config, sizeBytes: 0 })
      return withinRoom(ctx, claim, (room) => receiveInto(ctx, actor, { input, reservation, room }))
    })
  } catch (error) {
    await dropFailedUpload(ctx, reservation, error)
    throw isTooLarge(error) ? await brokenLimitOf(ctx, reservation) : error
  }
}

interface Receiving {
  readonly input: UploadInput
  readonly reservation: Reservation
  readonly room: Room
}

async function receiveInto(
  ctx: UploadNeeds,
  actor: Actor,
  { input: { place: before, source, completeOrder, requireMay }, reservation, room }: Receiving,
): Promise<FileRow> {
  const sent = { source, sizeBytes: before.sizeBytes ?? undefined, room, requireMay }
  const { stat, sha256 } = await writeHashed(reservation, sent)
  const { sizeBytes, etag } = stat
  const order = await completeOrder()
  // Checks the permissions again, because the fields after the file can also arrive slowly.
  await requireMay()
  if (!isSameObject(before, order.place)) {
    const move = { from: reservation, order, sha256, sizeBytes, requireMay }
    const done = await finishAtLatePlace(ctx, actor, move)
    await dropUpload(ctx, reservation.row.id)
    return done
  }
  const row = await adoptLateNames(ctx, actor, { row: reservation.row, before, after: order.place })
  const bytes = { sizeBytes, etag, sha256 }
  await replaceNamesake(ctx, reservation, bytes)
  return finishUpload(ctx, row, { bytes, settings: order.settings })
}
