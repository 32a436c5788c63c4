import { SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * On SQLite, counts views of texts without a view limit in a separate table. A counter in the text's row would rewrite
 * a whole page of the file for a few bytes. Deleting a counter adds its value to the text's row.
 */
export const migration0020: Migration = {
  async up(db) {
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    await sql`create table paste_views (paste_id text primary key, views integer not null) without rowid`.execute(
      db,
    )
    await sql`create trigger paste_views_delete after delete on paste_views begin
      update pastes set views = views + old.views where id = old.paste_id; end`.execute(db)
    await sql`create trigger paste_views_of_deleted after delete on pastes begin
      delete from paste_views where paste_id = old.id; end`.execute(db)
  },
  async down(db) {
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return
    await sql`delete from paste_views`.execute(db)
    await sql`drop trigger paste_views_delete`.execute(db)
    await sql`drop trigger paste_views_of_deleted`.execute(db)
    await db.schema.dropTable('paste_views').execute()
  },
}
