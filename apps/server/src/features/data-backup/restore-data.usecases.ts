import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { secretFiles } from '../../config/secret.ts'
import type { OpenDatabase } from '../../db/database.ts'
import { migrateToLatest, migrateToNothing, migrateToVersion, migrations } from '../../db/migrate.ts'
import { ASK_WHETHER_NONE_RUNS } from '../../db/notices.ts'
import { sql } from 'kysely'
import type { Schema } from '../../schema.ts'
import { DataBackupError } from './backup-data.usecases.ts'
import {
  type Manifest,
  manifest,
  MANIFEST_FILE,
  SECRET_FILE,
  SQLITE_FILE,
  STORAGE_FOLDER,
  TABLES_FOLDER,
} from './manifest.models.ts'
import { copyWhole, hashFile, isMissing, syncPlace } from './saved-files.ts'
import { tablesRepository } from './tables.repository.ts'

const BATCH_CHARACTERS = 4 * 1024 * 1024

/**
 * Reads a backup to its end.
 * @throws {DataBackupError} when it is none, is of another engine or a newer version, or when a file of it is missing or not
 *   what was saved.
 */
export async function verifyBackup(source: string, config: Config): Promise<Manifest> {
  const text = await readFile(join(source, MANIFEST_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error))
      throw new DataBackupError(`${source} is no backup: there is no ${MANIFEST_FILE} in it.`)
    throw error
  })
  const read = z.safeParse(manifest, parseJson(text))
  if (!read.success) throw new DataBackupError(`The ${MANIFEST_FILE} in ${source} is not one of a backup.`)
  const { engine, files, migrations: gone, product } = read.data
  const own = config.databaseUrl === null ? 'sqlite' : 'postgres'
  if (engine !== own)
    throw new DataBackupError(
      `This is a backup of ${nameOf(engine)}, and this server uses ${nameOf(own)}. Between the two, the backup of the admin panel carries texts, shares and settings.`,
    )
  if (gone.some((name) => !Object.hasOwn(migrations, name)))
    throw new DataBackupError(`This backup is of a newer version (${product}). Restore it with that one.`)
  for (const { path, sizeBytes, sha256 } of files) {
    const found = await hashFile(join(source, path)).catch((error: unknown) => {
      if (isMissing(error))
        throw new DataBackupError(`${path} is missing in the backup. Nothing has been changed.`)
      throw error
    })
    if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256)
      throw new DataBackupError(`${path} is not what was saved. Nothing has been changed.`)
  }
  return read.data
}

const nameOf = (engine: Manifest['engine']) => (engine === 'sqlite' ? 'SQLite' : 'PostgreSQL')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const SQLITE_NAMES = ['dropleaf.sqlite', 'dropleaf.sqlite-wal', 'dropleaf.sqlite-shm']

/** What of a server's data is in its folder. */
async function usedNames(dataDir: string): Promise<string[]> {
  const names = new Set([...SQLITE_NAMES, STORAGE_FOLDER, SECRET_FILE, 'thumbnails'])
  const there = await readdir(dataDir).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return there.filter((name) => names.has(name))
}

/** Puts what is there out of the way. @returns where it is now */
async function setAside(dataDir: string, names: readonly string[], nowMs: number): Promise<string> {
  const folder = join(dataDir, `replaced-${new Date(nowMs).toISOString().replaceAll(':', '')}`)
  await mkdir(folder, { mode: 0o700 })
  for (const name of names) await rename(join(dataDir, name), join(folder, name))
  return folder
}

export interface RestoreOrder {
  readonly source: string
  readonly backup: Manifest
  readonly config: Config
  readonly isForced: boolean
  readonly nowMs: number
}

/**
 * Makes room in the data folder, and puts the files of the backup there; of SQLite the database last.
 * @throws {DataBackupError} when the folder is in use and nobody said that it may be replaced
 * @returns where what was there is now, if there was something
 */
export async function restoreFiles(order: RestoreOrder): Promise<string | null> {
  const { source, backup, config, isForced, nowMs } = order
  const { dataDir } = config
  const used = await usedNames(dataDir)
  if (used.length > 0 && !isForced)
    throw new DataBackupError(
      `${dataDir} is in use: it holds ${used.join(', ')}. With --force that is put aside and replaced. Nothing has been changed.`,
    )
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const aside = used.length > 0 ? await setAside(dataDir, used, nowMs) : null
  for (const folder of [STORAGE_FOLDER, ...backup.folders])
    await mkdir(join(dataDir, folder), { recursive: true, mode: 0o700 })
  for (const { path, sha256 } of backup.files) {
    if (path === SQLITE_FILE || path.startsWith(`${TABLES_FOLDER}/`)) continue
    const target = path === SECRET_FILE ? secretFiles(dataDir).current : join(dataDir, path)
    const copied = await copyWhole(join(source, path), target)
    if (copied.sha256 !== sha256) throw new DataBackupError(`${path} changed while it was read.`)
  }
  if (backup.engine === 'sqlite') {
    const target = join(dataDir, 'dropleaf.sqlite')
    await copyWhole(join(source, SQLITE_FILE), `${target}.restored`)
    await rename(`${target}.restored`, target)
    await syncPlace(dirname(target))
  }
  return aside
}

async function* batchesOf(file: string): AsyncGenerator<string[]> {
  let batch: string[] = []
  let characters = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
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

/** @throws {DataBackupError} when the schema holds a server's tables and nobody said that they may go, or a server runs on it */
export async function requireFreeDatabase(database: OpenDatabase<Schema>, isForced: boolean): Promise<void> {
  const isUsed = await tablesRepository(database.db).isUsed()
  if (isUsed && !isForced)
    throw new DataBackupError(
      'The database is in use: it holds tables of Dropleaf. With --force they are deleted. Nothing has been changed.',
    )
  await database.transaction(async (trx) => {
    const { rows } = await sql<{ alone: boolean }>`${sql.raw(ASK_WHETHER_NONE_RUNS)}`.execute(trx)
    if (rows[0]?.alone !== true)
      throw new DataBackupError(
        'A server is running on this database. Stop all of them first; nothing has been changed.',
      )
  })
}

/** Makes the tables anew as the backup had them, fills them in one transaction, and brings them up to date. */
export async function restoreTables(
  database: OpenDatabase<Schema>,
  { source, backup }: Pick<RestoreOrder, 'source' | 'backup'>,
): Promise<void> {
  if (await tablesRepository(database.db).isUsed()) await migrateToNothing(database)
  await migrateToVersion(database, backup.migrations.at(-1) ?? '')
  await database.db.transaction().execute(async (trx) => {
    const repository = tablesRepository(trx)
    for (const { name } of backup.tables.toReversed()) await repository.empty(name)
    for (const { name } of backup.tables)
      for await (const lines of batchesOf(join(source, TABLES_FOLDER, `${name}.ndjson`)))
        await repository.insert(name, lines)
  })
  await migrateToLatest(database)
}
