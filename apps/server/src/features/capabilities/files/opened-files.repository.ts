import { ARMED, isAlive, isLimitedDirect, nextGeneration, viewTaken } from '../../../db/share-queries.ts'
import type { Db } from '../../../schema.ts'
import type { FileRow } from './files.table.ts'

class OpenedFilesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  find(slug: string): Promise<FileRow | undefined> {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('slug', '=', slug)
      .where('bundle_id', 'is', null)
      .where('committed_at_ms', 'is not', null)
      .executeTakeFirst()
  }

  read(id: string): Promise<FileRow | undefined> {
    return this.#db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', id)
      .where('bundle_id', 'is', null)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
  }

  /**
   * Counts a view, and retains the bytes until `graceUntilMs`. @returns `undefined` if the share has expired, is used
   * up or has another link suffix
   */
  takeView(
    { id, slug }: Pick<FileRow, 'id' | 'slug'>,
    { nowMs, graceUntilMs }: { nowMs: number; graceUntilMs: number },
  ): Promise<FileRow | undefined> {
    return this.#db
      .updateTable('files')
      .set({ ...viewTaken(graceUntilMs), last_view_at_ms: nowMs })
      .where('id', '=', id)
      .where('slug', '=', slug)
      .where('bundle_id', 'is', null)
      .where('committed_at_ms', 'is not', null)
      .where(isAlive(nowMs))
      .returningAll()
      .executeTakeFirst()
  }

  /**
   * Resets the view count of a share that is not purged, and invalidates the links of earlier openings. @returns
   * whether the share exists
   */
  async arm(id: string): Promise<boolean> {
    const result = await this.#db
      .updateTable('files')
      .set({ ...ARMED, ...nextGeneration() })
      .where('id', '=', id)
      .where('bundle_id', 'is', null)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async askLimited(filter: { readonly createdBy?: string }): Promise<number> {
    const result = await this.#db
      .updateTable('files')
      .set({ opening: 'ask', ...nextGeneration() })
      .where('bundle_id', 'is', null)
      .where('committed_at_ms', 'is not', null)
      .where(isLimitedDirect(filter))
      .executeTakeFirst()
    return Number(result.numUpdatedRows)
  }
}

export const openedFilesRepository = (db: Db) => new OpenedFilesRepository(db)
