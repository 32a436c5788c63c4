import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_KEY_PATTERN, requestErrors, rules } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Needs } from '../../context.ts'
import type { Job } from '../../jobs/scheduler.ts'
import { AppError } from '../../lib/app-error.ts'
import { InvalidRequestError } from '../core/route-adapter.ts'

/**
 * A client that lost a response can repeat the request with the same `Idempotency-Key`; the work is done only once.
 * Keys are in the database, so they work across replicas and restarts. Failures change nothing and are not stored, so
 * the next attempt does the work again.
 */

/** A stored response. */
export interface KeptAnswer {
  readonly status: number
  readonly body: object
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Runs the work of a request, unless it has already run for the same key and sender.
     * @returns the stored response, or the response of `work`.
     * @throws {AppError} `request.idempotency_key_reused`, `request.idempotency_in_progress`, or the error of `work`
     * @throws {InvalidRequestError} for a malformed key
     */
    once(
      request: FastifyRequest,
      work: () => Promise<KeptAnswer>,
    ): Promise<KeptAnswer & { isRepeated: boolean }>
  }
}

const KEPT_DAYS = 14
const DAY_MS = 24 * 3600 * 1000
/**
 * A request that is still open after this time counts as interrupted by a crash; the web app waits 30 s for a
 * response. If the first request is still running, the repeated request runs at the same time. A text that both
 * requests create has the same id, see {@link idOfCreation}.
 */
const ABANDONED_MS = 60_000
const IN_PROGRESS_RETRY_SECONDS = 2

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const named = z.object({
  [IDEMPOTENCY_KEY_HEADER]: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN, rules.idempotencyKey)),
})

/** Reads the idempotency key of a request. @throws {InvalidRequestError} for a malformed key */
function keyOf({ headers }: FastifyRequest): string | null {
  if (headers[IDEMPOTENCY_KEY_HEADER] === undefined) return null
  const { data, error } = named.safeParse(headers)
  if (error) throw new InvalidRequestError('headers', error.issues)
  return data[IDEMPOTENCY_KEY_HEADER]
}

/**
 * Returns the id for the resource that a request creates. Each repetition gets the same id, so that no second resource
 * is created, even if the first attempt was interrupted after its change. `null` without an idempotency key.
 * @param sender the caller, in the form in which creators are stored
 */
export function idOfCreation(request: FastifyRequest, sender: string): string | null {
  const key = keyOf(request)
  if (key === null) return null
  const hex = createHash('sha256')
    .update(JSON.stringify(['creation', sender, key]))
    .digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

async function claim(
  ctx: Needs<'clock' | 'db'>,
  row: { key_hash: string; fingerprint: string },
): Promise<KeptAnswer | null> {
  const nowMs = ctx.clock.nowMs()
  const inserted = await ctx.db
    .insertInto('idempotent_requests')
    .values({ ...row, started_at_ms: nowMs, status: null, answer: null })
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning('key_hash')
    .executeTakeFirst()
  if (inserted) return null
  const found = await ctx.db
    .selectFrom('idempotent_requests')
    .selectAll()
    .where('key_hash', '=', row.key_hash)
    .executeTakeFirst()
  const inProgress = new AppError(requestErrors.idempotency_in_progress, {
    retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS,
  })
  // If there is no row, the first attempt failed between the two statements, and its row was deleted.
  if (!found) throw inProgress
  if (found.fingerprint !== row.fingerprint) throw new AppError(requestErrors.idempotency_key_reused)
  if (found.status !== null && found.answer !== null)
    return { status: found.status, body: JSON.parse(found.answer) as object }
  if (nowMs - found.started_at_ms < ABANDONED_MS) throw inProgress
  const taken = await ctx.db
    .updateTable('idempotent_requests')
    .set({ started_at_ms: nowMs })
    .where('key_hash', '=', row.key_hash)
    .where('started_at_ms', '=', found.started_at_ms)
    .where('status', 'is', null)
    .returning('key_hash')
    .executeTakeFirst()
  if (!taken) throw inProgress
  return null
}

/**
 * Provides {@link FastifyInstance.once}. @param senderOf identifies the caller, because each caller's keys are separate
 */
export function installIdempotency(
  app: FastifyInstance,
  ctx: Needs<'clock' | 'db' | 'secrets'>,
  senderOf: (request: FastifyRequest) => string,
): void {
  app.decorate('once', async (request: FastifyRequest, work: () => Promise<KeptAnswer>) => {
    const key = keyOf(request)
    if (key === null) return { ...(await work()), isRepeated: false }
    const row = {
      key_hash: hashOf(senderOf(request), key),
      // The hash is keyed, because a body can contain a password and its other fields are stored beside the hash.
      fingerprint: ctx.secrets.fingerprint(
        hashOf(request.method, request.url, JSON.stringify(request.body ?? null)),
      ),
    }
    const kept = await claim(ctx, row)
    if (kept) return { ...kept, isRepeated: true }
    const ours = ctx.db.deleteFrom('idempotent_requests').where('key_hash', '=', row.key_hash)
    try {
      const answer = await work()
      await ctx.db
        .updateTable('idempotent_requests')
        .set({ status: answer.status, answer: JSON.stringify(answer.body) })
        .where('key_hash', '=', row.key_hash)
        .execute()
      return { ...answer, isRepeated: false }
    } catch (error) {
      await ours.where('status', 'is', null).execute()
      throw error
    }
  })
}

export const sweepIdempotencyJob = (ctx: Needs<'clock' | 'config' | 'db'>): Job => ({
  name: 'http.sweep-idempotency',
  everyMinutes: ctx.config.sweepMinutes,
  run: async () => {
    await ctx.db
      .deleteFrom('idempotent_requests')
      .where('started_at_ms', '<', ctx.clock.nowMs() - KEPT_DAYS * DAY_MS)
      .execute()
  },
})
