import type { Migration } from 'kysely/migration'

const SHARES = ['pastes', 'files'] as const

/** Adds columns for how shares open, the devices that can reopen them, and the notes for their owners. */
export const migration0023: Migration = {
  async up(db) {
    for (const table of SHARES) {
      await db.schema
        .alterTable(table)
        .addColumn('opening', 'text', (c) => c.notNull().defaultTo('direct'))
        .execute()
      await db.schema.alterTable(table).addColumn('pin_hash', 'text').execute()
      await db.schema.alterTable(table).addColumn('grace_until_ms', 'bigint').execute()
    }
    await db.schema
      .createTable('opening_devices')
      .addColumn('share_id', 'text', (c) => c.notNull())
      .addColumn('device_hash', 'text', (c) => c.notNull())
      .addColumn('opened_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('opening_devices_pkey', ['share_id', 'device_hash'])
      .execute()
    await db.schema
      .createIndex('opening_devices_expires_at')
      .on('opening_devices')
      .column('expires_at_ms')
      .execute()
    await db.schema
      .createTable('opening_notes')
      .addColumn('share_id', 'text', (c) => c.primaryKey())
      .addColumn('previews', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('previewed_at_ms', 'bigint')
      .addColumn('previewed_by', 'text')
      .addColumn('opened_at_ms', 'bigint')
      .addColumn('wrong_pins', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  },
  async down(db) {
    await db.schema.dropTable('opening_notes').execute()
    await db.schema.dropTable('opening_devices').execute()
    for (const table of SHARES)
      for (const column of ['grace_until_ms', 'pin_hash', 'opening'])
        await db.schema.alterTable(table).dropColumn(column).execute()
  },
}
