import { fileErrors } from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { formatBytes, formatWholeBytes } from '../../../lib/sizes.ts'
import type { Db } from '../../../schema.ts'
import { indexedUsage } from '../object-index/object-index.usecases.ts'
import { maxUploadBytes } from '../settings/settings.usecases.ts'
import type { StorageConfigRow } from '../storage-configs/storage-configs.table.ts'
import { type Exceptions, storageUsageRepository } from './storage-usage.repository.ts'

/** What is about to be written. */
export interface RoomClaim {
  readonly config: StorageConfigRow
  /** 0 while nobody knows. */
  readonly sizeBytes: number
  /** Size of the object that is overwritten: its room comes free. */
  readonly replacesBytes?: number
  /** What is counted already and becomes this write. */
  readonly except?: Exceptions
}

const HEARTBEAT_MS = 60_000
const LEASE_MS = 3 * HEARTBEAT_MS

interface Decision {
  readonly claim: RoomClaim
  /** Bytes of the largest file that may be uploaded. */
  readonly limit: number
}

/**
 * Bytes that a write may have by the storage's capacity; `Infinity` without one. What is stored is what the index knows, which
 * is without the objects of shares, and what these sum up to; what is on its way is added.
 */
async function remainingBytes(ctx: AppContext, db: Db, claim: RoomClaim): Promise<number> {
  const { config, except = {}, replacesBytes = 0 } = claim
  const capacity = config.total_storage_bytes
  if (capacity === null) return Number.POSITIVE_INFINITY
  return Math.max(0, capacity - (await usedBytes(ctx, db, { config, except })) + replacesBytes)
}

/**
 * What is on its way is asked first: a write gives its room back when the index has counted it, so that between the two
 * questions it is counted twice rather than not at all.
 */
async function usedBytes(
  ctx: AppContext,
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

/** Bytes that a storage holds, with those that are on their way to it. */
export const usageOf = (ctx: AppContext, config: StorageConfigRow): Promise<number> =>
  usedBytes(ctx, ctx.db, { config, except: {} })

const tooLarge = (limit: number, cause?: unknown) =>
  new AppError(fileErrors.too_large, { params: { limit: formatBytes(limit) }, cause })

/** @param o `sizeBytes`: `null` for more than there is room for. */
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

async function roomOf(ctx: AppContext, db: Db, { claim, limit }: Decision): Promise<number> {
  if (claim.sizeBytes > limit) throw tooLarge(limit)
  let remaining = await remainingBytes(ctx, db, claim)
  // What was counted twice, while it changed from one count to the other, is counted once now.
  if (claim.sizeBytes > remaining) remaining = await remainingBytes(ctx, db, claim)
  if (claim.sizeBytes > remaining) throw storageFull(claim.config, { sizeBytes: claim.sizeBytes, remaining })
  return Math.min(limit, remaining)
}

/**
 * The one decision about limits: every write asks it beforehand, and again with the real size where only that tells.
 * @returns the most bytes that the write may have.
 * @throws {AppError} `file.too_large` above the setting, `file.storage_full` above the capacity
 */
export async function requireRoom(ctx: AppContext, claim: RoomClaim): Promise<number> {
  return roomOf(ctx, ctx.db, { claim, limit: await maxUploadBytes(ctx) })
}

/**
 * The same for what is not an upload, copies of any number of objects: the capacity alone decides.
 * @throws {AppError} `file.storage_full`
 */
export async function requireCapacity(ctx: AppContext, claim: RoomClaim): Promise<void> {
  await roomOf(ctx, ctx.db, { claim, limit: Number.POSITIVE_INFINITY })
}

/** Whether an upload was refused for good: it is too large, or there is no room for it. */
export const isWithoutRoom = (error: unknown): boolean =>
  error instanceof AppError && (error.spec === fileErrors.too_large || error.spec === fileErrors.storage_full)

/** Whether a failed write was one of too many bytes. */
export const isTooLarge = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'storage.too_large'

/** Which limit a body broke that was longer than {@link requireRoom} allowed. */
export async function brokenLimit(ctx: AppContext, claim: RoomClaim, cause?: unknown): Promise<AppError> {
  const limit = await maxUploadBytes(ctx)
  const remaining = await remainingBytes(ctx, ctx.db, claim)
  if (remaining < limit) return storageFull(claim.config, { sizeBytes: null, remaining, cause })
  return tooLarge(limit, cause)
}

/**
 * Room of a known size that nobody else gets from then on: two writes at once must not both take the last of it.
 * @param hold writes down what takes the room, in a transaction that waits for others of the same storage.
 * @returns the most bytes that the write may have.
 * @throws {AppError} as {@link requireRoom}
 */
export async function takeRoom(
  ctx: AppContext,
  claim: RoomClaim,
  hold: (trx: Db) => Promise<unknown>,
): Promise<number> {
  return takeWithin(ctx, { claim, limit: await maxUploadBytes(ctx) }, hold)
}

async function takeWithin(
  ctx: AppContext,
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

/** Bytes that a write of unknown size asks for at a time: as much as came, within these. */
const STEP_BYTES = { min: 256 * 1024, max: 8 * 1024 * 1024 }

/** Room that a write has while it runs. */
export interface Room {
  /** No more bytes than this. */
  readonly maxBytes: number
  /**
   * Asked before more bytes are stored, with the sum of all so far. Nothing to wait for while they are held already.
   * @throws {StorageError} `storage.too_large` when nothing is left
   */
  readonly grow: (totalBytes: number) => Promise<void> | undefined
}

const isHeldAlready = (): undefined => undefined

const heldBytes = ({ sizeBytes, replacesBytes = 0 }: RoomClaim) => Math.max(0, sizeBytes - replacesBytes)

/** Holds the room of a claim while `work` runs, and keeps telling that it does. */
async function whileHeld<T>(
  ctx: AppContext,
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

/** Holds more room, step by step, as bytes of unknown number come. */
function growing(
  ctx: AppContext,
  claim: RoomClaim,
  { id, limit }: { id: string; limit: number },
): Room['grow'] {
  let grantedBytes = claim.sizeBytes
  async function grow(totalBytes: number): Promise<void> {
    const except = { ...claim.except, reservationId: id }
    // Small rests of room are given too: first a whole step is tried, then just what came.
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
 * Runs a write within its room, which nobody else gets meanwhile. Where its size is unknown, it asks for room as bytes come.
 * @param write gets the most bytes it may write, and fails with `storage.too_large` beyond them. It notes what it stored
 *   before it ends: from then on the index counts it.
 * @throws {AppError} as {@link requireRoom}, also by the bytes that came
 */
export async function withinRoom<T>(
  ctx: AppContext,
  claim: RoomClaim,
  write: (room: Room) => Promise<T>,
): Promise<T> {
  try {
    if (claim.config.total_storage_bytes === null)
      return await write({ maxBytes: await requireRoom(ctx, claim), grow: isHeldAlready })
    const limit = await maxUploadBytes(ctx)
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
 * Runs copies of a known size within the capacity, which alone decides; nobody else gets their room meanwhile. `work` notes
 * what it stored before it ends.
 * @throws {AppError} `file.storage_full`
 */
export async function withCapacity<T>(ctx: AppContext, claim: RoomClaim, work: () => Promise<T>): Promise<T> {
  if (claim.config.total_storage_bytes === null) return work()
  return whileHeld(ctx, { claim, limit: Number.POSITIVE_INFINITY }, work)
}

/** How many writes of dead processes hold room still, and how much. */
export const deadReservations = (ctx: AppContext): Promise<{ count: number; bytes: number }> =>
  storageUsageRepository(ctx.db).sumExpired(ctx.clock.nowMs())

/** Forgets what writes of dead processes held. */
export async function releaseDeadReservations(ctx: AppContext): Promise<void> {
  await storageUsageRepository(ctx.db).releaseExpired(ctx.clock.nowMs())
}

/** The same at a start that no other process runs beside. */
export async function releaseAllReservations(ctx: AppContext): Promise<void> {
  await storageUsageRepository(ctx.db).releaseAll()
}
