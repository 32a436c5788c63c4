import type { FileSort } from '@dropleaf/contract'
import { type ExpressionBuilder, sql } from 'kysely'
import { dayOf, matchesShare, type ShareQuery } from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'
import type { FilesTable } from './files.table.ts'

export interface FileQuery extends ShareQuery {
  readonly storageConfigId?: string | undefined
}

const SORT_COLUMNS = {
  created: 'created_at_ms',
  expires: 'expires_at_ms',
  views: 'views',
  name: 'filename',
  size: 'size_bytes',
} as const satisfies Record<FileSort, keyof FilesTable>

export interface FileListing {
  readonly query: FileQuery
  readonly nowMs: number
  readonly sort: FileSort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

const isListed = (query: FileQuery, nowMs: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.and([
    eb('committed_at_ms', 'is not', null),
    eb('bundle_id', 'is', null),
    matchesShare(query, nowMs)(eb),
    ...(query.storageConfigId === undefined ? [] : [eb('storage_config_id', '=', query.storageConfigId)]),
  ])

class FileListsRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  list({ query, nowMs, sort, order, limit, offset }: FileListing) {
    return (
      this.#db
        .selectFrom('files')
        .selectAll()
        .where(isListed(query, nowMs))
        // Shares without an expiry sort as if they expired last.
        .$if(sort === 'expires', (q) =>
          q.orderBy(sql`case when expires_at_ms is null then 1 else 0 end`, order),
        )
        .orderBy(SORT_COLUMNS[sort], order)
        .orderBy('id', order)
        .limit(limit)
        .offset(offset)
        .execute()
    )
  }

  async count(query: FileQuery, nowMs: number): Promise<number> {
    const row = await this.#db
      .selectFrom('files')
      .select((e) => e.fn.countAll().as('n'))
      .where(isListed(query, nowMs))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }

  /** Returns the ids of matching listed shares after `afterId`, ordered by id. */
  findMatching(
    query: FileQuery,
    { nowMs, afterId, limit }: { nowMs: number; afterId: string; limit: number },
  ) {
    return this.#db
      .selectFrom('files')
      .select('id')
      .where(isListed(query, nowMs))
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  /**
   * Returns for each storage the number of shares, and the number and total size of the objects that shares and bundles
   * own.
   */
  usageByConfig() {
    return this.#db
      .selectFrom('files')
      .select((e) => [
        'storage_config_id',
        sql<number | string>`sum(case when bundle_id is null then 1 else 0 end)`.as('files'),
        e.fn.sum('owns_object').as('own_files'),
        e.fn.sum(sql<number>`size_bytes * owns_object`).as('own_bytes'),
      ])
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .groupBy('storage_config_id')
      .execute()
  }

  /** Counts listed files per 24-hour period since `sinceMs`. */
  createdByDay(sinceMs: number) {
    return this.#db
      .selectFrom('files')
      .select((e) => [dayOf(sinceMs).as('day'), e.fn.countAll<number>().as('count')])
      .where('created_at_ms', '>=', sinceMs)
      .where(isListed({}, 0))
      .groupBy('day')
      .execute()
  }
}

export const fileListsRepository = (db: Db) => new FileListsRepository(db)
