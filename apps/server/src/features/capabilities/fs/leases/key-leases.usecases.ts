import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import { compareKeys } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import type { StorageName } from '../../../../lib/object-names.ts'
import { createKeyLeases } from './key-leases.memory.ts'
import { type KeyLeasesStore, sharedKeyLeases } from './key-leases.repository.ts'

const HEARTBEAT_MS = 15_000
/** After this time the leases of a dead process expire. */
const LEASE_MS = 4 * HEARTBEAT_MS
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

const stores = new WeakMap<AppContext['database'], KeyLeasesStore>()

/** With SQLite there is one process, so leases are in its memory. */
export function storeOf({ database }: AppContext): KeyLeasesStore {
  const known = stores.get(database)
  if (known) return known
  const store = database.engine === 'sqlite' ? createKeyLeases() : sharedKeyLeases(database)
  stores.set(database, store)
  return store
}

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
    this.#store = storeOf(ctx)
  }

  /** Takes all of the names or none, at once. @returns whether they were free. */
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
    // Whoever waited for them may have given up meanwhile.
    if (this.#isOver) {
      await this.#store.releaseAll(this.#holder)
      throw new Error('Names were taken for work that is over.')
    }
    for (const [word, name] of wanted) this.#held.set(word, name)
    this.#keepAlive()
    return true
  }

  /** The same, and waits until they are free. */
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
   * Holds those leases while `work` runs that are free within `waitMs`, for work that already holds others: it never
   * waits without a limit. @param work gets the set of keys it holds.
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

  #keepAlive(): void {
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

/** How long a write waits for a copy or move to its name. */
const WRITE_WAIT_MS = 20_000

/**
 * Takes a name for a write, right before it shows: a copy or move that has looked at the name must not replace what comes.
 * @throws {AppError} `request.unavailable` when a copy or move has it for long
 */
export async function takeForWrite(holds: KeyLeases, name: StorageName): Promise<void> {
  // Hardly ever anybody has it, and thousands of timers a minute would wait for nothing.
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
  storeOf(ctx).hasAny({ configId, keys, nowMs: ctx.clock.nowMs() })

/** The same, after waiting as long as a write does for them to be free. @returns whether they are not. */
export async function stayHeld(ctx: AppContext, configId: string, keys: readonly string[]): Promise<boolean> {
  const untilMs = performance.now() + WRITE_WAIT_MS
  while (await areHeld(ctx, configId, keys)) {
    if (performance.now() > untilMs) return true
    await sleep(FIRST_WAIT_MS * (1 + Math.random()))
  }
  return false
}

/**
 * Waits until those who have names below a folder at this moment have given them back; who takes one later sees what was done
 * before this was called. @param key of the folder, without its slash. @returns whether they have, within the time that a write waits.
 */
export async function settleBelow(ctx: AppContext, { configId, key }: StorageName): Promise<boolean> {
  const untilMs = performance.now() + WRITE_WAIT_MS
  const prefix = key === '' ? '' : `${key}/`
  const look = () => storeOf(ctx).holdersIn({ configId, prefix, nowMs: ctx.clock.nowMs() })
  let left = await look()
  while (left.size > 0) {
    if (performance.now() > untilMs) return false
    await sleep(FIRST_WAIT_MS * (0.5 + Math.random()))
    const now = await look()
    left = new Set([...left].filter((holder) => now.has(holder)))
  }
  return true
}

/** Forgets what dead processes held. */
export async function releaseDeadHolds(ctx: AppContext): Promise<void> {
  await storeOf(ctx).deleteExpired(ctx.clock.nowMs())
}
