import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

type Db = Kysely<unknown>

async function createTasks(db: Db): Promise<void> {
  await db.schema
    .createTable('tasks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('subject', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('checkpoint', 'text')
    .addColumn('progress', 'text', (c) => c.notNull())
    .addColumn('failures', 'text', (c) => c.notNull())
    .addColumn('result', 'text')
    .addColumn('error_code', 'text')
    .addColumn('cancel_requested', 'integer', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_at_ms', 'bigint')
    .addColumn('finished_at_ms', 'bigint')
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('tasks_state').on('tasks').columns(['state', 'created_at_ms', 'id']).execute()
  await db.schema.createIndex('tasks_owner').on('tasks').columns(['owner', 'created_at_ms', 'id']).execute()
  await db.schema.createIndex('tasks_subject').on('tasks').columns(['subject', 'created_at_ms']).execute()
}

async function createTickets(db: Db): Promise<void> {
  await db.schema
    .createTable('tickets')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('tickets_expires_at').on('tickets').column('expires_at_ms').execute()
}

/** Adds the tables of tasks and tickets. */
export const migration0005: Migration = {
  async up(db) {
    await createTasks(db)
    await createTickets(db)
  },
  async down(db) {
    await db.schema.dropTable('tickets').execute()
    await db.schema.dropTable('tasks').execute()
  },
}
