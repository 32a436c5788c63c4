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

/** Attempts counted in the database, so that restarts and replicas count together. */
export interface Throttles {
  /**
   * Counts an attempt under every rule before it is checked.
   * @throws {AppError} `request.rate_limited` with the seconds until the window ends.
   */
  attempt(rules: readonly ThrottleRule[]): Promise<void>
  /** Takes attempts back that turned out to be right. */
  succeed(rules: readonly ThrottleRule[]): Promise<void>
  /** @throws {AppError} `request.rate_limited` when the limit is reached; counts nothing. */
  check(rules: readonly ThrottleRule[]): Promise<void>
  /** Removes windows that are over. Returns how many. */
  sweep(): Promise<number>
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

  return {
    async attempt(rules) {
      const nowMs = clock.nowMs()
      for (const rule of rules) {
        const row = await count(rule, nowMs)
        if (row.count > rule.limit) throw limited(row.window_ends_at_ms, nowMs)
      }
    },
    async succeed(rules) {
      for (const rule of rules) {
        await db
          .updateTable('throttles')
          .set({ count: sql<number>`count - 1` })
          .where('key', '=', rule.key)
          .where('count', '>', 0)
          .execute()
      }
    },
    async check(rules) {
      const nowMs = clock.nowMs()
      for (const rule of rules) {
        const row = await db
          .selectFrom('throttles')
          .selectAll()
          .where('key', '=', rule.key)
          .executeTakeFirst()
        if (row && row.count >= rule.limit && row.window_ends_at_ms > nowMs)
          throw limited(row.window_ends_at_ms, nowMs)
      }
    },
    async sweep() {
      const gone = await db
        .deleteFrom('throttles')
        .where('window_ends_at_ms', '<=', clock.nowMs())
        .executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
  }
}
