import type { Kysely } from 'kysely'
import { type Migration, Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { migration0001 } from './migrations/0001-init.ts'

/** Every migration in order. Frozen once released: a change is a new entry. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-init': migration0001,
}

function migratorFor(db: Kysely<unknown>): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
}

/**
 * Brings the schema up to the newest version; a lock of the engine keeps two processes from doing it at once.
 * @returns the names of the migrations that ran.
 * @throws {Error} the first failure; on both engines a failed migration leaves nothing half done.
 */
export async function migrateToLatest<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const { error, results } = await migratorFor(db as Kysely<unknown>).migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('Migration failed.', { cause: error })
  return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName)
}

/** Takes the schema back to nothing; for tests. */
export async function migrateToNothing<Schema>(db: Kysely<Schema>): Promise<void> {
  const { error } = await migratorFor(db as Kysely<unknown>).migrateTo(NO_MIGRATIONS)
  if (error) throw error instanceof Error ? error : new Error('Migration failed.', { cause: error })
}
