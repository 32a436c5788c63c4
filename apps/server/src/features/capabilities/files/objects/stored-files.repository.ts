import { sql } from 'kysely'
import type { Db } from '../../../../schema.ts'

class StoredFilesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Lists shares and objects of bundles that are in a storage, ordered by id, starting after `afterId`. An object has
   * the link suffix of its bundle.
   */
  findStored(storageConfigId: string, { afterId, limit }: { afterId: string; limit: number }) {
    return this.#db
      .selectFrom('files')
      .leftJoin('bundles', 'bundles.id', 'files.bundle_id')
      .select(['files.id', 'filename', 'storage_key', 'files.size_bytes', 'bundle_id'])
      .select((eb) =>
        eb
          .case()
          .when('bundle_id', 'is', null)
          .then(eb.ref('files.slug'))
          .else(eb.fn.coalesce('bundles.slug', sql<string>`''`))
          .end()
          .as('slug'),
      )
      .where('storage_config_id', '=', storageConfigId)
      .where('committed_at_ms', 'is not', null)
      .where('files.purged_at_ms', 'is', null)
      .where('files.id', '>', afterId)
      .orderBy('files.id')
      .limit(limit)
      .execute()
  }

  async isStoredAt(id: string, storageConfigId: string, storageKey: string) {
    return (
      (await this.#db
        .selectFrom('files')
        .select('id')
        .where('id', '=', id)
        .where('storage_config_id', '=', storageConfigId)
        .where('storage_key', '=', storageKey)
        .where('purged_at_ms', 'is', null)
        .executeTakeFirst()) !== undefined
    )
  }

  /** Deletes the row of a share or bundle object if it still refers to the key. @returns whether it was deleted */
  async deleteStoredAt(id: string, storageConfigId: string, storageKey: string): Promise<boolean> {
    const result = await this.#db
      .deleteFrom('files')
      .where('id', '=', id)
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  }
}

export const storedFilesRepository = (db: Db) => new StoredFilesRepository(db)
