import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import { compareKeys } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import type { StorageName } from '../../../../lib/object-names.ts'
import type { KeyLeasesStore } from './key-leases.repository.ts'

const HEARTBEAT_MS = 15_000
/** After this time the leases of a dead process expire. */
const LEASE_MS = 4 * HEARTBEAT_MS
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

const wordOf = ({ configId, key }: StorageName) => `${configId}:${key}`

/** Several leases are taken and released in the sort order of the database, which prevents deadlocks. */
const inOrder = (a: StorageName, b: StorageName) =>
  compareKeys(a.configId, b.configId) || compareKeys(a.key, b.key)

/**
 * Most buckets overwrite an existing target: checking and then copying is safe only if nobody else writes in between,
 * in this process or another. So a copy or move holds leases on its object keys.
 */
export class KeyLeases implements AsyncDisposable {
  readonly #ctx: AppContext
  readonly #holder = newId()
  readonly #owner: string
  readonly #store: KeyLeasesStore
  readonly #held = new Map<string, StorageName>()
  #beat: NodeJS.Timeout | undefined
  #isOver = false

  constructor(ctx: AppContext, work?: string) {
    this.#ctx = ctx
    this.#owner = work ?? this.#holder
    this.#store = ctx.state.keyLeases
  }

  /** Leases all of the keys or none, without waiting. @returns whether they were free. */
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
    // The caller may have stopped waiting for them.
    if (this.#isOver) {
      await this.#store.releaseAll(this.#holder)
      throw new Error('Leases were taken for work that has ended.')
    }
    for (const [word, name] of wanted) this.#held.set(word, name)
    this.#renewPeriodically()
    return true
  }

  /** Leases all of the keys, waiting until they are free. */
  async takeInTurn(names: readonly StorageName[], signal?: AbortSignal): Promise<void> {
    for (
      let waitMs = FIRST_WAIT_MS;
      !(await this.take(names));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    )
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
  }

  /** Holds leases in one storage while `work` runs. */
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
   * Leases those keys that become free within `waitMs`, while `work` runs; for work that already holds leases, which must not
   * wait without a limit.
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
   * Takes leases one by one, of which some may be held for a moment. It waits only for keys that sort after those it
   * already holds, so there is no deadlock.
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
 * Leases for one piece of work. Work that waits for leases holds none that others wait for, so there is no deadlock:
 * leases that belong together are taken together.
 * @param work another run of it takes over the leases of a dead one; without it nobody does.
 */
export const openLeases = (ctx: AppContext, work?: string): KeyLeases => new KeyLeases(ctx, work)

/** How long a write waits for a copy or move that has leased its key. */
const WRITE_WAIT_MS = 20_000

/**
 * Leases a key for a write, right before its commit: a copy or move that has checked the key must not overwrite the new object.
 * @throws {AppError} `request.unavailable` if a copy or move holds the lease for long
 */
export async function takeForWrite(holds: KeyLeases, name: StorageName): Promise<void> {
  // Usually free: tries without a timer first, since thousands of timers per minute would be wasted.
  if (await holds.take([name])) return
  const patience = AbortSignal.timeout(WRITE_WAIT_MS)
  try {
    await holds.takeInTurn([name], patience)
  } catch (error) {
    throw patience.aborted ? new AppError(requestErrors.unavailable, { cause: error }) : error
  }
}

/** Whether somebody holds a lease on one of these keys. */
export const areHeld = (ctx: AppContext, configId: string, keys: readonly string[]): Promise<boolean> =>
  ctx.state.keyLeases.hasAny({ configId, keys, nowMs: ctx.clock.nowMs() })

/** Waits, as a write does, until the leases are free. @returns whether they are still held. */
export async function stayHeld(ctx: AppContext, configId: string, keys: readonly string[]): Promise<boolean> {
  const untilMs = performance.now() + WRITE_WAIT_MS
  while (await areHeld(ctx, configId, keys)) {
    if (performance.now() > untilMs) return true
    await sleep(FIRST_WAIT_MS * (1 + Math.random()))
  }
  return false
}

/**
 * Waits until current leases below a folder are released; holders of later ones see the changes made before this call.
 * @param key of the folder, without its slash.
 * @returns whether they were released within the time limit of a write.
 */
export async function settleBelow(ctx: AppContext, { configId, key }: StorageName): Promise<boolean> {
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

/** Deletes expired leases of dead processes. */
export async function releaseDeadHolds(ctx: AppContext): Promise<void> {
  await ctx.state.keyLeases.deleteExpired(ctx.clock.nowMs())
}
