import { randomUUID } from 'node:crypto'
import { webdavErrors } from '@dropleaf/contract'
import type { StorageDriver } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type StorageName, isBelowKey, nameAt, namesAround, parentKeyOf } from '../../../lib/object-names.ts'
import { type Actor, creatorOf } from '../identity/actor.models.ts'
import { type DavLockRow, locksRepository } from './locks.repository.ts'
import { pathOfObject } from '../mounts/mounts.usecases.ts'
import type { MountRow } from '../mounts/mounts.table.ts'
import { folderExists } from '../../../storage/walk.ts'

/** Whether a lock applies to a file or folder. */
export const covers = (lock: DavLockRow, { configId, key }: StorageName): boolean =>
  lock.storage_config_id === configId &&
  (lock.storage_key === key || (lock.is_deep === 1 && isBelowKey(key, lock.storage_key)))

const keyOfLock = (lock: DavLockRow): string => lock.storage_key

/** Returns a function that finds the locks on a file or folder, without scanning all locks. */
export function locksByName(locks: readonly DavLockRow[]): (name: StorageName) => DavLockRow[] {
  const byKey = Map.groupBy(locks, keyOfLock)
  return (name) =>
    [...namesAround(name.key), name.key]
      .flatMap((key) => byKey.get(key) ?? [])
      .filter((lock) => covers(lock, name))
}

/** Finds the locks that apply to a file or folder. */
export const locksOn = async (ctx: Needs<'clock' | 'db'>, name: StorageName): Promise<DavLockRow[]> =>
  (await locksRepository(ctx.db).findAround(name, ctx.clock.nowMs())).filter((lock) => covers(lock, name))

/** Finds the locks on the direct entries of a folder. */
export const locksIn = (ctx: Needs<'clock' | 'db'>, name: StorageName): Promise<DavLockRow[]> =>
  locksRepository(ctx.db).findBelow(name, ctx.clock.nowMs(), { isDirect: true })

/** Finds the locks on anything below a folder, except locks on the folder itself. */
const locksBelow = (ctx: Needs<'clock' | 'db'>, name: StorageName): Promise<DavLockRow[]> =>
  locksRepository(ctx.db).findBelow(name, ctx.clock.nowMs())

/**
 * Maximum number of locks per resource. The number is limited, because every response about the resource lists its
 * locks. Only shared locks can coexist, and hardly any client uses shared locks.
 */
const LOCKS_MAX = 32

const tally = (locks: readonly DavLockRow[]): Map<string, number> =>
  new Map([...Map.groupBy(locks, keyOfLock)].map(([key, own]) => [key, own.length]))

/** Returns the largest number of locks that apply to a single name. */
function mostOnOne(locks: readonly DavLockRow[]): number {
  const own = tally(locks)
  const deep = tally(locks.filter((lock) => lock.is_deep === 1))
  const on = (key: string) =>
    namesAround(key).reduce((sum, around) => sum + (deep.get(around) ?? 0), own.get(key) ?? 0)
  return [...own.keys()].reduce((most, key) => Math.max(most, on(key)), 0)
}

export interface LockRequest {
  readonly name: StorageName
  readonly isExclusive: boolean
  /** The `DAV:owner` element, or an empty string. */
  readonly ownerXml: string
  readonly isDeep: boolean
  readonly timeoutSeconds: number
}

/**
 * Takes a lock unless an existing lock conflicts. An exclusive lock conflicts with any other lock.
 * @returns the lock, or the conflicting locks.
 * @throws {AppError} `webdav.locks_full`
 */
export async function takeLock(
  ctx: Needs<'clock' | 'database'>,
  actor: Actor,
  { name, isDeep, isExclusive, ownerXml, timeoutSeconds }: LockRequest,
): Promise<{ lock: DavLockRow } | { conflicts: DavLockRow[] }> {
  return ctx.database.transaction(async (trx) => {
    const repository = locksRepository(trx)
    await repository.holdStorage(name.configId)
    const nowMs = ctx.clock.nowMs()
    const others = (await repository.findAround(name, nowMs)).filter((lock) => covers(lock, name))
    if (isDeep) others.push(...(await repository.findBelow(name, nowMs)))
    const conflicts = others.filter((other) => isExclusive || other.is_exclusive === 1)
    if (conflicts.length > 0) return { conflicts }
    if (mostOnOne(others) >= LOCKS_MAX) throw new AppError(webdavErrors.locks_full)
    const lock: DavLockRow = {
      token: randomUUID(),
      storage_config_id: name.configId,
      storage_key: name.key,
      is_deep: isDeep ? 1 : 0,
      is_exclusive: isExclusive ? 1 : 0,
      owner_xml: ownerXml,
      created_by: creatorOf(actor),
      timeout_seconds: timeoutSeconds,
      expires_at_ms: nowMs + timeoutSeconds * 1000,
    }
    await repository.insert(lock)
    return { lock }
  })
}

/**
 * Extends the locks on a resource for which the request contains a token.
 * @throws {AppError} `webdav.condition_failed` if the request contains no token of a lock on the resource
 */
export async function refreshLocks(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  {
    name,
    tokens,
    timeoutSeconds,
  }: { name: StorageName; tokens: ReadonlySet<string>; timeoutSeconds: number },
): Promise<DavLockRow[]> {
  const shown = (await locksOn(ctx, name)).filter((lock) => isShown(lock, actor, tokens))
  if (shown.length === 0) throw new AppError(webdavErrors.condition_failed)
  const times = {
    timeout_seconds: timeoutSeconds,
    expires_at_ms: ctx.clock.nowMs() + timeoutSeconds * 1000,
  }
  await locksRepository(ctx.db).prolong(
    shown.map(({ token }) => token),
    times,
  )
  return shown.map((lock) => ({ ...lock, ...times }))
}

/**
 * Releases a lock. Only the lock's creator and administrators are allowed to release it.
 * @throws {AppError} `webdav.lock_unknown` for a missing, unknown or expired token, or a token of another resource or
 * creator
 */
export async function releaseLock(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  { name, token }: { name: StorageName; token: string | null },
): Promise<void> {
  const lock = token === null ? undefined : await locksRepository(ctx.db).find(token, ctx.clock.nowMs())
  const mayEnd = lock && (actor.kind === 'admin' || lock.created_by === creatorOf(actor))
  if (!mayEnd || !covers(lock, name)) throw new AppError(webdavErrors.lock_unknown)
  await locksRepository(ctx.db).delete(lock.token)
}

/** Releases a lock whose request failed. */
export const endLock = (ctx: Needs<'db'>, token: string): Promise<unknown> =>
  locksRepository(ctx.db).delete(token)

/** Whether the lock still exists and has not expired. Deleting a resource also deletes its locks. */
export const isLockAlive = async (ctx: Needs<'clock' | 'db'>, token: string): Promise<boolean> =>
  (await locksRepository(ctx.db).find(token, ctx.clock.nowMs())) !== undefined

/** Whether the request contains the lock's token. A token is valid only for the creator of the lock. */
const isShown = (lock: DavLockRow, actor: Actor, tokens: ReadonlySet<string>): boolean =>
  tokens.has(lock.token) && lock.created_by === creatorOf(actor)

/** A planned change to a file or folder. */
export interface Change {
  readonly place: {
    readonly config: { readonly id: string }
    readonly rest: string
    readonly mount: MountRow
    readonly driver: StorageDriver
  }
  /** Whether everything below the place changes too. */
  readonly isTree: boolean
  /** Whether the resource is created or deleted. Such a change also changes the parent folder. */
  readonly isMembership: boolean
}

/**
 * Refuses to change a locked resource, unless the caller created the lock and sends its token.
 * @throws {AppError} `webdav.locked` with the paths of the locked resources; folder paths end in a slash
 */
export async function requireUnlocked(
  ctx: Needs<'clock' | 'db'>,
  actor: Actor,
  { change, tokens }: { change: Change; tokens: ReadonlySet<string> },
): Promise<void> {
  const { place, isTree, isMembership } = change
  const name = nameAt(place)
  const { configId } = name
  const around = await locksRepository(ctx.db).findAround(name, ctx.clock.nowMs())
  const below = isTree ? await locksBelow(ctx, name) : []
  if (around.length + below.length === 0) return
  const holding = locksByName([...around, ...below])
  const parent = isMembership ? parentKeyOf(name.key) : null
  const changed = new Set([...(parent === null ? [] : [parent]), name.key, ...below.map(keyOfLock)])
  // If a resource has several shared locks, the token of one of them is enough.
  const inWay = [...changed]
    .map((key) => holding({ configId, key }))
    .filter((locks) => !locks.some((lock) => isShown(lock, actor, tokens)))
  const keys = new Set(inWay.flatMap((locks) => locks.map(keyOfLock)))
  if (keys.size === 0) return
  const details: Array<{ path: string; message: string }> = []
  for (const key of keys) {
    const isFolder =
      isBelowKey(name.key, key) || (await folderExists(place.driver, key === '' ? '' : `${key}/`))
    const slash = isFolder && key !== '' ? '/' : ''
    details.push({ path: pathOfObject(place.mount, key) + slash, message: webdavErrors.locked.code })
  }
  throw new AppError(webdavErrors.locked, { details })
}

export const sweepLocks = async (ctx: Needs<'clock' | 'db'>): Promise<void> => {
  await locksRepository(ctx.db).deleteExpired(ctx.clock.nowMs())
}
