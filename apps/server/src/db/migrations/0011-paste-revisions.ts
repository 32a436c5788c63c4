import type { Migration } from 'kysely/migration'

/** Adds earlier versions of shared texts. */
export const migration0011: Migration = {
  async up(db) {
    await db.schema
      .createTable('paste_revisions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('paste_id', 'text', (c) => c.notNull().references('pastes.id').onDelete('cascade'))
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('content_type', 'text', (c) => c.notNull())
      .addColumn('size_bytes', 'bigint', (c) => c.notNull())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('replaced_at_ms', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('paste_revisions_by_age')
      .on('paste_revisions')
      .columns(['paste_id', 'replaced_at_ms', 'id'])
      .execute()
  },
  async down(db) {
    await db.schema.dropTable('paste_revisions').execute()
  },
}
