import { requestErrors } from '@dropleaf/contract'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { ThrottlesTable } from './throttles.table.ts'

/** At most `limit` attempts within a window that starts with the first. */
export interface ThrottleRule {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
}

const SHARE_WINDOW_SECONDS = 10 * 60
const SHARE_GUESSES_PER_ADDRESS = 20
/** Far above the one per address, so that a stranger cannot close a share for everybody. */
const SHARE_GUESSES = 300

/** Limits on guessing the password of one share (`share` names it), per address and in all. */
export const shareGuessRules = (share: string, network: string): ThrottleRule[] => [
  { key: `${share}:${network}`, limit: SHARE_GUESSES_PER_ADDRESS, windowSeconds: SHARE_WINDOW_SECONDS },
  { key: share, limit: SHARE_GUESSES, windowSeconds: SHARE_WINDOW_SECONDS },
]

/** Wrong guesses, counted in the database, so that restarts and replicas count together. */
export interface Throttles {
  /**
   * Checks a guess. Only wrong ones count. Guesses under the same first rule are checked one after another, and those
   * under another rule once all running ones together could reach its limit, so that a burst cannot pass before its
   * failures are counted.
   * @param isRight does the check.
   * @returns the result of `isRight`.
   * @throws {AppError} `request.rate_limited` once a limit is reached, with the seconds until its window ends; also if
   * too many guesses of the same rule are waiting.
   */
  guess(rules: readonly ThrottleRule[], isRight: () => Promise<boolean>): Promise<boolean>
  /** Counts one under every rule. @returns whether every count is within its limit. */
  count(rules: readonly ThrottleRule[]): Promise<boolean>
  /** Whether anything was counted under a rule within its window. */
  has(rule: Pick<ThrottleRule, 'key'>): Promise<boolean>
  /** @throws {AppError} `request.rate_limited` when a limit is reached; counts nothing. */
  check(rules: readonly ThrottleRule[]): Promise<void>
  /** Removes windows that are over. Returns how many. */
  sweep(): Promise<number>
}

const MAX_WAITING = 500
const BUSY_RETRY_SECONDS = 5

/** Runs works of the same key one after the other. */
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
  /** Those that nobody waited for. */
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

export function createThrottles(database: Kysely<ThrottlesOnly & object>, clock: Clock): Throttles {
  const db = database as unknown as Kysely<ThrottlesOnly>

  async function count(rule: ThrottleRule, nowMs: number) {
    const endsAtMs = nowMs + rule.windowSeconds * 1000
    return db
      .insertInto('throttles')
      .values({ key: rule.key, count: 1, window_ends_at_ms: endsAtMs })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when throttles.window_ends_at_ms <= ${nowMs} then 1 else throttles.count + 1 end`,
          window_ends_at_ms: sql<number>`case when throttles.window_ends_at_ms <= ${nowMs} then ${endsAtMs} else throttles.window_ends_at_ms end`,
        }),
      )
      .returning(['count', 'window_ends_at_ms'])
      .executeTakeFirstOrThrow()
  }

  const inTurn = createQueues()

  const find = (key: string) =>
    db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst()

  async function check(rules: readonly ThrottleRule[]): Promise<void> {
    const nowMs = clock.nowMs()
    for (const rule of rules) {
      const row = await find(rule.key)
      if (row && row.count >= rule.limit && row.window_ends_at_ms > nowMs) {
        throw limited(row.window_ends_at_ms, nowMs)
      }
    }
  }

  async function countAll(rules: readonly ThrottleRule[]): Promise<boolean> {
    const nowMs = clock.nowMs()
    let isWithin = true
    for (const rule of rules) {
      const row = await count(rule, nowMs)
      if (row.count > rule.limit) isWithin = false
    }
    return isWithin
  }

  const underWay = new Map<string, UnderWay>()

  /** Does `work` beside others of the rule as long as all of them together cannot reach its limit, otherwise after them. */
  async function withinLimit<T>({ key, limit }: ThrottleRule, work: () => Promise<T>): Promise<T> {
    const others = underWay.get(key) ?? { all: 0, free: new Set() }
    underWay.set(key, others)
    others.all += 1
    try {
      const before = others.all
      const row = await find(key)
      const counted = row !== undefined && row.window_ends_at_ms > clock.nowMs() ? row.count : 0
      // A guess counted meanwhile is already among the earlier ones.
      if (counted + Math.max(before, others.all) > limit)
        return await inTurn(key, async () => {
          await Promise.allSettled(others.free)
          return work()
        })
      const done = work()
      others.free.add(done)
      return await done.finally(() => others.free.delete(done))
    } finally {
      others.all -= 1
      if (others.all === 0) underWay.delete(key)
    }
  }

  return {
    guess(rules, isRight) {
      const [first, ...further] = rules
      const work = async () => {
        await check(rules)
        const wasRight = await isRight()
        if (!wasRight) await countAll(rules)
        return wasRight
      }
      const all = further.reduce((inner, rule) => () => withinLimit(rule, inner), work)
      return inTurn(first?.key ?? '', all)
    },
    count: countAll,
    async has({ key }) {
      const row = await find(key)
      return row !== undefined && row.window_ends_at_ms > clock.nowMs()
    },
    check,
    async sweep() {
      const gone = await db
        .deleteFrom('throttles')
        .where('window_ends_at_ms', '<=', clock.nowMs())
        .executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
  }
}
