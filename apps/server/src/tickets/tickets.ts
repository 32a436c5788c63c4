import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { randomText } from '../lib/ids.ts'
import type { TicketsTable } from './tickets.table.ts'

/**
 * Issues tokens for URLs that work once, for a short time, without a credential. Browsers need such URLs for downloads,
 * because they send no custom headers. Also stores grants.
 */
export interface Tickets {
  /** @returns the token for a URL. Only its hash is stored. */
  issue(
    kind: string,
    payload: unknown,
    o: { seconds: number },
  ): Promise<{ token: string; expiresAtMs: number }>
  /** Consumes a ticket. @returns its payload, or `undefined` if the ticket is unknown, used or expired */
  take(kind: string, token: string): Promise<unknown>
  /** @returns the payload of a ticket without consuming it, or `undefined` as {@link take} */
  find(kind: string, token: string): Promise<unknown>
  /**
   * Grants access under a name that the caller chooses. The grant can be used any number of times until it expires or
   * is replaced.
   */
  grant(kind: string, name: string, o: { seconds: number; payload: unknown }): Promise<void>
  /** @returns the payload of a grant, or `undefined`. */
  findGrant(kind: string, name: string): Promise<unknown>
  sweep(): Promise<void>
}

interface TicketsOnly {
  tickets: TicketsTable
}

const TOKEN_LENGTH = 32

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function createTickets(database: Kysely<TicketsOnly & object>, clock: Clock): Tickets {
  const db = database as unknown as Kysely<TicketsOnly>
  return {
    async issue(kind, payload, { seconds }) {
      const token = randomText(TOKEN_LENGTH)
      const expiresAtMs = clock.nowMs() + seconds * 1000
      await db
        .insertInto('tickets')
        .values({
          token_hash: hashOf(token),
          kind,
          payload: JSON.stringify(payload),
          expires_at_ms: expiresAtMs,
        })
        .execute()
      return { token, expiresAtMs }
    },
    async take(kind, token) {
      const row = await db
        .deleteFrom('tickets')
        .where('token_hash', '=', hashOf(token))
        .where('kind', '=', kind)
        .where('expires_at_ms', '>', clock.nowMs())
        .returning('payload')
        .executeTakeFirst()
      return row && JSON.parse(row.payload)
    },
    async find(kind, token) {
      const row = await db
        .selectFrom('tickets')
        .select('payload')
        .where('token_hash', '=', hashOf(token))
        .where('kind', '=', kind)
        .where('expires_at_ms', '>', clock.nowMs())
        .executeTakeFirst()
      return row && JSON.parse(row.payload)
    },
    async grant(kind, name, { seconds, payload: given }) {
      const payload = JSON.stringify(given)
      const expires_at_ms = clock.nowMs() + seconds * 1000
      await db
        .insertInto('tickets')
        .values({ token_hash: hashOf(`${kind}:${name}`), kind, payload, expires_at_ms })
        .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ payload, expires_at_ms }))
        .execute()
    },
    async findGrant(kind, name) {
      const row = await db
        .selectFrom('tickets')
        .select('payload')
        .where('token_hash', '=', hashOf(`${kind}:${name}`))
        .where('expires_at_ms', '>', clock.nowMs())
        .executeTakeFirst()
      return row && JSON.parse(row.payload)
    },
    async sweep() {
      await db.deleteFrom('tickets').where('expires_at_ms', '<=', clock.nowMs()).execute()
    },
  }
}
