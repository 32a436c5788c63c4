import type { Db } from '../../../schema.ts'
import type { FileRow } from '../files/files.table.ts'

/** Number of objects per statement. Databases limit the number of parameters. */
const BATCH = 500

/**
 * Minimum extension of the lifetime of objects. Each part of an upload extends the lifetime of earlier objects. A
 * shorter extension is not written, so that most parts change no rows.
 */
const KEPT_AT_LEAST_MS = 3600_000

const PLACE = ['storage_config_id', 'storage_key', 'owns_object'] as const
type StoredPlace = Pick<FileRow, (typeof PLACE)[number]>

class BundleObjectsRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  find(bundleId: string, number: number): Promise<FileRow | undefined> {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('object_number', '=', number)
      .executeTakeFirst()
  }

  /** Lists the complete objects of a bundle, ordered by number. */
  list(bundleId: string): Promise<FileRow[]> {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .orderBy('object_number')
      .execute()
  }

  /** Finds the complete objects among the objects with the given numbers. */
  findComplete(bundleId: string, numbers: readonly number[]): Promise<FileRow[]> {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('object_number', 'in', numbers)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .execute()
  }

  /** Returns the numbers of the complete objects of a bundle, including objects whose bytes are deleted. */
  async numbers(bundleId: string): Promise<ReadonlySet<number | null>> {
    const rows = await this.#db
      .selectFrom('files')
      .select('object_number')
      .where('bundle_id', '=', bundleId)
      .where('committed_at_ms', 'is not', null)
      .execute()
    return new Set(rows.map(({ object_number }) => object_number))
  }

  /** Returns the numbers that new objects must not use, including the numbers of unfinished uploads. */
  async usedNumbers(bundleId: string): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('files')
      .select('object_number')
      .where('bundle_id', '=', bundleId)
      .orderBy('object_number')
      .execute()
    return rows.flatMap(({ object_number }) => object_number ?? [])
  }

  /** Records that a stored revision uses these objects, so that the sweep skips them. */
  async markNamed(bundleId: string, numbers: readonly number[]): Promise<void> {
    for (let from = 0; from < numbers.length; from += BATCH)
      await this.#db
        .updateTable('files')
        .set({ upload_expires_at_ms: null })
        .where('bundle_id', '=', bundleId)
        .where('object_number', 'in', numbers.slice(from, from + BATCH))
        .where('committed_at_ms', 'is not', null)
        .where('upload_expires_at_ms', 'is not', null)
        .execute()
  }

  /**
   * Extends the lifetime of complete objects that no stored revision uses to `untilMs`. Writes nothing if that extends
   * the lifetime by at most {@link KEPT_AT_LEAST_MS}.
   */
  keepUnnamed(bundleId: string, untilMs: number) {
    return this.#db
      .updateTable('files')
      .set({ upload_expires_at_ms: untilMs })
      .where('bundle_id', '=', bundleId)
      .where('upload_expires_at_ms', '<', untilMs - KEPT_AT_LEAST_MS)
      .where('committed_at_ms', 'is not', null)
      .execute()
  }

  /** Deletes the rows of complete objects. @returns where their bytes are */
  async delete(bundleId: string, numbers: readonly number[]): Promise<StoredPlace[]> {
    const deleted: StoredPlace[] = []
    for (let from = 0; from < numbers.length; from += BATCH)
      deleted.push(
        ...(await this.#db
          .deleteFrom('files')
          .where('bundle_id', '=', bundleId)
          .where('object_number', 'in', numbers.slice(from, from + BATCH))
          .where('committed_at_ms', 'is not', null)
          .returning(PLACE)
          .execute()),
      )
    return deleted
  }

  /** Deletes the rows of all objects and uploads of a bundle. @returns the locations of their bytes */
  deleteAll(bundleId: string): Promise<StoredPlace[]> {
    return this.#db.deleteFrom('files').where('bundle_id', '=', bundleId).returning(PLACE).execute()
  }

  /**
   * Finds bundles with complete objects whose `upload_expires_at_ms` has passed. Excludes drafts, which retain their
   * objects until they are deleted.
   */
  async withUnnamed(nowMs: number, limit: number): Promise<string[]> {
    const rows = await this.#unnamed(nowMs).select('bundle_id').distinct().limit(limit).execute()
    return rows.flatMap(({ bundle_id }) => bundle_id ?? [])
  }

  /** Returns the numbers of a bundle's objects for which {@link withUnnamed} finds the bundle. */
  async unnamed(bundleId: string, nowMs: number): Promise<number[]> {
    const rows = await this.#unnamed(nowMs)
      .select('object_number')
      .where('bundle_id', '=', bundleId)
      .execute()
    return rows.flatMap(({ object_number }) => object_number ?? [])
  }

  #unnamed(nowMs: number) {
    return this.#db
      .selectFrom('files')
      .where('upload_expires_at_ms', '<=', nowMs)
      .where('committed_at_ms', 'is not', null)
      .where('bundle_id', 'is not', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('bundles')
              .select('bundles.id')
              .whereRef('bundles.id', '=', 'files.bundle_id')
              .where('bundles.revision', '=', 0)
              .where('bundles.purged_at_ms', 'is', null),
          ),
        ),
      )
  }
}

/** Creates the repository of the uploaded objects of bundles. Objects are rows of `files` without a link. */
export const bundleObjectsRepository = (db: Db) => new BundleObjectsRepository(db)
