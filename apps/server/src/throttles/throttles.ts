import { requestErrors } from '@dropleaf/contract'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { ThrottlesTable } from './throttles.table.ts'

/** Allows at most `limit` attempts within a window that starts with the first attempt. */
export interface ThrottleRule {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /**
   * If set, attempts after the limit is reached are refused for this long, instead of until the end of the window.
   */
  readonly pauseSeconds?: number
}

const SHARE_WINDOW_SECONDS = 10 * 60
const SHARE_GUESSES_PER_ADDRESS = 20
/**
 * Maximum number of wrong guesses per share. It is far above the limit per address, so that one address cannot block a
 * share for all users.
 */
const SHARE_GUESSES = 300

/** Returns the limits on guesses of one share's password, per address and in total. */
export const shareGuessRules = (share: string, network: string): ThrottleRule[] => [
  { key: `${share}:${network}`, limit: SHARE_GUESSES_PER_ADDRESS, windowSeconds: SHARE_WINDOW_SECONDS },
  { key: share, limit: SHARE_GUESSES, windowSeconds: SHARE_WINDOW_SECONDS },
]

const MAX_WAITING = 500
const BUSY_RETRY_SECONDS = 5

/** Runs work with the same key one after another. */
function createQueues() {
  const tails = new Map<string, { last: Promise<unknown>; waiting: number }>()
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = tails.get(key) ?? { last: Promise.resolve(), waiting: 0 }
    if (queue.waiting >= MAX_WAITING) {
      throw new AppError(requestErrors.rate_limited, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    const turn = queue.last.then(work, work)
    tails.set(key, { last: turn.catch(() => undefined), waiting: queue.waiting + 1 })
    try {
      return await turn
    } finally {
      const now = tails.get(key)
      if (now && now.waiting > 1) tails.set(key, { ...now, waiting: now.waiting - 1 })
      else tails.delete(key)
    }
  }
}

/** Running guesses of one rule in this process. */
interface UnderWay {
  all: number
  /** Guesses that run concurrently. */
  readonly free: Set<Promise<unknown>>
}

interface ThrottlesOnly {
  throttles: ThrottlesTable
}

function limited(windowEndsAtMs: number, nowMs: number): AppError {
  return new AppError(requestErrors.rate_limited, {
    retryAfterSeconds: Math.max(1, Math.ceil((windowEndsAtMs - nowMs) / 1000)),
  })
}

/**
 * Counts attempts, such as wrong guesses, in the database, so that the counts survive restarts and include all
 * replicas.
 */
export class Throttles {
  readonly #db: Kysely<ThrottlesOnly>
  readonly #clock: Clock
  readonly #inTurn = createQueues()
  readonly #underWay = new Map<string, UnderWay>()

  constructor(db: Kysely<ThrottlesOnly & object>, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Checks a guess. Only wrong guesses count. Guesses under the same first rule are checked one after another. Guesses
   * under a further rule run concurrently only while all running guesses together cannot reach the limit of the rule.
   * Otherwise a burst of guesses could pass before the failures are counted.
   * @param isRight does the check
   * @returns the result of `isRight`
   * @throws {AppError} `request.rate_limited` once a limit is reached, with the seconds until its window ends; also if
   * too many guesses of the same rule are waiting
   */
  guess(rules: readonly ThrottleRule[], isRight: () => Promise<boolean>): Promise<boolean> {
    const [first, ...further] = rules
    const work = async () => {
      await this.check(rules)
      const wasRight = await isRight()
      if (!wasRight) await this.count(rules)
      return wasRight
    }
    const all = further.reduce((inner, rule) => () => this.#withinLimit(rule, inner), work)
    return this.#inTurn(first?.key ?? '', all)
  }

  /** Counts one attempt under every rule. @returns whether every count is within its limit */
  async count(rules: readonly ThrottleRule[]): Promise<boolean> {
    const nowMs = this.#clock.nowMs()
    let isWithin = true
    for (const rule of rules) {
      const row = await this.#countOne(rule, nowMs)
      if (row.count > rule.limit) isWithin = false
    }
    return isWithin
  }

  /** Whether an attempt was counted under a rule within its window. */
  async has({ key }: Pick<ThrottleRule, 'key'>): Promise<boolean> {
    const row = await this.#find(key)
    return row !== undefined && row.window_ends_at_ms > this.#clock.nowMs()
  }

  /** Checks the rules without counting an attempt. @throws {AppError} `request.rate_limited` if a limit is reached */
  async check(rules: readonly ThrottleRule[]): Promise<void> {
    const nowMs = this.#clock.nowMs()
    for (const rule of rules) {
      const row = await this.#find(rule.key)
      if (row && row.count >= rule.limit && row.window_ends_at_ms > nowMs) {
        throw limited(row.window_ends_at_ms, nowMs)
      }
    }
  }

  /** Resets a rule, as if nothing had been counted. */
  async forget({ key }: Pick<ThrottleRule, 'key'>): Promise<void> {
    await this.#db.deleteFrom('throttles').where('key', '=', key).execute()
  }

  /** @returns the number of deleted windows */
  async sweep(): Promise<number> {
    const gone = await this.#db
      .deleteFrom('throttles')
      .where('window_ends_at_ms', '<=', this.#clock.nowMs())
      .executeTakeFirst()
    return Number(gone.numDeletedRows)
  }

  #countOne(rule: ThrottleRule, nowMs: number) {
    const endsAtMs = nowMs + rule.windowSeconds * 1000
    const pausedUntil =
      rule.pauseSeconds === undefined
        ? sql`throttles.window_ends_at_ms`
        : sql`case when throttles.count + 1 = ${rule.limit} then ${nowMs + rule.pauseSeconds * 1000} else throttles.window_ends_at_ms end`
    return this.#db
      .insertInto('throttles')
      .values({ key: rule.key, count: 1, window_ends_at_ms: endsAtMs })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when throttles.window_ends_at_ms <= ${nowMs} then 1 else throttles.count + 1 end`,
          window_ends_at_ms: sql<number>`case when throttles.window_ends_at_ms <= ${nowMs} then ${endsAtMs} else ${pausedUntil} end`,
        }),
      )
      .returning(['count', 'window_ends_at_ms'])
      .executeTakeFirstOrThrow()
  }

  #find(key: string) {
    return this.#db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst()
  }

  /**
   * Runs `work` concurrently as long as all guesses under the rule together cannot reach its limit. Otherwise runs one
   * guess after another.
   */
  async #withinLimit<T>({ key, limit }: ThrottleRule, work: () => Promise<T>): Promise<T> {
    const others = this.#underWay.get(key) ?? { all: 0, free: new Set() }
    this.#underWay.set(key, others)
    others.all += 1
    try {
      const before = others.all
      const row = await this.#find(key)
      const counted = row !== undefined && row.window_ends_at_ms > this.#clock.nowMs() ? row.count : 0
      // During the query, guesses can end and others can start. `before` includes those that ended, `others.all` those
      // that started.
      if (counted + Math.max(before, others.all) > limit)
        return await this.#inTurn(key, async () => {
          await Promise.allSettled(others.free)
          return work()
        })
      const done = work()
      others.free.add(done)
      return await done.finally(() => others.free.delete(done))
    } finally {
      others.all -= 1
      if (others.all === 0) this.#underWay.delete(key)
    }
  }
}
