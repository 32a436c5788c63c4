import type { ShareKind, ShareSort } from '@dropleaf/contract'
import { sql } from 'kysely'
import { matchesShare, type ShareQuery, textHasWords } from '../../../db/share-queries.ts'
import type { Db } from '../../../schema.ts'

export interface SharesQuery {
  readonly kinds: readonly ShareKind[]
  readonly query: ShareQuery
  readonly nowMs: number
}

export interface SharesListing extends SharesQuery {
  readonly sort: ShareSort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

const SORT_COLUMNS = { created: 'created_at_ms', expires: 'expires_at_ms', views: 'views' } as const

const COMMON = [
  'id',
  'slug',
  'remark',
  'created_at_ms',
  'expires_at_ms',
  'max_views',
  'views',
  'password_hash',
  'created_by',
  'opening',
  'pin_hash',
  'purged_at_ms',
] as const

const kindOf = (kind: ShareKind) => sql<ShareKind>`cast(${sql.lit(kind)} as text)`.as('kind')
const noText = sql<string | null>`cast(null as text)`
const noNumber = sql<number | null>`cast(null as bigint)`
/** Sorts shares without an expiry as if they expired last. The `order by` of a union can only contain column names. */
const lasts = sql<number>`case when expires_at_ms is null then 1 else 0 end`.as('lasts')

class SharesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  #texts({ query, nowMs }: SharesQuery) {
    return this.#db.selectFrom('pastes').where(matchesShare(query, nowMs, textHasWords))
  }

  #files({ query, nowMs }: SharesQuery) {
    return this.#db
      .selectFrom('files')
      .where('committed_at_ms', 'is not', null)
      .where('bundle_id', 'is', null)
      .where(matchesShare(query, nowMs))
  }

  /** Drafts are not shares yet. */
  #bundles({ query, nowMs }: SharesQuery) {
    return this.#db.selectFrom('bundles').where('revision', '>', 0).where(matchesShare(query, nowMs))
  }

  #rows(kind: ShareKind, wanted: SharesQuery) {
    const texts = this.#texts(wanted)
      .select(COMMON)
      .select([
        'remark as title',
        noNumber.as('size_bytes'),
        noNumber.as('item_count'),
        noNumber.as('sealed'),
        noText.as('kdf'),
        lasts,
        kindOf('text'),
      ])
    const files = this.#files(wanted)
      .select(COMMON)
      .select([sql<string | null>`filename`.as('title'), sql<number | null>`size_bytes`.as('size_bytes')])
      .select([noNumber.as('item_count'), noNumber.as('sealed'), noText.as('kdf'), lasts, kindOf('file')])
    const bundles = this.#bundles(wanted)
      .select(COMMON)
      .select(['title', sql<number | null>`size_bytes`.as('size_bytes')])
      .select([sql<number | null>`item_count`.as('item_count'), 'sealed', 'kdf', lasts, kindOf('bundle')])
    // All queries select the same columns. Only the types of their tables differ.
    const rows = {
      text: texts,
      file: files as unknown as typeof texts,
      bundle: bundles as unknown as typeof texts,
    }
    return rows[kind]
  }

  /**
   * Lists a page of shares of several kinds in one common order. Shares with equal sort keys are ordered by id, in the
   * same direction.
   */
  async list({ sort, order, limit, offset, ...wanted }: SharesListing) {
    const [first, ...others] = wanted.kinds.map((kind) => this.#rows(kind, wanted))
    if (!first) return []
    return others
      .reduce((all, next) => all.unionAll(next), first)
      .$if(sort === 'expires', (q) => q.orderBy('lasts', order))
      .orderBy(SORT_COLUMNS[sort], order)
      .orderBy('id', order)
      .limit(limit)
      .offset(offset)
      .execute()
  }

  async count(wanted: SharesQuery): Promise<number> {
    const count = () => sql<number | string>`count(*)`.as('n')
    const queries = {
      text: () => this.#texts(wanted).select(count()).executeTakeFirstOrThrow(),
      file: () => this.#files(wanted).select(count()).executeTakeFirstOrThrow(),
      bundle: () => this.#bundles(wanted).select(count()).executeTakeFirstOrThrow(),
    }
    const counted = await Promise.all(wanted.kinds.map((kind) => queries[kind]()))
    return counted.reduce((sum, { n }) => sum + Number(n), 0)
  }
}

export const sharesRepository = (db: Db) => new SharesRepository(db)
