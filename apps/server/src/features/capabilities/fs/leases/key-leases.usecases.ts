import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import { compareKeys } from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import type { StorageName } from '../../../../lib/object-names.ts'
import type { KeyLeasesStore } from './key-leases.repository.ts'

const HEARTBEAT_MS = 15_000
/** Lifetime of a lease in milliseconds. A running process renews its leases at every heartbeat. */
const LEASE_MS = 4 * HEARTBEAT_MS
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

const wordOf = ({ configId, key }: StorageName) => `${configId}:${key}`

/** Sorts leases in the order of the database, to prevent deadlocks. */
const inOrder = (a: StorageName, b: StorageName) =>
  compareKeys(a.configId, b.configId) || compareKeys(a.key, b.key)

/**
 * Leases on object keys that one operation holds, for example a copy, a move, a deletion or a write. Most buckets
 * overwrite an existing target. So a copy after a check of the target is safe only while no other operation, in any
 * process, writes to the target.
 */
export class KeyLeases implements AsyncDisposable {
  readonly #ctx: Needs<'clock' | 'jobs'>
  readonly #holder = newId()
  readonly #owner: string
  readonly #store: KeyLeasesStore
  readonly #held = new Map<string, StorageName>()
  #beat: NodeJS.Timeout | undefined
  #isOver = false

  constructor(ctx: Needs<'clock' | 'jobs' | 'state'>, work?: string) {
    this.#ctx = ctx
    this.#owner = work ?? this.#holder
    this.#store = ctx.state.keyLeases
  }

  /**
   * Leases all of the keys or none, without waiting.
   * @returns whether the keys were leased.
   */
  async take(names: readonly StorageName[]): Promise<boolean> {
    const wanted = new Map(
      names.filter((name) => !this.#held.has(wordOf(name))).map((name) => [wordOf(name), name]),
    )
    if (wanted.size === 0) return true
    const nowMs = this.#ctx.clock.nowMs()
    const rows = [...wanted.values()].sort(inOrder).map(({ configId, key }) => ({
      storage_config_id: configId,
      storage_key: key,
      holder: this.#holder,
      owner: this.#owner,
      expires_at_ms: nowMs + LEASE_MS,
    }))
    if (!(await this.#store.takeAll(rows, { owner: this.#owner, nowMs }))) return false
    // Releases the leases again if this set was disposed in the meantime.
    if (this.#isOver) {
      await this.#store.releaseAll(this.#holder)
      throw new Error('Leases were taken for work that has ended.')
    }
    for (const [word, name] of wanted) this.#held.set(word, name)
    this.#renewPeriodically()
    return true
  }

  /** Waits until all of the keys are free, and leases them. */
  async takeInTurn(names: readonly StorageName[], signal?: AbortSignal): Promise<void> {
    for (
      let waitMs = FIRST_WAIT_MS;
      !(await this.take(names));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    )
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
  }

  /** Leases keys of one storage while `work` runs. */
  async during<T>(
    configId: string,
    { keys, signal }: { keys: readonly string[]; signal?: AbortSignal },
    work: () => Promise<T>,
  ): Promise<T> {
    const more = keys.filter((key) => !this.#held.has(wordOf({ configId, key })))
    await this.takeInTurn(
      more.map((key) => ({ configId, key })),
      signal,
    )
    try {
      return await work()
    } finally {
      await this.#release(configId, more)
    }
  }

  /**
   * Leases the keys that become free within `waitMs`, while `work` runs. Used by operations that already hold leases,
   * because waiting without a limit could deadlock.
   * @param work gets the set of leased keys.
   */
  async duringMost<T>(
    configId: string,
    { keys, waitMs }: { keys: readonly string[]; waitMs: number },
    work: (isHeld: (key: string) => boolean) => Promise<T>,
  ): Promise<T> {
    const isHeld = (key: string) => this.#held.has(wordOf({ configId, key }))
    const more = keys.filter((key) => !isHeld(key))
    try {
      await this.#takeMost(
        more.map((key) => ({ configId, key })),
        waitMs,
      )
      return await work(isHeld)
    } finally {
      await this.#release(configId, more)
    }
  }

  async release({ configId, key }: StorageName): Promise<void> {
    await this.#release(configId, [key])
  }

  async releaseAll(): Promise<void> {
    clearInterval(this.#beat)
    this.#beat = undefined
    const [only] = this.#held.values()
    if (this.#held.size === 1 && only) await this.#store.release(this.#holder, only.configId, [only.key])
    else if (this.#held.size > 1) await this.#store.releaseAll(this.#holder)
    this.#held.clear()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await this.releaseAll()
  }

  #renewPeriodically(): void {
    this.#beat ??= setInterval(() => {
      this.#ctx.jobs.background('fs.key-holds', async () => {
        await this.#store.prolong(this.#holder, this.#ctx.clock.nowMs() + LEASE_MS)
      })
    }, HEARTBEAT_MS).unref()
  }

  /**
   * Leases as many of the keys as possible within `waitMs`. To prevent deadlocks, waits only for keys that sort after
   * all keys that this call has leased.
   */
  async #takeMost(names: readonly StorageName[], waitMs: number): Promise<void> {
    const patience = AbortSignal.timeout(waitMs)
    await this.#takeInOrder(names.toSorted(inOrder), patience)
  }

  async #takeInOrder(names: readonly StorageName[], patience: AbortSignal): Promise<void> {
    if (await this.take(names)) return
    if (names.length > 1) {
      const middle = names.length >> 1
      await this.#takeInOrder(names.slice(0, middle), patience)
      await this.#takeInOrder(names.slice(middle), patience)
      return
    }
    try {
      await this.takeInTurn(names, patience)
    } catch (error) {
      if (!patience.aborted) throw error
    }
  }

  async #release(configId: string, keys: readonly string[]): Promise<void> {
    await this.#store.release(this.#holder, configId, keys)
    for (const key of keys) this.#held.delete(wordOf({ configId, key }))
  }
}

/**
 * Creates a set of leases for one operation. To prevent deadlocks, an operation takes all the leases that it needs in
 * one call.
 * @param work ID of the operation. Its next run takes over the leases of a crashed run; without an ID, they must expire
 * first.
 */
export const openLeases = (ctx: Needs<'clock' | 'jobs' | 'state'>, work?: string): KeyLeases =>
  new KeyLeases(ctx, work)

/** How long a write waits for a lease on its key, in milliseconds. */
const WRITE_WAIT_MS = 20_000

/**
 * Leases a key right before a write's commit, so that no copy or move that has already checked the key overwrites the
 * new object.
 * @throws {AppError} `request.unavailable` if another operation does not release the key in time
 */
export async function takeForWrite(holds: KeyLeases, name: StorageName): Promise<void> {
  // Tries without a timer first, because the key is usually free and a timer per write would be wasteful.
  if (await holds.take([name])) return
  const patience = AbortSignal.timeout(WRITE_WAIT_MS)
  try {
    await holds.takeInTurn([name], patience)
  } catch (error) {
    throw patience.aborted ? new AppError(requestErrors.unavailable, { cause: error }) : error
  }
}

/** Returns whether any of the keys is leased. */
export const areHeld = (
  ctx: Needs<'clock' | 'state'>,
  configId: string,
  keys: readonly string[],
): Promise<boolean> => ctx.state.keyLeases.hasAny({ configId, keys, nowMs: ctx.clock.nowMs() })

/**
 * Waits until the leases are released, at most as long as a write would wait.
 * @returns whether they are still held.
 */
export async function stayHeld(
  ctx: Needs<'clock' | 'state'>,
  configId: string,
  keys: readonly string[],
): Promise<boolean> {
  const untilMs = performance.now() + WRITE_WAIT_MS
  while (await areHeld(ctx, configId, keys)) {
    if (performance.now() > untilMs) return true
    await sleep(FIRST_WAIT_MS * (1 + Math.random()))
  }
  return false
}

/**
 * Waits until current leases below a folder are released. Holders of later leases see the changes made before this
 * call.
 * @param key of the folder, without its slash.
 * @returns whether they were released within the time limit of a write.
 */
export async function settleBelow(
  ctx: Needs<'clock' | 'state'>,
  { configId, key }: StorageName,
): Promise<boolean> {
  const untilMs = performance.now() + WRITE_WAIT_MS
  const prefix = key === '' ? '' : `${key}/`
  const look = () => ctx.state.keyLeases.holdersIn({ configId, prefix, nowMs: ctx.clock.nowMs() })
  let left = await look()
  while (left.size > 0) {
    if (performance.now() > untilMs) return false
    await sleep(FIRST_WAIT_MS * (0.5 + Math.random()))
    const now = await look()
    left = new Set([...left].filter((holder) => now.has(holder)))
  }
  return true
}

/** Deletes expired leases. */
export async function releaseDeadHolds(ctx: Needs<'clock' | 'state'>): Promise<void> {
  await ctx.state.keyLeases.deleteExpired(ctx.clock.nowMs())
}
