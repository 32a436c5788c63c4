import type { FileSort } from '@dropleaf/contract'
import { type ExpressionBuilder, type Insertable, sql, type Updateable } from 'kysely'
import { type Blank, together } from '../../../db/prepared.ts'
import {
  dayOf,
  hasExpired,
  isAlive,
  isUsedUp,
  matchesShare,
  type ShareQuery,
} from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'
import type { FileRow, FilesTable, ViewGrantsTable } from './files.table.ts'

type Where = ExpressionBuilder<Schema, 'files'>

/** The listed shares that are meant. */
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

const isListed = (query: FileQuery, nowMs: number) => (eb: Where) =>
  eb.and([
    eb('committed_at_ms', 'is not', null),
    matchesShare(query, nowMs)(eb),
    ...(query.storageConfigId === undefined ? [] : [eb('storage_config_id', '=', query.storageConfigId)]),
  ])

const isNotReceiving = (nowMs: number) => (eb: Where) =>
  eb.or([eb('receiving_until_ms', 'is', null), eb('receiving_until_ms', '<=', nowMs)])

const COLUMNS = [
  'id',
  'slug',
  'filename',
  'storage_config_id',
  'storage_key',
  'mimetype',
  'size_bytes',
  'etag',
  'sha256',
  'remark',
  'password_hash',
  'password_sealed',
  'expires_at_ms',
  'max_views',
  'views',
  'use_proxy',
  'purged_at_ms',
  'created_by',
  'created_at_ms',
  'updated_at_ms',
  'committed_at_ms',
  'upload_kind',
  'upload_expires_at_ms',
  'takes_slug',
  'receiving_until_ms',
  'last_view_at_ms',
  'owns_object',
  'search_text',
] as const satisfies ReadonlyArray<keyof FilesTable>

const COMMITTED_COLUMNS = [
  'size_bytes',
  'etag',
  'sha256',
  'remark',
  'search_text',
  'password_hash',
  'password_sealed',
  'expires_at_ms',
  'max_views',
  'committed_at_ms',
  'upload_expires_at_ms',
  'use_proxy',
  'updated_at_ms',
] as const satisfies ReadonlyArray<keyof FilesTable>

const TAKING_COLUMNS = [...COMMITTED_COLUMNS, 'slug', 'takes_slug'] as const

/** What a pending upload becomes. */
export type CommitChange = Pick<FileRow, (typeof COMMITTED_COLUMNS)[number]>

/** The same for one that takes the suffix of another. */
export type TakingChange = Pick<FileRow, (typeof TAKING_COLUMNS)[number]>

/** A value of the run for each of these columns. */
const argsOf = <Column extends keyof FileRow, Args>(
  columns: readonly Column[],
  { arg }: Blank<Args>,
  rowOf: (args: Args) => Pick<FileRow, Column>,
) => Object.fromEntries(columns.map((column) => [column, arg((args) => rowOf(args)[column])]))

const insert = together((db, blank: Blank<FileRow>) =>
  db
    .insertInto('files')
    .values(argsOf(COLUMNS, blank, (row) => row) as FileRow)
    .compile(),
)

interface Committing<Change> {
  readonly id: string
  readonly change: Change
  readonly etag: string | null
  readonly nowMs: number
}

const commitOf = <Column extends keyof FileRow>(columns: readonly Column[]) =>
  together((db, blank: Blank<Committing<Pick<FileRow, Column>>>) =>
    db
      .updateTable('files')
      .set(argsOf(columns, blank, ({ change }) => change) as Updateable<FilesTable>)
      .where(
        'id',
        '=',
        blank.arg(({ id }) => id),
      )
      .where('committed_at_ms', 'is', null)
      .where(
        'etag',
        blank.engine === 'sqlite' ? 'is' : 'is not distinct from',
        blank.arg(({ etag }) => etag),
      )
      .where(isNotReceiving(blank.arg(({ nowMs }) => nowMs)))
      .returning('id')
      .compile(),
  )

/** A suffix that is named writes its index anew, changed or not. */
const commit = commitOf(COMMITTED_COLUMNS)
const commitTaking = commitOf(TAKING_COLUMNS)

/** Shares whose bytes may go: expired, or used up so long ago that the last viewer's links are over too. */
const isOver =
  ({ nowMs, usedUpBeforeMs }: { nowMs: number; usedUpBeforeMs: number }) =>
  (eb: Where) =>
    eb.or([
      hasExpired(nowMs)(eb),
      eb.and([
        isUsedUp(eb),
        eb.or([eb('last_view_at_ms', 'is', null), eb('last_view_at_ms', '<=', usedUpBeforeMs)]),
      ]),
    ])

export const filesRepository = (db: Db) => ({
  findById: (id: string) => db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst(),
  findBySlug: (slug: string) =>
    db.selectFrom('files').selectAll().where('slug', '=', slug).executeTakeFirst(),
  findByObject: (storageConfigId: string, storageKey: string) =>
    db
      .selectFrom('files')
      .selectAll()
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .executeTakeFirst(),

  insert: (row: FileRow) => insert(db, row),

  /** Changes an upload while its bytes are on their way. Answers the row after it, if there was one. */
  updatePending: (id: string, change: Updateable<FilesTable>) =>
    db
      .updateTable('files')
      .set(change)
      .where('id', '=', id)
      .where('committed_at_ms', 'is', null)
      .returningAll()
      .executeTakeFirst(),

  /** Changes a share. @returns whether there was one. */
  async updateShare(id: string, change: Updateable<FilesTable>): Promise<boolean> {
    const result = await db
      .updateTable('files')
      .set(change)
      .where('id', '=', id)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },

  /** Writes the same password in another way, unless it was changed meanwhile. */
  async renewPassword(
    id: string,
    from: string,
    to: Pick<FileRow, 'password_hash' | 'password_sealed'>,
  ): Promise<void> {
    await db.updateTable('files').set(to).where('id', '=', id).where('password_hash', '=', from).execute()
  },

  /** Marks a pending upload as receiving; `undefined` when it is committed, gone, or another sender is at it. */
  beginReceiving: (id: string, { nowMs, untilMs }: { nowMs: number; untilMs: number }) =>
    db
      .updateTable('files')
      .set({ receiving_until_ms: untilMs })
      .where('id', '=', id)
      .where('committed_at_ms', 'is', null)
      .where(isNotReceiving(nowMs))
      .returning('id')
      .executeTakeFirst(),

  /** Prolongs what {@link beginReceiving} began, unless it has ended. */
  prolongReceiving: (id: string, untilMs: number) =>
    db
      .updateTable('files')
      .set({ receiving_until_ms: untilMs })
      .where('id', '=', id)
      .where('receiving_until_ms', 'is not', null)
      .execute(),

  /** Ends what senders of a process that is gone began. */
  endAllReceiving: () =>
    db
      .updateTable('files')
      .set({ receiving_until_ms: null })
      .where('receiving_until_ms', 'is not', null)
      .execute(),

  /**
   * Commits a pending upload, unless its bytes changed since `etag` was read or are changing now.
   * @returns whether it did
   */
  async commit(
    id: string,
    change: CommitChange | TakingChange,
    o: { etag: string | null; nowMs: number },
  ): Promise<boolean> {
    const done = await ('slug' in change
      ? commitTaking(db, { id, change, ...o })
      : commit(db, { id, change, ...o }))
    return done.length > 0
  },

  /** Takes one view in one statement; `undefined` when the share is over. */
  takeView: (id: string, nowMs: number) =>
    db
      .updateTable('files')
      .set({ views: sql<number>`views + 1`, last_view_at_ms: nowMs })
      .where('id', '=', id)
      .where('committed_at_ms', 'is not', null)
      .where(isAlive(nowMs))
      .returningAll()
      .executeTakeFirst(),

  list: ({ query, nowMs, sort, order, limit, offset }: FileListing) =>
    db
      .selectFrom('files')
      .selectAll()
      .where(isListed(query, nowMs))
      // What never ends comes after every end.
      .$if(sort === 'expires', (q) =>
        q.orderBy(sql`case when expires_at_ms is null then 1 else 0 end`, order),
      )
      .orderBy(SORT_COLUMNS[sort], order)
      .orderBy('id', order)
      .limit(limit)
      .offset(offset)
      .execute(),

  async count(query: FileQuery, nowMs: number): Promise<number> {
    const row = await db
      .selectFrom('files')
      .select((e) => e.fn.countAll().as('n'))
      .where(isListed(query, nowMs))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  },

  /** Ids of listed shares that match, in the order of the ids, after `afterId`. */
  findMatching: (
    query: FileQuery,
    { nowMs, afterId, limit }: { nowMs: number; afterId: string; limit: number },
  ) =>
    db
      .selectFrom('files')
      .select('id')
      .where(isListed(query, nowMs))
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),

  /** Number and bytes of the listed files of each storage. */
  usageByConfig: () =>
    db
      .selectFrom('files')
      .select((e) => [
        'storage_config_id',
        e.fn.countAll().as('files'),
        e.fn.sum('owns_object').as('own_files'),
        e.fn.sum(sql<number>`size_bytes * owns_object`).as('own_bytes'),
      ])
      .where(isListed({}, 0))
      .groupBy('storage_config_id')
      .execute(),
  /** How many of the listed files were made on each day of 24 hours from an instant on. */
  createdByDay: (sinceMs: number) =>
    db
      .selectFrom('files')
      .select((e) => [dayOf(sinceMs).as('day'), e.fn.countAll<number>().as('count')])
      .where('created_at_ms', '>=', sinceMs)
      .where(isListed({}, 0))
      .groupBy('day')
      .execute(),

  delete: (id: string) =>
    db
      .deleteFrom('files')
      .where('id', '=', id)
      .returning(['storage_config_id', 'storage_key', 'owns_object'])
      .executeTakeFirst(),

  /** Deletes a share or an upload, no tombstone, of one creator or any. Answers where its bytes were, if there was one. */
  deleteKept: (id: string, createdBy: string | undefined) =>
    db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .$if(createdBy !== undefined, (q) => q.where('created_by', '=', createdBy ?? ''))
      .returning(['storage_config_id', 'storage_key', 'owns_object'])
      .executeTakeFirst(),

  findAbandoned: (nowMs: number, limit: number) =>
    db
      .selectFrom('files')
      .select('id')
      .where('committed_at_ms', 'is', null)
      .where('upload_expires_at_ms', '<=', nowMs)
      .limit(limit)
      .execute(),
  async sumAbandoned(nowMs: number): Promise<{ count: number; bytes: number }> {
    const row = await db
      .selectFrom('files')
      .select((e) => [e.fn.countAll().as('count'), e.fn.sum('size_bytes').as('bytes')])
      .where('committed_at_ms', 'is', null)
      .where('upload_expires_at_ms', '<=', nowMs)
      .executeTakeFirstOrThrow()
    return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
  },
  /** Shares whose object should lie in a storage, in the order of their ids, after `afterId`. */
  findStored: (storageConfigId: string, { afterId, limit }: { afterId: string; limit: number }) =>
    db
      .selectFrom('files')
      .select(['id', 'slug', 'filename', 'storage_key', 'size_bytes'])
      .where('storage_config_id', '=', storageConfigId)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  /** Whether a share still points to the object. */
  isStoredAt: async (id: string, storageConfigId: string, storageKey: string) =>
    (await db
      .selectFrom('files')
      .select('id')
      .where('id', '=', id)
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()) !== undefined,
  /** Deletes the row of a share that points to the object still. @returns whether there was one. */
  async deleteStoredAt(id: string, storageConfigId: string, storageKey: string): Promise<boolean> {
    const result = await db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  },
  /** Deletes a pending row that is still abandoned. */
  deleteAbandoned: (id: string, nowMs: number) =>
    db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('committed_at_ms', 'is', null)
      .where('upload_expires_at_ms', '<=', nowMs)
      .returning(['storage_config_id', 'storage_key', 'owns_object'])
      .executeTakeFirst(),
  /** Makes every upload that was streaming through a process which is gone count as abandoned. */
  abandonStreamed: (nowMs: number) =>
    db
      .updateTable('files')
      .set({ upload_expires_at_ms: nowMs })
      .where('committed_at_ms', 'is', null)
      .where('upload_kind', '=', 'streamed')
      .execute(),

  findOver: (limits: { nowMs: number; usedUpBeforeMs: number }, limit: number) =>
    db
      .selectFrom('files')
      .select(['id', 'storage_config_id', 'storage_key', 'owns_object'])
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .where(isOver(limits))
      .limit(limit)
      .execute(),
  /** Turns a share that is still over into a tombstone; answers whether it did. */
  async purge(id: string, limits: { nowMs: number; usedUpBeforeMs: number }): Promise<boolean> {
    const result = await db
      .updateTable('files')
      .set({
        purged_at_ms: limits.nowMs,
        storage_key: `purged:${id}`,
        search_text: '',
        size_bytes: 0,
        remark: null,
        password_hash: null,
        password_sealed: null,
        sha256: null,
        etag: null,
      })
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .where(isOver(limits))
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  /** Deletes a tombstone that holds a link suffix. */
  deleteTombstoneBySlug: (slug: string) =>
    db.deleteFrom('files').where('slug', '=', slug).where('purged_at_ms', 'is not', null).execute(),
  async deleteTombstones(beforeMs: number, limit: number): Promise<number> {
    const due = db.selectFrom('files').select('id').where('purged_at_ms', '<', beforeMs).limit(limit)
    const result = await db.deleteFrom('files').where('id', 'in', due).executeTakeFirst()
    return Number(result.numDeletedRows)
  },

  upsertGrant: (row: Insertable<ViewGrantsTable>) =>
    db
      .insertInto('view_grants')
      .values(row)
      .onConflict((c) =>
        c
          .columns(['file_id', 'client_hash'])
          .doUpdateSet({ expires_at_ms: row.expires_at_ms, remaining_bytes: row.remaining_bytes }),
      )
      .execute(),
  /** Takes bytes from what a client's view still pays for, in one statement. @returns whether it sufficed. */
  async takeFromGrant({
    fileId,
    clientHash,
    bytes,
    nowMs,
  }: {
    fileId: string
    clientHash: string
    bytes: number
    nowMs: number
  }): Promise<boolean> {
    const result = await db
      .updateTable('view_grants')
      .set({ remaining_bytes: sql<number>`remaining_bytes - ${bytes}` })
      .where('file_id', '=', fileId)
      .where('client_hash', '=', clientHash)
      .where('expires_at_ms', '>', nowMs)
      .where('remaining_bytes', '>=', bytes)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  deleteExpiredGrants: (nowMs: number) =>
    db.deleteFrom('view_grants').where('expires_at_ms', '<=', nowMs).execute(),
})
