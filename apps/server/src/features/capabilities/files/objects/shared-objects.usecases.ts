import type { Needs } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../db/database.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import { driverOf, getConfig } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import { settleRemovalOf } from './removals.usecases.ts'
import { type RowMove, sharedObjectsRepository } from './shared-objects.repository.ts'

/**
 * Updates shares when their objects are written, moved or deleted through another interface, such as WebDAV. Code that
 * writes objects calls `claimKeys` before the write, and `sharesReplaced` after the write. Code that moves objects
 * calls `claimKeys` with the targets, copies the objects, calls `sharesMoved`, and then deletes the sources. Code that
 * deletes objects calls `sharesRemoved` at the end. All functions accept any number of objects.
 */

export interface ObjectMove {
  readonly from: string
  readonly to: string
  /** Etag of the object at `to`, if known. It can differ from the etag of the source. */
  readonly etag?: string | undefined
}

export interface ReplacedObject {
  readonly key: string
  readonly sizeBytes: number
  readonly etag: string
  readonly sha256?: string | null
}

interface Keys {
  readonly configId: string
  readonly keys: readonly string[]
}

const TRIES = 3

/** Runs `work` again if another request takes a key in the meantime. */
async function settled(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work()
      return
    } catch (error) {
      if (tries >= TRIES || !isUniqueViolation(error)) throw error
    }
  }
}

/**
 * Prepares keys for writing, so that no scheduled deletion and no abandoned share upload deletes the new objects.
 * Pending share uploads to these keys fail. Committed shares are unchanged.
 * @returns whether any of the keys has a committed share or a complete object of a bundle
 * @throws {AppError} `request.unavailable` if a scheduled deletion is not finished in time
 */
export async function claimKeys(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'storage'>,
  { configId, keys }: Keys,
): Promise<{ isShared: boolean }> {
  const repository = sharedObjectsRepository(ctx.db, configId)
  for (;;) {
    const uses = await repository.usesOf(keys)
    const removal = uses.find((use) => use.share_id === null)
    const pending = uses.filter((use) => use.committed_at_ms === null).flatMap((use) => use.share_id ?? [])
    await repository.delete(pending)
    if (!removal) return { isShared: uses.length > pending.length }
    await settleRemovalOf(ctx, { configId, key: removal.storage_key })
  }
}

export async function sharesReplaced(
  ctx: Needs<'clock' | 'db'>,
  { configId, objects }: { configId: string; objects: readonly ReplacedObject[] },
): Promise<void> {
  const keys = objects.map((object) => object.key)
  const nowMs = ctx.clock.nowMs()
  const repository = sharedObjectsRepository(ctx.db, configId)
  const uses = await repository.usesOf(keys)
  // Cancels scheduled deletions of the keys. A share can be deleted while its object is being overwritten, and the
  // deletion must not delete the new object.
  const removals = uses.filter((use) => use.share_id === null)
  if (removals.length > 0) await repository.cancelRemovals(removals.map((use) => use.storage_key))
  const shared = new Set(uses.filter((use) => use.share_id !== null).map((use) => use.storage_key))
  for (const object of objects)
    if (shared.has(object.key)) await repository.replace({ ...object, sha256: object.sha256 ?? null }, nowMs)
}

/** Deletes the shares of deleted objects. Does not delete pending uploads, because their bytes may still arrive. */
export async function sharesRemoved(ctx: Needs<'database'>, { configId, keys }: Keys): Promise<void> {
  await ctx.database.transaction((trx) => sharedObjectsRepository(trx, configId).deleteCommitted(keys))
}

interface Moved {
  readonly configId: string
  /** Storage of the objects after the move, if it differs from `configId`. */
  readonly toConfigId?: string
  readonly moves: readonly ObjectMove[]
}

/** @returns the keys of shares whose object was overwritten by an object without a share */
async function moveRows(
  ctx: Needs<'clock' | 'database'>,
  { configId, toConfigId, moves }: Required<Moved>,
): Promise<string[]> {
  return ctx.database.transaction(async (trx) => {
    const source = sharedObjectsRepository(trx, configId)
    const target = sharedObjectsRepository(trx, toConfigId)
    const byFrom = new Map(moves.map((move) => [move.from, move]))
    const moving: RowMove[] = (await source.holding([...byFrom.keys()])).map(({ id, storage_key }) => {
      const move = byFrom.get(storage_key)
      return { id, to: move?.to ?? storage_key, etag: move?.etag ?? null }
    })
    const ids = new Set(moving.map((row) => row.id))
    const taken = new Set(moving.map((row) => row.to))
    const there = (await target.holding(moves.map((move) => move.to))).filter((row) => !ids.has(row.id))
    const isOver = (row: (typeof there)[number]) => taken.has(row.storage_key) || row.committed_at_ms === null
    await target.delete(there.filter(isOver).map((row) => row.id))
    if (configId === toConfigId && moving.some((row) => byFrom.has(row.to))) await source.unplace([...ids])
    await target.place(moving, ctx.clock.nowMs())
    return there.filter((row) => !isOver(row)).map((row) => row.storage_key)
  })
}

/**
 * Moves shares with their objects. Call when the objects have been copied to their new keys. If an object overwrites
 * the object of another share, that share refers to the new object. If the new object already has a share, that share
 * replaces the other share. The moves can form chains and cycles (`a` to `b`, `b` to `a`).
 */
export async function sharesMoved(
  ctx: Needs<'clock' | 'database' | 'db' | 'storage'>,
  { configId, toConfigId = configId, moves }: Moved,
): Promise<void> {
  const real = moves.filter(({ from, to }) => from !== to || configId !== toConfigId)
  let overwritten: string[] = []
  await settled(async () => {
    overwritten = await moveRows(ctx, { configId, toConfigId, moves: real })
  })
  if (overwritten.length === 0) return
  const driver = await driverOf(ctx, await getConfig(ctx, toConfigId))
  for (const key of overwritten) {
    const stat = await driver.stat(keyOnRecord(driver, key))
    if (stat) await sharesReplaced(ctx, { configId: toConfigId, objects: [stat] })
  }
}

/**
 * Moves the shares of objects that were moved without calling {@link sharesMoved}.
 * @param from old prefix (`a/`) or key
 * @param to new prefix or key
 */
export async function sharesCatchUp(
  ctx: Needs<'clock' | 'database' | 'db' | 'storage'>,
  { configId, from, to }: { configId: string; from: string; to: string },
): Promise<void> {
  const driver = await driverOf(ctx, await getConfig(ctx, configId))
  const moves: ObjectMove[] = []
  for (const { storage_key } of await sharedObjectsRepository(ctx.db, configId).below(from)) {
    const target = to + storage_key.slice(from.length)
    if (await driver.stat(keyOnRecord(driver, storage_key))) continue
    const stat = await driver.stat(keyOnRecord(driver, target))
    if (stat) moves.push({ from: storage_key, to: target, etag: stat.etag })
  }
  await sharesMoved(ctx, { configId, moves })
}
