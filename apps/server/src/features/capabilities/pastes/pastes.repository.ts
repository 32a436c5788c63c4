import type { PasteSort } from '@dropleaf/contract'
import { type ExpressionBuilder, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { type Blank, batched } from '../../../db/prepared.ts'
import {
  dayOf,
  isAlive,
  isChangeable,
  isReleased,
  isSeenByOwner,
  matchesShare,
  type ShareQuery,
  textHasWords,
} from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'
import { pasteRevisionsRepository } from './paste-revisions.repository.ts'
import {
  type PasteRow,
  type PastesTable,
  type Viewing,
  VISITED_COLUMNS,
  type VisitedPaste,
} from './pastes.table.ts'

type Where = ExpressionBuilder<Schema, 'pastes'>

const LIST_COLUMNS = [
  'id',
  'slug',
  'content_type',
  'remark',
  'password_sealed',
  'expires_at_ms',
  'max_views',
  'views',
  'created_by',
  'created_at_ms',
  'updated_at_ms',
  'opening',
  'pin_hash',
  'purged_at_ms',
] as const

const viewTaker = ({ isUnlocked }: { isUnlocked: boolean }) =>
  batched((db, { arg }: Blank<Viewing>) =>
    db
      .updateTable('pastes')
      .set({ views: sql<number>`views + 1` })
      .where(
        'slug',
        '=',
        arg(({ slug }) => slug),
      )
      .where(isAlive(arg(({ nowMs }) => nowMs)))
      .where('opening', '=', 'direct')
      .$if(!isUnlocked, (q) => q.where('password_hash', 'is', null))
      .returning(VISITED_COLUMNS)
      .compile(),
  )
const takeView = viewTaker({ isUnlocked: false })
const takeUnlockedView = viewTaker({ isUnlocked: true })

const insert = batched((db, { arg }: Blank<PasteRow>) =>
  db
    .insertInto('pastes')
    .values({
      id: arg((row) => row.id),
      slug: arg((row) => row.slug),
      content: arg((row) => row.content),
      content_type: arg((row) => row.content_type),
      remark: arg((row) => row.remark),
      password_hash: arg((row) => row.password_hash),
      password_sealed: arg((row) => row.password_sealed),
      expires_at_ms: arg((row) => row.expires_at_ms),
      max_views: arg((row) => row.max_views),
      views: arg((row) => row.views),
      purged_at_ms: arg((row) => row.purged_at_ms),
      created_by: arg((row) => row.created_by),
      created_at_ms: arg((row) => row.created_at_ms),
      updated_at_ms: arg((row) => row.updated_at_ms),
      search_text: arg((row) => row.search_text),
      opening: arg((row) => row.opening),
      pin_hash: arg((row) => row.pin_hash),
      grace_until_ms: arg((row) => row.grace_until_ms),
    })
    .compile(),
)

const matches = (idOrSlug: string) => (eb: Where) =>
  eb.or([eb('id', '=', idOrSlug), eb('slug', '=', idOrSlug)])

const matchesText = (query: ShareQuery, nowMs: number) => matchesShare(query, nowMs, textHasWords)

const SORT_COLUMNS = {
  created: 'created_at_ms',
  expires: 'expires_at_ms',
  views: 'views',
  slug: 'slug',
} as const satisfies Record<PasteSort, keyof PastesTable>

/**
 * Adds the sort order to a query. Shares without an expiry sort as if they expired last. Ids sort in the same
 * direction as the other values, so that one index serves both directions.
 */
const inOrder =
  (sort: PasteSort, order: 'asc' | 'desc') =>
  <Row>(query: SelectQueryBuilder<Schema, 'pastes', Row>) =>
    query
      .$if(sort === 'expires', (q) =>
        q.orderBy(sql`case when expires_at_ms is null then 1 else 0 end`, order),
      )
      .orderBy(SORT_COLUMNS[sort], order)
      .orderBy('id', order)

export interface PasteListing {
  readonly query: ShareQuery
  readonly nowMs: number
  readonly sort: PasteSort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
  /** Number of characters after which the database truncates the content. */
  readonly previewCharacters: number
}

export type AliveChange = Omit<Updateable<PastesTable>, 'id' | 'views'> &
  Pick<PasteRow, 'content' | 'max_views' | 'updated_at_ms'>

export interface PasteFilter {
  /** The stored value of the creator, compared exactly. */
  readonly createdBy?: string | undefined
}

class PastesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findBySlug(slug: string) {
    return this.#db.selectFrom('pastes').selectAll().where('slug', '=', slug).executeTakeFirst()
  }

  findById(id: string) {
    return this.#db.selectFrom('pastes').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Finds a share by id or link suffix, among the shares that its owner sees. Prefers the id. */
  findForOwner(idOrSlug: string, filter: PasteFilter): Promise<PasteRow | undefined> {
    return this.#db
      .selectFrom('pastes')
      .selectAll()
      .where(matches(idOrSlug))
      .where(isSeenByOwner)
      .$if(filter.createdBy !== undefined, (q) => q.where('created_by', '=', filter.createdBy ?? ''))
      .orderBy(sql`case when id = ${idOrSlug} then 0 else 1 end`)
      .executeTakeFirst()
  }

  async renewPassword(
    id: string,
    from: string,
    to: Pick<PasteRow, 'password_hash' | 'password_sealed'>,
  ): Promise<void> {
    await this.#db
      .updateTable('pastes')
      .set(to)
      .where('id', '=', id)
      .where('password_hash', '=', from)
      .execute()
  }

  /**
   * Counts one view and returns the row in a single statement, so that concurrent requests cannot exceed the view
   * limit.
   * @returns `undefined` if the share does not exist, has expired, is used up, is protected, or requires
   *   confirmation
   */
  async takeView(viewing: Viewing): Promise<VisitedPaste | undefined> {
    const [row] = await takeView(this.#db, viewing)
    return row
  }

  /** Like {@link takeView}, but also for a protected share, whose password the caller has checked. */
  async takeUnlockedView(viewing: Viewing): Promise<VisitedPaste | undefined> {
    const [row] = await takeUnlockedView(this.#db, viewing)
    return row
  }

  insert(row: PasteRow) {
    return insert(this.#db, row)
  }

  /**
   * Changes a share if it is still the version that was read. A used-up share can only be changed while a device can
   * reopen it. A new limit below the current number of views resets the view count. The statement computes the count,
   * because views are counted concurrently.
   * @returns whether the share was changed
   */
  async updateReadable(
    { id, updated_at_ms: readMs }: Pick<PasteRow, 'id' | 'updated_at_ms'>,
    change: AliveChange,
    nowMs: number,
  ): Promise<boolean> {
    const limit = change.max_views
    const result = await this.#db
      .updateTable('pastes')
      .set(change)
      .$if(limit !== null, (q) =>
        q.set({
          views: sql<number>`case when views > ${limit} and coalesce(max_views, -1) <> ${limit} then 0 else views end`,
        }),
      )
      .where('id', '=', id)
      .where('updated_at_ms', '=', readMs)
      .where(isChangeable(nowMs))
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Frees the link suffix of an expired or used-up share that no device is allowed to reopen. */
  deleteOverBySlug(slug: string, nowMs: number) {
    return this.#db
      .deleteFrom('pastes')
      .where('slug', '=', slug)
      .where((eb) => eb.or([eb('purged_at_ms', 'is not', null), isReleased(nowMs)(eb)]))
      .execute()
  }

  /** Finds the ids of the page first, so that the database does not sort the contents of all matches. */
  list({ query, nowMs, sort, order, limit, offset, previewCharacters }: PasteListing) {
    const page = this.#db
      .selectFrom('pastes')
      .select('id')
      .where(matchesText(query, nowMs))
      .$call(inOrder(sort, order))
      .limit(limit)
      .offset(offset)
    return this.#db
      .selectFrom('pastes')
      .select(LIST_COLUMNS)
      .select([
        sql<string>`substr(content, 1, ${previewCharacters})`.as('content'),
        sql<number>`case when password_hash is null then 0 else 1 end`.as('has_password'),
      ])
      .where('id', 'in', page)
      .$call(inOrder(sort, order))
      .execute()
  }

  async count(query: ShareQuery = {}, nowMs = 0): Promise<number> {
    const row = await this.#db
      .selectFrom('pastes')
      .select((e) => e.fn.countAll().as('n'))
      .where(matchesText(query, nowMs))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }

  /** Deletes at most `limit` matching shares. @returns the number of deleted shares */
  async deleteMatching(
    query: ShareQuery,
    { nowMs, limit }: { nowMs: number; limit: number },
  ): Promise<number> {
    const due = this.#db.selectFrom('pastes').select('id').where(matchesText(query, nowMs)).limit(limit)
    const result = await this.#db.deleteFrom('pastes').where('id', 'in', due).executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  /** Counts shares per 24-hour period since `sinceMs`. */
  createdByDay(sinceMs: number) {
    return this.#db
      .selectFrom('pastes')
      .select((e) => [dayOf(sinceMs).as('day'), e.fn.countAll<number>().as('count')])
      .where('created_at_ms', '>=', sinceMs)
      .where('purged_at_ms', 'is', null)
      .groupBy('day')
      .execute()
  }

  /** Deletes shares by id or link suffix. Prefers the id. @returns the number of deleted shares */
  async delete(idsOrSlugs: readonly string[], filter: PasteFilter): Promise<number> {
    const byId = this.#db.selectFrom('pastes as other').select('other.id').where('other.id', 'in', idsOrSlugs)
    const result = await this.#db
      .deleteFrom('pastes')
      .where((eb) =>
        eb.or([
          eb('id', 'in', idsOrSlugs),
          eb.and([eb('slug', 'in', idsOrSlugs), eb('slug', 'not in', byId)]),
        ]),
      )
      .where(isSeenByOwner)
      .$if(filter.createdBy !== undefined, (q) => q.where('created_by', '=', filter.createdBy ?? ''))
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  /**
   * Purges at most `limit` expired or used-up shares that no device is allowed to reopen, and deletes their revisions.
   * The rows remain as tombstones.
   * @returns the number of purged shares
   */
  async purgeOver(
    nowMs: number,
    { limit, createdBy, id }: { limit: number; createdBy?: string | undefined; id?: string | undefined },
  ): Promise<number> {
    const due = await this.#db
      .selectFrom('pastes')
      .select('id')
      .where('purged_at_ms', 'is', null)
      .where(isReleased(nowMs))
      .$if(id !== undefined, (q) => q.where('id', '=', id ?? ''))
      .$if(createdBy !== undefined, (q) => q.where('created_by', '=', createdBy ?? ''))
      .limit(limit)
      .execute()
    const ids = due.map(({ id }) => id)
    if (ids.length === 0) return 0
    // Deletes the revisions first. New revisions cannot be added, because these shares cannot be changed any more.
    await pasteRevisionsRepository(this.#db).deleteOf(ids)
    const result = await this.#db
      .updateTable('pastes')
      .set({
        content: '',
        search_text: '',
        remark: null,
        password_hash: null,
        password_sealed: null,
        pin_hash: null,
        purged_at_ms: nowMs,
      })
      .where('id', 'in', ids)
      .where(isReleased(nowMs))
      .executeTakeFirst()
    return Number(result.numUpdatedRows)
  }

  /** Deletes at most `limit` tombstones purged before `beforeMs`. @returns the number of deleted tombstones */
  async deleteTombstones(beforeMs: number, limit: number): Promise<number> {
    const due = this.#db.selectFrom('pastes').select('id').where('purged_at_ms', '<', beforeMs).limit(limit)
    const result = await this.#db.deleteFrom('pastes').where('id', 'in', due).executeTakeFirst()
    return Number(result.numDeletedRows)
  }
}

export const pastesRepository = (db: Db) => new PastesRepository(db)
