import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../../config/config.ts'
import { DATABASE_FILE, STAGING_FOLDER } from '../../../config/data-dir-lock.ts'
import { type OpenDatabase, openDatabase } from '../../../db/database.ts'
import { migrateToLatest, migrateToNothing, migrateToVersion, migrations } from '../../../db/migrate.ts'
import { ASK_WHETHER_NONE_RUNS } from '../../../db/notices.ts'
import type { Db, Schema } from '../../../schema.ts'
import type { Forgotten } from '../../foundation/restored/restored.models.ts'
import { settleRestored } from '../../foundation/restored/restored.usecases.ts'
import { DataBackupError } from './backup-data.usecases.ts'
import { USED_NAMES } from './data-folder.models.ts'
import { type Manifest, SQLITE_FILE, STORAGE_FOLDER, TABLES_FOLDER } from './manifest.models.ts'
import { linesOfTable } from './saved-database.ts'
import { copyWhole, isMissing, isNoRoom, syncPlace } from './saved-files.ts'
import { tablesRepository } from './tables.repository.ts'

const BATCH_CHARACTERS = 4 * 1024 * 1024

export interface RestoreOrder {
  readonly source: string
  readonly backup: Manifest
  readonly config: Config
  readonly isForced: boolean
  /** Whether the backed-up server no longer runs. */
  readonly isSameServer: boolean
  readonly nowMs: number
}

export interface Restored {
  /** Path to which the previous data was moved, if there was any. */
  readonly aside: string | null
  /** Work in buckets that was discarded; `null` if there are no buckets. */
  readonly forgotten: Forgotten | null
}

async function usedNames(dataDir: string): Promise<string[]> {
  const there: string[] = await readdir(dataDir).catch((error: unknown): string[] => {
    if (isMissing(error)) return []
    throw error
  })
  return USED_NAMES.filter((name) => there.includes(name))
}

async function requireFreeFolder({ config, isForced }: RestoreOrder): Promise<void> {
  const used = await usedNames(config.dataDir)
  if (used.length > 0 && !isForced)
    throw new DataBackupError(
      `${config.dataDir} is in use: it holds ${used.join(', ')}. With --force that is put aside and replaced. Nothing has been changed.`,
    )
}

/** @throws {DataBackupError} if a server uses the database, or if its tables exist and must not be deleted */
async function requireFreeDatabase(db: Db, isForced: boolean): Promise<void> {
  const repository = tablesRepository(db)
  const isUsed = await repository.isUsed()
  if (isUsed && !isForced)
    throw new DataBackupError(
      'The database is in use: it holds tables of Dropleaf. With --force they are deleted. Nothing has been changed.',
    )
  if (isUsed && (await repository.migrations()).some((name) => !Object.hasOwn(migrations, name)))
    throw new DataBackupError(
      'The database holds tables of a newer version, which this one cannot delete. Empty it first, or name another one; nothing has been changed.',
    )
  const { rows } = await sql<{ alone: boolean }>`${sql.raw(ASK_WHETHER_NONE_RUNS)}`.execute(db)
  if (rows[0]?.alone !== true)
    throw new DataBackupError(
      'A server is running on this database. Stop all of them first; nothing has been changed.',
    )
}

/** Copies the files of the backup, except PostgreSQL tables, to a staging folder in the data folder. */
async function stageFiles({ source, backup, config }: RestoreOrder): Promise<string> {
  const staging = join(config.dataDir, STAGING_FOLDER)
  // The staging folder of an interrupted restore could still exist.
  await rm(staging, { recursive: true, force: true })
  for (const folder of [STORAGE_FOLDER, ...backup.folders])
    await mkdir(join(staging, folder), { recursive: true, mode: 0o700 })
  for (const { path, sha256 } of backup.files) {
    if (path.startsWith(`${TABLES_FOLDER}/`)) continue
    const target = join(staging, path === SQLITE_FILE ? DATABASE_FILE : path)
    const copied = await copyWhole(join(source, path), target)
    if (copied.sha256 !== sha256) throw new DataBackupError(`${path} changed while it was read.`)
  }
  return staging
}

async function stageSqlite(staging: string, order: RestoreOrder): Promise<Forgotten | null> {
  const sqliteFile = join(staging, DATABASE_FILE)
  const database = await openDatabase<Schema>({ url: null, sqliteFile, poolSize: 1 })
  let forgotten: Forgotten | null
  try {
    await migrateToLatest(database)
    forgotten = await database.transaction((trx) => settle(trx, order))
  } finally {
    await database.close()
  }
  await syncPlace(sqliteFile)
  return forgotten
}

const settle = (db: Db, { backup, nowMs, isSameServer }: RestoreOrder) =>
  settleRestored(db, { savedAt: backup.createdAt, nowMs, isSameServer })

/** A file in the staging folder, from the first move until the restore is complete. The server does not start with it. */
const UNFINISHED_FILE = 'unfinished'

/**
 * Moves existing data aside, and the staged data to their final names. If it fails in between, the staging folder keeps
 * what was not moved.
 * @returns the path of the previous data; `null` if there was none
 */
async function replaceFiles(staging: string, { config, nowMs }: RestoreOrder): Promise<string | null> {
  const { dataDir } = config
  await writeFile(join(staging, UNFINISHED_FILE), '')
  const used = await usedNames(dataDir)
  const aside = join(dataDir, `replaced-${new Date(nowMs).toISOString().replaceAll(':', '')}`)
  if (used.length > 0) await mkdir(aside, { mode: 0o700 })
  for (const name of used) await rename(join(dataDir, name), join(aside, name))
  for (const name of await usedNames(staging)) await rename(join(staging, name), join(dataDir, name))
  await syncPlace(dataDir)
  return used.length > 0 ? aside : null
}

async function* batchesOf(folder: string, table: string): AsyncGenerator<string[]> {
  let batch: string[] = []
  let characters = 0
  for await (const line of linesOfTable(folder, table)) {
    if (line === '') continue
    batch.push(line)
    characters += line.length
    if (characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** Creates the tables of the backup, fills them, and migrates them to this version. */
async function restoreTables(trx: Db, { source, backup }: RestoreOrder): Promise<void> {
  const database = { db: trx, engine: 'postgres' } as const
  const repository = tablesRepository(trx)
  if (await repository.isUsed()) await migrateToNothing(database)
  await migrateToVersion(database, backup.migrations.at(-1) ?? '')
  const given = new Set(backup.tables.map(({ name }) => name))
  const missing = (await repository.names()).filter((name) => !given.has(name))
  if (missing.length > 0)
    throw new DataBackupError(
      `This backup is not whole: the tables ${missing.join(', ')} are missing. Nothing has been changed.`,
    )
  for (const { name } of backup.tables.toReversed()) await repository.empty(name)
  for (const { name, rows } of backup.tables) {
    let count = 0
    for await (const lines of batchesOf(source, name)) {
      await repository.insert(name, lines)
      count += lines.length
    }
    if (count !== rows)
      throw new DataBackupError(
        `This backup is not whole: the table ${name} has ${count} rows instead of ${rows}. Nothing has been changed.`,
      )
  }
  await migrateToLatest(database)
}

/**
 * Replaces the files when the tables are complete, just before the commit. So a failure while the tables are restored
 * leaves the files unchanged.
 */
const restorePostgres = (database: OpenDatabase<Schema>, staging: string, order: RestoreOrder) =>
  database.db.transaction().execute(async (trx): Promise<Restored> => {
    await requireFreeDatabase(trx, order.isForced)
    await restoreTables(trx, order)
    const forgotten = await settle(trx, order)
    return { aside: await replaceFiles(staging, order), forgotten }
  })

async function restoreStaged(database: OpenDatabase<Schema> | null, order: RestoreOrder): Promise<Restored> {
  const staging = await stageFiles(order)
  if (database) return restorePostgres(database, staging, order)
  const forgotten = await stageSqlite(staging, order)
  return { aside: await replaceFiles(staging, order), forgotten }
}

/**
 * Replaces all data of a server with a backup. Changes nothing until the whole backup has been copied.
 * @param database PostgreSQL database; `null` for SQLite
 * @throws {DataBackupError} if the folder or database has data that must not be replaced, if a server uses the
 * database, if the backup is incomplete or changes meanwhile, or if the disk is full
 */
export async function restoreData(
  database: OpenDatabase<Schema> | null,
  order: RestoreOrder,
): Promise<Restored> {
  await requireFreeFolder(order)
  if (database) await database.transaction((trx) => requireFreeDatabase(trx, order.isForced))
  await mkdir(order.config.dataDir, { recursive: true, mode: 0o700 })
  const staging = join(order.config.dataDir, STAGING_FOLDER)
  try {
    const restored = await restoreStaged(database, order)
    await rm(staging, { recursive: true })
    return restored
  } catch (error) {
    if (existsSync(join(staging, UNFINISHED_FILE)))
      throw new DataBackupError(
        `The restore stopped while files were moved in ${order.config.dataDir}: ${String(error)}. Nothing was deleted. Remove the cause, and restore again with --force.`,
        { cause: error },
      )
    await rm(staging, { recursive: true, force: true })
    if (!isNoRoom(error)) throw error
    throw new DataBackupError(
      `There is no room for the backup in ${order.config.dataDir}, or in the database. Nothing has been changed.`,
      { cause: error },
    )
  }
}
