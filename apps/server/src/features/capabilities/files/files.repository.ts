import { type ExpressionBuilder, sql, type Updateable, type UpdateObject } from 'kysely'
import { type Blank, batched } from '../../../db/prepared.ts'
import { isAlive, isSeenByOwner } from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'
import type { FileRow, FilesTable } from './files.table.ts'

type Where = ExpressionBuilder<Schema, 'files'>

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
  'opening',
  'pin_hash',
  'grace_until_ms',
  'bundle_id',
  'object_number',
  'part_size_bytes',
  'generation',
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
  'opening',
  'pin_hash',
] as const satisfies ReadonlyArray<keyof FilesTable>

const TAKING_COLUMNS = [...COMMITTED_COLUMNS, 'slug', 'takes_slug'] as const

export type CommitChange = Pick<FileRow, (typeof COMMITTED_COLUMNS)[number]>

/** The columns that a commit sets if it replaces another share. */
export type TakingChange = Pick<FileRow, (typeof TAKING_COLUMNS)[number]>

const argsOf = <Column extends keyof FileRow, Args>(
  columns: readonly Column[],
  { arg }: Blank<Args>,
  rowOf: (args: Args) => Pick<FileRow, Column>,
) => Object.fromEntries(columns.map((column) => [column, arg((args) => rowOf(args)[column])]))

const insert = batched((db, blank: Blank<FileRow>) =>
  db
    .insertInto('files')
    .values(argsOf(COLUMNS, blank, (row) => row) as FileRow)
    .compile(),
)

/**
 * Identifies an upload. The id identifies the upload of a share. The id and the bundle together identify the upload of
 * a bundle's object.
 */
export interface UploadName {
  readonly fileId: string
  readonly bundleId?: string | undefined
}

interface Committing<Change> {
  readonly id: string
  readonly change: Change
  readonly etag: string | null
  readonly nowMs: number
}

const commitOf = <Column extends keyof FileRow>(columns: readonly Column[]) =>
  batched((db, blank: Blank<Committing<Pick<FileRow, Column>>>) =>
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

/**
 * There are two statements, because setting the link suffix would update the index of the suffix even if the suffix is
 * unchanged.
 */
const commit = commitOf(COMMITTED_COLUMNS)
const commitTaking = commitOf(TAKING_COLUMNS)

class FilesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Finds a share or its pending upload. Ignores objects of bundles. */
  findById(id: string) {
    return this.findUpload({ fileId: id })
  }

  findUpload({ fileId, bundleId }: UploadName) {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', fileId)
      .$if(bundleId === undefined, (q) => q.where('bundle_id', 'is', null))
      .$if(bundleId !== undefined, (q) => q.where('bundle_id', '=', bundleId ?? ''))
      .executeTakeFirst()
  }

  findBySlug(slug: string) {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('slug', '=', slug)
      .where('bundle_id', 'is', null)
      .executeTakeFirst()
  }

  findOfBundle(bundleId: string, objectNumber: number) {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('object_number', '=', objectNumber)
      .executeTakeFirst()
  }

  /** Finds the row of an object of a share or of a bundle. */
  findByObject(storageConfigId: string, storageKey: string) {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .executeTakeFirst()
  }

  insert(row: FileRow) {
    return insert(this.#db, row)
  }

  /** Changes a pending upload. @returns the changed row, or `undefined` if the upload is not pending */
  updatePending(id: string, change: Updateable<FilesTable>) {
    return this.#db
      .updateTable('files')
      .set(change)
      .where('id', '=', id)
      .where('committed_at_ms', 'is', null)
      .returningAll()
      .executeTakeFirst()
  }

  /** Changes a share. @returns whether the share exists and is not purged */
  async updateShare(id: string, change: UpdateObject<Schema, 'files'>): Promise<boolean> {
    const result = await this.#db
      .updateTable('files')
      .set(change)
      .where('id', '=', id)
      .where('bundle_id', 'is', null)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Stores a new hash of the same password, unless the password has changed in the meantime. */
  async renewPassword(
    id: string,
    from: string,
    to: Pick<FileRow, 'password_hash' | 'password_sealed'>,
  ): Promise<void> {
    await this.#db
      .updateTable('files')
      .set(to)
      .where('id', '=', id)
      .where('password_hash', '=', from)
      .execute()
  }

  /**
   * Marks a pending upload as receiving. @returns `undefined` if it is committed or deleted, or if another request is
   * sending its bytes
   */
  beginReceiving(id: string, { nowMs, untilMs }: { nowMs: number; untilMs: number }) {
    return this.#db
      .updateTable('files')
      .set({ receiving_until_ms: untilMs })
      .where('id', '=', id)
      .where('committed_at_ms', 'is', null)
      .where(isNotReceiving(nowMs))
      .returning('id')
      .executeTakeFirst()
  }

  /** Extends the lease of {@link beginReceiving}, unless receiving has ended. */
  prolongReceiving(id: string, untilMs: number) {
    return this.#db
      .updateTable('files')
      .set({ receiving_until_ms: untilMs })
      .where('id', '=', id)
      .where('receiving_until_ms', 'is not', null)
      .execute()
  }

  /** Releases all leases. Called when no other process can hold a lease. */
  endAllReceiving() {
    return this.#db
      .updateTable('files')
      .set({ receiving_until_ms: null })
      .where('receiving_until_ms', 'is not', null)
      .execute()
  }

  /**
   * Commits a pending upload, unless its bytes changed after `etag` was read or are changing now.
   * @returns whether the upload was committed
   */
  async commit(
    id: string,
    change: CommitChange | TakingChange,
    o: { etag: string | null; nowMs: number },
  ): Promise<boolean> {
    const done = await ('slug' in change
      ? commitTaking(this.#db, { id, change, ...o })
      : commit(this.#db, { id, change, ...o }))
    return done.length > 0
  }

  /** Counts one view atomically. @returns `undefined` if the share has expired or is used up */
  takeView(id: string, nowMs: number) {
    return this.#db
      .updateTable('files')
      .set({ views: sql<number>`views + 1`, last_view_at_ms: nowMs })
      .where('id', '=', id)
      .where('bundle_id', 'is', null)
      .where('committed_at_ms', 'is not', null)
      .where(isAlive(nowMs))
      .returningAll()
      .executeTakeFirst()
  }

  #deletion(id: string) {
    return this.#db
      .deleteFrom('files')
      .where('id', '=', id)
      .returning(['storage_config_id', 'storage_key', 'owns_object'])
  }

  /** Deletes an upload, unless another request has committed it meanwhile. @returns the location of its object */
  deletePending(id: string) {
    return this.#deletion(id).where('committed_at_ms', 'is', null).executeTakeFirst()
  }

  delete(id: string) {
    return this.#deletion(id).executeTakeFirst()
  }

  /**
   * Deletes a share or its pending upload, but no tombstone and no object of a bundle. `createdBy` restricts the
   * deletion to shares of that creator.
   * @returns the location of its object, or `undefined` if no row was deleted
   */
  deleteKept(id: string, createdBy: string | undefined) {
    return this.#db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('bundle_id', 'is', null)
      .where('purged_at_ms', 'is', null)
      .$if(createdBy !== undefined, (q) => q.where('created_by', '=', createdBy ?? ''))
      .returning(['storage_config_id', 'storage_key', 'owns_object'])
      .executeTakeFirst()
  }

  /** Deletes the tombstone of a used-up share that its owner still sees. @returns whether it existed */
  async deleteOpened(id: string, createdBy: string | undefined): Promise<boolean> {
    const result = await this.#db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('bundle_id', 'is', null)
      .where('purged_at_ms', 'is not', null)
      .where(isSeenByOwner)
      .$if(createdBy !== undefined, (q) => q.where('created_by', '=', createdBy ?? ''))
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  findAbandoned(nowMs: number, limit: number) {
    return this.#db
      .selectFrom('files')
      .select('id')
      .where('committed_at_ms', 'is', null)
      .where('upload_expires_at_ms', '<=', nowMs)
      .limit(limit)
      .execute()
  }

  async sumAbandoned(nowMs: number): Promise<{ count: number; bytes: number }> {
    const row = await this.#db
      .selectFrom('files')
      .select((e) => [e.fn.countAll().as('count'), e.fn.sum('size_bytes').as('bytes')])
      .where('committed_at_ms', 'is', null)
      .where('upload_expires_at_ms', '<=', nowMs)
      .executeTakeFirstOrThrow()
    return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
  }

  /** Deletes a pending upload if it is still abandoned. */
  deleteAbandoned(id: string, nowMs: number) {
    return this.#db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('committed_at_ms', 'is', null)
      .where('upload_expires_at_ms', '<=', nowMs)
      .returning(['storage_config_id', 'storage_key', 'owns_object'])
      .executeTakeFirst()
  }

  /** Marks streamed uploads as abandoned. Called when no other process can be receiving an upload. */
  abandonStreamed(nowMs: number) {
    return this.#db
      .updateTable('files')
      .set({ upload_expires_at_ms: nowMs })
      .where('committed_at_ms', 'is', null)
      .where('upload_kind', '=', 'streamed')
      .execute()
  }

  /** Deletes a tombstone so that its link suffix can be used again. */
  deleteTombstoneBySlug(slug: string) {
    return this.#db
      .deleteFrom('files')
      .where('slug', '=', slug)
      .where('purged_at_ms', 'is not', null)
      .execute()
  }
}

export const filesRepository = (db: Db) => new FilesRepository(db)
