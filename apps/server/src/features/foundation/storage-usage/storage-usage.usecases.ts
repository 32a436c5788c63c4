import { fileErrors, objectMaxBytes, sealedSizeLimit } from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { formatBytes, formatWholeBytes } from '../../../lib/sizes.ts'
import type { Db } from '../../../schema.ts'
import { indexedUsage } from '../object-index/object-index.usecases.ts'
import { maxUploadBytes } from '../settings/settings.usecases.ts'
import type { StorageConfigRow } from '../storage-configs/storage-configs.table.ts'
import { type Exceptions, storageUsageRepository } from './storage-usage.repository.ts'

export interface RoomClaim {
  readonly config: StorageConfigRow
  /** Size of the write; 0 if the size is unknown. */
  readonly sizeBytes: number
  /** Size of the overwritten object, whose space is freed. */
  readonly replacesBytes?: number
  /** Entries that are already counted for this write, and must not be counted twice. */
  readonly except?: Exceptions
  /** Whether the object belongs to a sealed bundle. Encryption makes it larger than the file. */
  readonly isSealed?: boolean
}

const HEARTBEAT_MS = 60_000
const LEASE_MS = 3 * HEARTBEAT_MS

interface Decision {
  readonly claim: RoomClaim
  readonly limit: number
}

/**
 * Returns the bytes that the storage's capacity leaves for a write; `Infinity` without a capacity. The used space is
 * the sum of indexed files, shares (which are not indexed), and uploads and writes in progress.
 */
async function remainingBytes(ctx: Needs<'clock'>, db: Db, claim: RoomClaim): Promise<number> {
  const { config, except = {}, replacesBytes = 0 } = claim
  const capacity = config.total_storage_bytes
  if (capacity === null) return Number.POSITIVE_INFINITY
  return Math.max(0, capacity - (await usedBytes(ctx, db, { config, except })) + replacesBytes)
}

/**
 * Queries the writes in progress before the index. A write is added to the index before its reservation is released. So
 * a write that ends between the two queries is counted twice, but is never missed.
 */
async function usedBytes(
  ctx: Needs<'clock'>,
  db: Db,
  { config, except }: { config: StorageConfigRow; except: Exceptions },
): Promise<number> {
  const { sharedBytes, promisedBytes } = await storageUsageRepository(db).sums(
    config.id,
    except,
    ctx.clock.nowMs(),
  )
  const indexed = await indexedUsage({ ...ctx, db }, config.id)
  return indexed.bytes + sharedBytes + promisedBytes
}

/** Returns the used bytes of a storage, including uploads in progress. */
export const usageOf = (ctx: Needs<'clock' | 'db'>, config: StorageConfigRow): Promise<number> =>
  usedBytes(ctx, ctx.db, { config, except: {} })

const tooLarge = (limit: number, cause?: unknown) =>
  new AppError(fileErrors.too_large, { params: { limit: formatBytes(limit) }, cause })

/** @param o `sizeBytes` is `null` if the exact size is unknown. */
function storageFull(
  config: StorageConfigRow,
  { sizeBytes, remaining, cause }: { sizeBytes: number | null; remaining: number; cause?: unknown },
): AppError {
  const remainingText = formatWholeBytes(remaining, Math.floor)
  return new AppError(fileErrors.storage_full, {
    params: {
      size: sizeBytes === null ? `> ${remainingText}` : formatWholeBytes(sizeBytes, Math.ceil),
      remaining: remainingText,
      capacity: formatWholeBytes(config.total_storage_bytes ?? 0, Math.floor),
    },
    cause,
  })
}

/** Returns the lower of two limits: the limit in the settings, and the limit of the storage's provider. */
async function limitFor(ctx: Needs<'db'>, { config, isSealed }: RoomClaim): Promise<number> {
  const limit = await maxUploadBytes(ctx)
  return Math.min(isSealed ? sealedSizeLimit(limit) : limit, objectMaxBytes(config.provider_type))
}

async function roomOf(ctx: Needs<'clock'>, db: Db, { claim, limit }: Decision): Promise<number> {
  if (claim.sizeBytes > limit) throw tooLarge(limit)
  let remaining = await remainingBytes(ctx, db, claim)
  // Checks again, because a write that ended during the first check could have been counted twice.
  if (claim.sizeBytes > remaining) remaining = await remainingBytes(ctx, db, claim)
  if (claim.sizeBytes > remaining) throw storageFull(claim.config, { sizeBytes: claim.sizeBytes, remaining })
  return Math.min(limit, remaining)
}

/**
 * Checks all limits. Call before every write, and again with the real size if the size was unknown.
 * @returns the maximum bytes of the write.
 * @throws {AppError} `file.too_large` above the limit in the settings or of the provider, `file.storage_full` above the
 * capacity
 */
export async function requireRoom(ctx: Needs<'clock' | 'db'>, claim: RoomClaim): Promise<number> {
  return roomOf(ctx, ctx.db, { claim, limit: await limitFor(ctx, claim) })
}

/** Checks the capacity for copies. The limit in the settings does not apply. @throws {AppError} `file.storage_full` */
export async function requireCapacity(ctx: Needs<'clock' | 'db'>, claim: RoomClaim): Promise<void> {
  await roomOf(ctx, ctx.db, { claim, limit: Number.POSITIVE_INFINITY })
}

/** Whether an error means that the upload is too large or the storage is full, so that a retry is pointless. */
export const isWithoutRoom = (error: unknown): boolean =>
  error instanceof AppError && (error.spec === fileErrors.too_large || error.spec === fileErrors.storage_full)

export const isTooLarge = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'storage.too_large'

/** Returns the error for a body that was longer than {@link requireRoom} allowed. */
export async function brokenLimit(
  ctx: Needs<'clock' | 'db'>,
  claim: RoomClaim,
  cause?: unknown,
): Promise<AppError> {
  const limit = await limitFor(ctx, claim)
  const remaining = await remainingBytes(ctx, ctx.db, claim)
  if (remaining < limit) return storageFull(claim.config, { sizeBytes: null, remaining, cause })
  return tooLarge(limit, cause)
}

/**
 * Reserves space of a known size, so that two concurrent writes cannot both take the last free bytes.
 * @param hold stores the reservation, in a transaction that is serialized per storage.
 * @returns the maximum bytes of the write.
 * @throws {AppError} the errors of {@link requireRoom}
 */
export async function takeRoom(
  ctx: Needs<'clock' | 'database' | 'db'>,
  claim: RoomClaim,
  hold: (trx: Db) => Promise<unknown>,
): Promise<number> {
  return takeWithin(ctx, { claim, limit: await limitFor(ctx, claim) }, hold)
}

async function takeWithin(
  ctx: Needs<'clock' | 'database'>,
  { claim, limit }: Decision,
  hold: (trx: Db) => Promise<unknown>,
): Promise<number> {
  return ctx.database.transaction(async (trx) => {
    if (claim.config.total_storage_bytes !== null) await storageUsageRepository(trx).lock(claim.config.id)
    const maxBytes = await roomOf(ctx, trx, { claim, limit })
    await hold(trx)
    return maxBytes
  })
}

/** A write of unknown size extends its reservation by as many bytes as have arrived so far, within these limits. */
const STEP_BYTES = { min: 256 * 1024, max: 8 * 1024 * 1024 }

export interface Room {
  /** Maximum bytes of the write. */
  readonly maxBytes: number
  /**
   * Extends the reservation. Call this with the new total before storing more bytes. Returns `undefined` if the new
   * total is already reserved.
   * @throws {StorageError} `storage.too_large` if no space is left
   */
  readonly grow: (totalBytes: number) => Promise<void> | undefined
}

const isHeldAlready = (): undefined => undefined

const heldBytes = ({ sizeBytes, replacesBytes = 0 }: RoomClaim) => Math.max(0, sizeBytes - replacesBytes)

/** Reserves space, and renews the reservation while `work` runs. */
async function whileHeld<T>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs'>,
  { claim, limit }: Decision,
  work: (held: { id: string; maxBytes: number }) => Promise<T>,
): Promise<T> {
  const id = newId()
  const row = {
    id,
    storage_config_id: claim.config.id,
    size_bytes: heldBytes(claim),
    expires_at_ms: ctx.clock.nowMs() + LEASE_MS,
  }
  const repository = storageUsageRepository(ctx.db)
  const maxBytes = await takeWithin(ctx, { claim, limit }, (trx) => storageUsageRepository(trx).reserve(row))
  const beat = setInterval(() => {
    ctx.jobs.background('storage-usage.lease', async () => {
      await repository.prolong(id, ctx.clock.nowMs() + LEASE_MS)
    })
  }, HEARTBEAT_MS)
  try {
    return await work({ id, maxBytes })
  } finally {
    clearInterval(beat)
    await repository.release(id)
  }
}

/** Returns a function that extends a reservation step by step as bytes arrive. */
function growing(
  ctx: Needs<'clock' | 'database'>,
  claim: RoomClaim,
  { id, limit }: { id: string; limit: number },
): Room['grow'] {
  let grantedBytes = claim.sizeBytes
  async function grow(totalBytes: number): Promise<void> {
    const except = { ...claim.except, reservationId: id }
    // First tries a whole step, then only the bytes that have arrived, so that the last free bytes can be used.
    const stepBytes = Math.min(Math.max(totalBytes, STEP_BYTES.min), STEP_BYTES.max)
    for (const sizeBytes of [Math.min(limit, totalBytes + stepBytes), totalBytes]) {
      const next = { ...claim, sizeBytes: Math.max(sizeBytes, totalBytes), except }
      const hold = (trx: Db) => storageUsageRepository(trx).resize(id, heldBytes(next))
      try {
        await takeWithin(ctx, { claim: next, limit: Number.POSITIVE_INFINITY }, hold)
        grantedBytes = next.sizeBytes
        return
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
    }
    throw new StorageError('storage.too_large', 'The storage has no room for more of the body.')
  }
  return (totalBytes) => (totalBytes <= grantedBytes ? undefined : grow(totalBytes))
}

/**
 * Runs a write within reserved space. If its size is unknown, space is reserved as bytes arrive.
 * @param write gets the reserved space, and fails with `storage.too_large` if it would exceed `maxBytes`. The function
 * must add the stored object to the index before it returns.
 * @throws {AppError} the errors of {@link requireRoom}, also during the write
 */
export async function withinRoom<T>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs'>,
  claim: RoomClaim,
  write: (room: Room) => Promise<T>,
): Promise<T> {
  try {
    if (claim.config.total_storage_bytes === null)
      return await write({ maxBytes: await requireRoom(ctx, claim), grow: isHeldAlready })
    const limit = await limitFor(ctx, claim)
    return await whileHeld(ctx, { claim, limit }, ({ id, maxBytes }) =>
      claim.sizeBytes > 0
        ? write({ maxBytes, grow: isHeldAlready })
        : write({ maxBytes: limit, grow: growing(ctx, claim, { id, limit }) }),
    )
  } catch (error) {
    throw isTooLarge(error) ? await brokenLimit(ctx, claim, error) : error
  }
}

/**
 * Runs copies of a known size within reserved space. Only the capacity is checked. `work` must add the stored objects
 * to the index before it returns.
 * @throws {AppError} `file.storage_full`
 */
export async function withCapacity<T>(
  ctx: Needs<'clock' | 'database' | 'db' | 'jobs'>,
  claim: RoomClaim,
  work: () => Promise<T>,
): Promise<T> {
  if (claim.config.total_storage_bytes === null) return work()
  return whileHeld(ctx, { claim, limit: Number.POSITIVE_INFINITY }, work)
}

/** Returns the number and bytes of reservations left by dead processes. */
export const deadReservations = (ctx: Needs<'clock' | 'db'>): Promise<{ count: number; bytes: number }> =>
  storageUsageRepository(ctx.db).sumExpired(ctx.clock.nowMs())

export async function releaseDeadReservations(ctx: Needs<'clock' | 'db'>): Promise<void> {
  await storageUsageRepository(ctx.db).releaseExpired(ctx.clock.nowMs())
}

/** Deletes all reservations. Call only at startup, and only if no other process is running. */
export async function releaseAllReservations(ctx: Needs<'db'>): Promise<void> {
  await storageUsageRepository(ctx.db).releaseAll()
}
