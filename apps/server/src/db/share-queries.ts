import type { Opening, ShareFilter } from '@dropleaf/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'

/** Conditions and changes that apply to shares of all kinds. */

/** Columns that every kind of share has. */
interface ShareColumns {
  slug: string
  search_text: string
  password_hash: string | null
  created_by: string | null
  created_at_ms: number
  expires_at_ms: number | null
  max_views: number | null
  views: number
  purged_at_ms: number | null
  grace_until_ms: number | null
  opening: Opening
}

export interface ShareQuery extends Partial<ShareFilter> {
  /** Creator as stored. The query compares it exactly. */
  readonly createdBy?: string | undefined
  /** Whether the tombstones of used-up shares that required confirmation match too, see {@link isSeenByOwner}. */
  readonly hasOpened?: boolean | undefined
  /** Whether the share was created without an API key. */
  readonly isByAdmin?: boolean | undefined
  /** Latest creation time, inclusive. */
  readonly madeUntilMs?: number | undefined
}

const KEY_CREATORS = 'apikey:%'
const ESCAPE = '\\'

/** Returns a LIKE pattern for a substring, with its wildcards escaped. */
const patternOf = (words: string) =>
  `%${words.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `${ESCAPE}${sign}`)}%`

type Shares = ExpressionBuilder<{ shares: ShareColumns }, 'shares'>

/** Builds a condition on columns that all tables of shares have in common. */
const onShares =
  (condition: (eb: Shares) => Expression<SqlBool>) =>
  <Table extends 'pastes' | 'files' | 'bundles'>(
    builder: ExpressionBuilder<Record<Table, ShareColumns>, Table>,
  ): Expression<SqlBool> =>
    condition(builder as unknown as Shares)

const expiredAt = (nowMs: number) => (eb: Shares) => eb('expires_at_ms', '<=', nowMs)
const usedUp = (eb: Shares) =>
  eb.and([eb('max_views', 'is not', null), eb('views', '>=', eb.ref('max_views'))])
const overAt = (nowMs: number) => (eb: Shares) => eb.or([expiredAt(nowMs)(eb), usedUp(eb)])
/** Matches expired shares, and used-up shares that no device can reopen. */
const releasedAt = (nowMs: number) => (eb: Shares) =>
  eb.or([
    expiredAt(nowMs)(eb),
    eb.and([usedUp(eb), eb.or([eb('grace_until_ms', 'is', null), eb('grace_until_ms', '<=', nowMs)])]),
  ])
const isUnexpired = (nowMs: number) => (eb: Shares) =>
  eb.and([
    eb('purged_at_ms', 'is', null),
    eb.or([eb('expires_at_ms', 'is', null), eb('expires_at_ms', '>', nowMs)]),
  ])
const hasViews = (eb: Shares) => eb.or([eb('max_views', 'is', null), eb('views', '<', eb.ref('max_views'))])
const aliveAt = (nowMs: number) => (eb: Shares) => eb.and([isUnexpired(nowMs)(eb), hasViews(eb)])
const changeableAt = (nowMs: number) => (eb: Shares) =>
  eb.and([isUnexpired(nowMs)(eb), eb.or([hasViews(eb), eb('grace_until_ms', '>', nowMs)])])
const seenByOwner = (eb: Shares) =>
  eb.or([eb('purged_at_ms', 'is', null), eb.and([eb('opening', '=', 'ask'), usedUp(eb)])])

export const hasExpired = (nowMs: number) => onShares(expiredAt(nowMs))
export const isUsedUp = onShares(usedUp)
/** Matches shares whose contents can be deleted: expired shares, and used-up shares that no device can reopen. */
export const isReleased = (nowMs: number) => onShares(releasedAt(nowMs))
/** Returns the later of a share's `grace_until_ms` and another time. */
const laterGrace = (untilMs: number) =>
  sql<number>`case when coalesce(grace_until_ms, 0) > ${untilMs} then grace_until_ms else ${untilMs} end`
/** Returns the values that a view changes. The contents of the share are retained until `graceUntilMs`. */
export const viewTaken = (graceUntilMs: number) => ({
  views: sql<number>`views + 1`,
  grace_until_ms: laterGrace(graceUntilMs),
})
/** Increments the generation, which invalidates links of earlier openings. */
export const nextGeneration = () => ({ generation: sql<number>`generation + 1` })
/** Adds the next generation to a change that makes a share require confirmation. */
export const withGeneration = <Change extends { readonly opening?: Opening }>(change: Change) => ({
  ...change,
  ...(change.opening === 'ask' ? nextGeneration() : {}),
})
/** Values that reset a share, as if it had never been opened. */
export const ARMED = { views: 0, grace_until_ms: null } as const
/** Matches shares that open directly although they have a view limit, either of one creator or of all creators. */
export const isLimitedDirect = ({ createdBy }: { readonly createdBy?: string | undefined }) =>
  onShares((eb) =>
    eb.and([
      eb('opening', '=', 'direct'),
      eb('max_views', 'is not', null),
      eb('purged_at_ms', 'is', null),
      ...(createdBy === undefined ? [] : [eb('created_by', '=', createdBy)]),
    ]),
  )
/**
 * Matches shares that can be opened, or that a device can reopen. A concurrent sweep does not purge matching shares.
 */
export const isChangeable = (nowMs: number) => onShares(changeableAt(nowMs))
/**
 * Matches shares that their owner sees: shares with contents, and tombstones of used-up shares that required
 * confirmation. A tombstone shows the owner that the share was opened.
 */
export const isSeenByOwner = onShares(seenByOwner)
/** Matches shares that are neither expired nor used up nor purged. */
export const isAlive = (nowMs: number) => onShares(aliveAt(nowMs))

/** Matches lower-case text that contains the words, ignoring their case. */
const hasWords = (folded: Expression<unknown>, words: string) =>
  sql<SqlBool>`${folded} like ${patternOf(words)} escape ${sql.lit(ESCAPE)}`

/** Searches the content and the remark of text shares whose `search_text` is empty. */
export const textHasWords = (words: string) =>
  sql<SqlBool>`(search_text = '' and (${hasWords(sql`lower(content)`, words)} or ${hasWords(sql`lower(remark)`, words)}))`

/**
 * Filters a query on a table of shares. Excludes purged shares. With `hasOpened`, includes the tombstones that their
 * owner sees.
 * @param hasWordsItself matches shares by content that is not in their search text
 */
export const matchesShare = (
  query: ShareQuery,
  nowMs: number,
  hasWordsItself?: (words: string) => Expression<SqlBool>,
) =>
  onShares((eb) => {
    const conditions: Expression<SqlBool>[] = [
      query.hasOpened ? seenByOwner(eb) : eb('purged_at_ms', 'is', null),
    ]
    if (query.createdBy !== undefined) conditions.push(eb('created_by', '=', query.createdBy))
    if (query.isByAdmin) {
      conditions.push(eb.or([eb('created_by', 'is', null), eb('created_by', 'not like', KEY_CREATORS)]))
    }
    if (query.madeUntilMs !== undefined) conditions.push(eb('created_at_ms', '<=', query.madeUntilMs))
    if (query.protected === true) conditions.push(eb('password_hash', 'is not', null))
    if (query.protected === false) conditions.push(eb('password_hash', 'is', null))
    if (query.state === 'over') conditions.push(overAt(nowMs)(eb))
    if (query.state === 'active') conditions.push(aliveAt(nowMs)(eb))
    if (query.search) {
      conditions.push(
        eb.or([
          hasWords(eb.ref('search_text'), query.search),
          hasWords(eb.fn('lower', ['slug']), query.search),
          ...(hasWordsItself ? [hasWordsItself(query.search)] : []),
        ]),
      )
    }
    return eb.and(conditions)
  })

/** Returns the number of the 24-hour period in which a share was created, counted from `sinceMs`. */
export const dayOf = (sinceMs: number) =>
  sql<number>`cast((created_at_ms - ${sinceMs}) / 86400000 as integer)`
