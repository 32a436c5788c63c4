import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { StartError } from '../lib/start-error.ts'
import type { OpenDatabase } from './database.ts'
import { migration0001 } from './migrations/0001-init.ts'
import { migration0002 } from './migrations/0002-storage.ts'
import { migration0003 } from './migrations/0003-uploads.ts'
import { migration0004 } from './migrations/0004-object-index.ts'
import { migration0005 } from './migrations/0005-tasks.ts'
import { migration0006 } from './migrations/0006-url-uploads.ts'
import { migration0007 } from './migrations/0007-linked-shares.ts'
import { migration0008 } from './migrations/0008-index-trust.ts'
import { migration0009 } from './migrations/0009-key-holds.ts'
import { migration0010 } from './migrations/0010-share-search.ts'
import { migration0011 } from './migrations/0011-paste-revisions.ts'
import { migration0012 } from './migrations/0012-webdav.ts'
import { migration0013 } from './migrations/0013-idempotency.ts'
import { migration0015 } from './migrations/0015-sessions.ts'
import { migration0016 } from './migrations/0016-audit.ts'
import { migration0017 } from './migrations/0017-unfinished-uploads.ts'
import { migration0018 } from './migrations/0018-share-sums.ts'
import { migration0019 } from './migrations/0019-kept-share-sums.ts'
import { migration0020 } from './migrations/0020-paste-views.ts'
import { migration0021 } from './migrations/0021-shares-out-of-mounts.ts'
import { migration0022 } from './migrations/0022-paste-views.ts'
import { migration0023 } from './migrations/0023-opening.ts'
import { migration0024 } from './migrations/0024-bundles.ts'
import { migration0025 } from './migrations/0025-opening-generations.ts'
import { migration0026 } from './migrations/0026-sealed-bundles.ts'

/** All migrations in order. A released migration never changes; add a new one instead. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-init': migration0001,
  '0002-storage': migration0002,
  '0003-uploads': migration0003,
  '0004-object-index': migration0004,
  '0005-tasks': migration0005,
  '0006-url-uploads': migration0006,
  '0007-linked-shares': migration0007,
  '0008-index-trust': migration0008,
  '0009-key-holds': migration0009,
  '0010-share-search': migration0010,
  '0011-paste-revisions': migration0011,
  '0012-webdav': migration0012,
  '0013-idempotency': migration0013,
  '0015-sessions': migration0015,
  '0016-audit': migration0016,
  '0017-unfinished-uploads': migration0017,
  '0018-share-sums': migration0018,
  '0019-kept-share-sums': migration0019,
  '0020-paste-views': migration0020,
  '0021-shares-out-of-mounts': migration0021,
  '0022-paste-views': migration0022,
  '0023-opening': migration0023,
  '0024-bundles': migration0024,
  '0025-opening-generations': migration0025,
  '0026-sealed-bundles': migration0026,
}

type Migratable = Pick<OpenDatabase<unknown>, 'db' | 'engine'>

/**
 * Creates the migrator. On PostgreSQL the schema is named, because Kysely could otherwise read the migration table of
 * another schema in the same database.
 */
async function migratorFor({ db, engine }: Migratable): Promise<Migrator> {
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) }
  if (engine === 'sqlite') return new Migrator({ db, provider })
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return new Migrator({ db, provider, migrationTableSchema: rows[0]?.name ?? 'public' })
}

/** Returns the names of the applied migrations. @throws {Error} if the migration table does not exist */
async function findApplied(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Whether the schema is up to date. Does not use the migrator, because the migrator inspects every table, which takes
 * a tenth of the start time.
 */
async function isLatest({ db, engine }: Migratable): Promise<boolean> {
  // On PostgreSQL only the migrator can determine which schema this server uses.
  if (engine !== 'sqlite') return false
  // If the migration table does not exist, the database is new. The migrator reports any other error.
  return isDeepStrictEqual(await findApplied(db).catch(() => []), Object.keys(migrations))
}

/** Matches Kysely's message for an applied migration that this version does not contain. */
const UNKNOWN_MIGRATION = /^corrupted migrations: previously executed migration (\S+) is missing/

const newerError = (unknown: string, cause?: unknown) =>
  new StartError(
    `This database was brought up to date by a newer version of Dropleaf (${unknown}). Start that one, or restore a backup from before.`,
    { cause },
  )

function migrationError(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error('Migration failed.', { cause })
  const [, unknown] = UNKNOWN_MIGRATION.exec(cause.message) ?? []
  return unknown === undefined ? cause : newerError(unknown, cause)
}

const POSTGRES_NO_TABLE = '42P01'

const isTableMissing = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === POSTGRES_NO_TABLE || error.message.startsWith('no such table'))

/**
 * Checks that this version can read the schema, without migrating it.
 * @throws {StartError} if the database is empty, or a newer version has changed the schema.
 */
export async function requireKnownSchema({ db }: { readonly db: Kysely<unknown> }): Promise<void> {
  const applied = await findApplied(db).catch((error: unknown) => {
    if (!isTableMissing(error)) throw error
    throw new StartError('This database is empty. Start the server once to set it up.', { cause: error })
  })
  const unknown = applied.find((name) => !Object.hasOwn(migrations, name))
  if (unknown !== undefined) throw newerError(unknown)
}

const isSchemaGone = (error: unknown) => (error as { code?: unknown } | undefined)?.code === '3F000'

/**
 * Migrates to the newest version. A database lock prevents two processes from migrating at once.
 * @returns the names of the migrations that ran
 * @throws {StartError} if a newer version has changed the schema
 * @throws {Error} the first failure. On both engines a failed migration is rolled back completely.
 */
export async function migrateToLatest<Schema>(
  database: Pick<OpenDatabase<Schema>, 'db' | 'engine'>,
): Promise<string[]> {
  if (await isLatest(database as Migratable)) return []
  const migrator = await migratorFor(database as Migratable)
  let { error, results } = await migrator.migrateToLatest()
  // Retries, because the migrator inspects all schemas of the database, and another program can drop a schema
  // meanwhile.
  for (let tries = 1; tries < 3 && isSchemaGone(error); tries += 1)
    ({ error, results } = await migrator.migrateToLatest())
  if (error) throw migrationError(error)
  return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName)
}

/** Migrates a database to a version, forward or back. @param name the last migration that is applied afterwards */
export async function migrateToVersion<Schema>(
  database: Pick<OpenDatabase<Schema>, 'db' | 'engine'>,
  name: string,
): Promise<void> {
  const { error } = await (await migratorFor(database as Migratable)).migrateTo(name)
  if (error) throw migrationError(error)
}

/** Reverts all migrations. */
export async function migrateToNothing<Schema>(
  database: Pick<OpenDatabase<Schema>, 'db' | 'engine'>,
): Promise<void> {
  const { error } = await (await migratorFor(database as Migratable)).migrateTo(NO_MIGRATIONS)
  if (error) throw migrationError(error)
}
