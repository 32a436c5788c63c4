import type { Migration } from 'kysely/migration'

const TEXTS = ['salt', 'kdf', 'verifier', 'owner_box'] as const

/** Adds sealed bundles, and the size of the parts of their objects. */
export const migration0026: Migration = {
  async up(db) {
    await db.schema.alterTable('bundles').addColumn('sealed', 'integer').execute()
    for (const column of TEXTS) await db.schema.alterTable('bundles').addColumn(column, 'text').execute()
    await db.schema.alterTable('files').addColumn('part_size_bytes', 'bigint').execute()
  },
  async down(db) {
    await db.schema.alterTable('files').dropColumn('part_size_bytes').execute()
    for (const column of TEXTS) await db.schema.alterTable('bundles').dropColumn(column).execute()
    await db.schema.alterTable('bundles').dropColumn('sealed').execute()
  },
}
