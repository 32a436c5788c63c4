import { fileErrors } from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { formatBytes } from '../../lib/sizes.ts'
import type { Db } from '../../schema.ts'
import { indexedUsage } from '../search/object-index.usecases.ts'
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

/** What a decision rests on that needs no transaction. */
interface Facts {
  /** Bytes of the largest file that may be uploaded. */
  readonly limit: number
  readonly indexedBytes: number
}

async function factsFor(ctx: AppContext, { config }: RoomClaim): Promise<Facts> {
  const isLimited = config.total_storage_bytes !== null
  return {
    limit: await maxUploadBytes(ctx),
    indexedBytes: isLimited ? (await indexedUsage(ctx, config.id)).bytes : 0,
  }
}

/**
 * Bytes that a write may have by the storage's capacity; `Infinity` without one. What is stored is what the index knows,
 * or what the shares sum up to while it knows less; what is on its way is added.
 */
async function remainingBytes(
  ctx: AppContext,
  db: Db,
  { claim, facts }: { claim: RoomClaim; facts: Facts },
): Promise<number> {
  const { config, except = {}, replacesBytes = 0 } = claim
  const capacity = config.total_storage_bytes
  if (capacity === null) return Number.POSITIVE_INFINITY
  const { sharedBytes, promisedBytes } = await storageUsageRepository(db).sums(
    config.id,
    except,
    ctx.clock.nowMs(),
  )
  const usedBytes = Math.max(facts.indexedBytes, sharedBytes) + promisedBytes
  return Math.max(0, capacity - usedBytes + replacesBytes)
}

const tooLarge = (limit: number, cause?: unknown) =>
  new AppError(fileErrors.too_large, { params: { limit: formatBytes(limit) }, cause })

function storageFull(
  config: StorageConfigRow,
  { sizeBytes, remaining, cause }: { sizeBytes: number; remaining: number; cause?: unknown },
): AppError {
  return new AppError(fileErrors.storage_full, {
    params: {
      size: formatBytes(sizeBytes),
      remaining: formatBytes(remaining),
      capacity: formatBytes(config.total_storage_bytes ?? 0),
    },
    cause,
  })
}

async function roomOf(
  ctx: AppContext,
  db: Db,
  decision: { claim: RoomClaim; facts: Facts },
): Promise<number> {
  const { claim, facts } = decision
  if (claim.sizeBytes > facts.limit) throw tooLarge(facts.limit)
  const remaining = await remainingBytes(ctx, db, decision)
  if (claim.sizeBytes > remaining) throw storageFull(claim.config, { sizeBytes: claim.sizeBytes, remaining })
  return Math.min(facts.limit, remaining)
}

/**
 * The one decision about limits: every write asks it beforehand, and again with the real size where only that tells.
 * @returns the most bytes that the write may have.
 * @throws {AppError} `file.too_large` above the setting, `file.storage_full` above the capacity
 */
export async function requireRoom(ctx: AppContext, claim: RoomClaim): Promise<number> {
  return roomOf(ctx, ctx.db, { claim, facts: await factsFor(ctx, claim) })
}

/**
 * The same for what is not an upload, copies of any number of objects: the capacity alone decides.
 * @throws {AppError} `file.storage_full`
 */
export async function requireCapacity(ctx: AppContext, claim: RoomClaim): Promise<void> {
  const facts = { ...(await factsFor(ctx, claim)), limit: Number.POSITIVE_INFINITY }
  await roomOf(ctx, ctx.db, { claim, facts })
}

/** Whether a failed write was one of too many bytes. */
export const isTooLarge = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'storage.too_large'

/** Which limit a body broke that was longer than {@link requireRoom} allowed. */
export async function brokenLimit(ctx: AppContext, claim: RoomClaim, cause?: unknown): Promise<AppError> {
  const facts = await factsFor(ctx, claim)
  const { limit } = facts
  const remaining = await remainingBytes(ctx, ctx.db, { claim, facts })
  if (remaining < limit) return storageFull(claim.config, { sizeBytes: remaining + 1, remaining, cause })
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
  const { limit } = await factsFor(ctx, claim)
  return ctx.database.transaction(async (trx) => {
    await storageUsageRepository(trx).lock(claim.config.id)
    // Read under the lock: what another write reserved a moment ago may be stored by now.
    const facts = { limit, indexedBytes: (await indexedUsage({ ...ctx, db: trx }, claim.config.id)).bytes }
    const maxBytes = await roomOf(ctx, trx, { claim, facts })
    await hold(trx)
    return maxBytes
  })
}

async function reserve(ctx: AppContext, claim: RoomClaim): Promise<{ id: string; maxBytes: number }> {
  const id = newId()
  const row = {
    id,
    storage_config_id: claim.config.id,
    size_bytes: Math.max(0, claim.sizeBytes - (claim.replacesBytes ?? 0)),
    expires_at_ms: ctx.clock.nowMs() + LEASE_MS,
  }
  return { id, maxBytes: await takeRoom(ctx, claim, (trx) => storageUsageRepository(trx).reserve(row)) }
}

/**
 * Runs a write within its room, which nobody else gets meanwhile.
 * @param write gets the most bytes it may write, and fails with `storage.too_large` beyond them. It notes what it stored
 *   before it ends: from then on the index counts it.
 * @throws {AppError} as {@link requireRoom}, also by the bytes that came
 */
export async function withinRoom<T>(
  ctx: AppContext,
  claim: RoomClaim,
  write: (maxBytes: number) => Promise<T>,
): Promise<T> {
  const isLimited = claim.config.total_storage_bytes !== null && claim.sizeBytes > 0
  const held = isLimited ? await reserve(ctx, claim) : null
  const repository = storageUsageRepository(ctx.db)
  const beat =
    held &&
    setInterval(() => {
      ctx.jobs.background('storage-usage.lease', async () => {
        await repository.prolong(held.id, ctx.clock.nowMs() + LEASE_MS)
      })
    }, HEARTBEAT_MS)
  try {
    return await write(held?.maxBytes ?? (await requireRoom(ctx, claim)))
  } catch (error) {
    throw isTooLarge(error) ? await brokenLimit(ctx, claim, error) : error
  } finally {
    if (beat) clearInterval(beat)
    if (held) await repository.release(held.id)
  }
}

/** Forgets what writes of dead processes held. */
export async function releaseDeadReservations(ctx: AppContext): Promise<void> {
  await storageUsageRepository(ctx.db).releaseExpired(ctx.clock.nowMs())
}

/** The same at a start that no other process runs beside. */
export async function releaseAllReservations(ctx: AppContext): Promise<void> {
  await storageUsageRepository(ctx.db).releaseAll()
}
