import { createWriteStream } from 'node:fs'
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, dirname, join, relative, resolve, sep } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../config/config.ts'
import { DATABASE_FILE, makeFolder } from '../../../config/data-dir-lock.ts'
import type { OpenDatabase } from '../../../db/database.ts'
import { toInstant } from '../../../lib/clock.ts'
import { PRODUCT_VERSION } from '../../../lib/version.ts'
import type { Schema } from '../../../schema.ts'
import {
  inOrderOfReferences,
  type Manifest,
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  type SavedFile,
  SECRET_FILE,
  SQLITE_FILE,
  STORAGE_FOLDER,
  TABLES_FOLDER,
} from './manifest.models.ts'
import {
  describeSqliteFile,
  emptyUnsavedTables,
  savedSecretCheck,
  type SelfDescription,
} from './saved-database.ts'
import { copyTree, copyWhole, hashFile, isMissing, isNoRoom, type LeftOut, syncPlace } from './saved-files.ts'
import { findSecret, type SecretPlace } from './saved-secret.ts'
import { tablesRepository } from './tables.repository.ts'

/** A failed backup or restore, with a message for the operator. */
export class DataBackupError extends Error {
  override readonly name = 'DataBackupError'
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Number of pages to copy in one step; larger than any database. A copy in one step contains no concurrent writes, and
 * is not restarted by them.
 */
const ALL_PAGES = 2 ** 30

interface SavedDatabase extends SelfDescription {
  readonly files: readonly SavedFile[]
  readonly tables: Manifest['tables']
}

async function saveSqlite(source: string, folder: string): Promise<SavedDatabase> {
  const file = join(folder, SQLITE_FILE)
  const connection = new DatabaseSync(source)
  try {
    await backup(connection, file, { rate: ALL_PAGES })
  } finally {
    connection.close()
  }
  // SQLite creates the file with the permissions of the umask. The backup folder might not be private, unlike the data
  // folder.
  await chmod(file, 0o600)
  const description = describeSqliteFile(file)
  if (!description)
    throw new DataBackupError(
      `${source} is damaged, or is not a database of Dropleaf. Nothing has been saved.`,
    )
  emptyUnsavedTables(file)
  await syncPlace(file)
  return { ...description, files: [{ path: SQLITE_FILE, ...(await hashFile(file)) }], tables: [] }
}

async function* counted(lines: AsyncIterable<string>, note: () => void): AsyncGenerator<string> {
  for await (const line of lines) {
    note()
    yield `${line}\n`
  }
}

/** Saves a consistent snapshot of all tables, except those of the index. */
async function savePostgres(database: OpenDatabase<Schema>, folder: string): Promise<SavedDatabase> {
  await mkdir(join(folder, TABLES_FOLDER), { mode: 0o700 })
  return database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const repository = tablesRepository(trx)
      if (!(await repository.isUsed()))
        throw new DataBackupError('There are no tables of Dropleaf in this database.')
      const names = inOrderOfReferences(await repository.names(), await repository.references())
      const files: SavedFile[] = []
      const tables: Array<Manifest['tables'][number]> = []
      for (const name of names) {
        const path = `${TABLES_FOLDER}/${name}.ndjson`
        let rows = 0
        await pipeline(
          Readable.from(counted(repository.lines(name), () => (rows += 1))),
          createWriteStream(join(folder, path), { mode: 0o600, flush: true }),
        )
        files.push({ path, ...(await hashFile(join(folder, path))) })
        tables.push({ name, rows })
      }
      return {
        files,
        tables,
        migrations: await repository.migrations(),
        secretCheck: await savedSecretCheck(folder),
      }
    })
}

/**
 * Refuses a backup inside a local storage, where it would be readable by the storage's users and be part of the next
 * backup.
 */
function requireOutsideStorage(dataDir: string, target: string): void {
  const way = relative(resolve(dataDir, STORAGE_FOLDER), resolve(target))
  if (way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way)))
    throw new DataBackupError(
      `${target} lies among the files of the local storages, where others may read it. Name a folder elsewhere.`,
    )
}

async function requireFreeTarget(target: string): Promise<void> {
  const entries = await readdir(target).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  if (entries.length > 0)
    throw new DataBackupError(`${target} is not empty. Name a folder that is not there yet.`)
  if (await isThere(`${target}.partial`))
    throw new DataBackupError(
      `${target}.partial is there: a backup to this place was broken off, or is being made. Delete it, or name another folder.`,
    )
}

/** Saves the database's secret as `secret.key`, unless it is in the configuration. */
async function saveSecret(place: SecretPlace, folder: string): Promise<SavedFile[]> {
  if (place.kind !== 'file' || !(await isThere(place.path))) return []
  return [{ path: SECRET_FILE, ...(await copyWhole(place.path, join(folder, SECRET_FILE))) }]
}

export interface DataBackup {
  readonly manifest: Manifest
  readonly leftOut: LeftOut
  readonly secret: SecretPlace
}

interface BackupOrder {
  readonly config: Config
  readonly target: string
  readonly nowMs: number
}

async function saveInto(
  folder: string,
  database: OpenDatabase<Schema>,
  { config, nowMs }: BackupOrder,
): Promise<DataBackup> {
  const from = join(config.dataDir, STORAGE_FOLDER)
  const to = join(folder, STORAGE_FOLDER)
  const known = new Map<string, { mark: string; saved: SavedFile }>()
  await copyTree(from, to, known)
  const saved =
    database.engine === 'sqlite'
      ? await saveSqlite(join(config.dataDir, DATABASE_FILE), folder)
      : await savePostgres(database, folder)
  const { emptyFolders, leftOut } = await copyTree(from, to, known)
  const secret = await findSecret(config, saved.secretCheck)
  const files = [...saved.files, ...(await saveSecret(secret, folder))]
  for (const { saved: file } of known.values())
    files.push({ ...file, path: `${STORAGE_FOLDER}/${file.path}` })
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    version: 1,
    product: PRODUCT_VERSION,
    createdAt: toInstant(nowMs),
    engine: database.engine,
    migrations: [...saved.migrations],
    tables: [...saved.tables],
    files,
    folders: emptyFolders.map((path) => `${STORAGE_FOLDER}/${path}`),
  }
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  return { manifest, leftOut, secret }
}

/**
 * Saves the database, the files of local storages and the generated secret into a folder, while the server runs. The
 * folder gets its final name after all files are fsynced, and is deleted on failure. Files are copied before and after
 * the database. So the copy includes every file to which the saved database refers, except files that were deleted
 * meanwhile.
 * @throws {DataBackupError} if the target is in a local storage or not free, if the database is damaged or not of
 * Dropleaf, or if the disk is full
 */
export async function backupData(database: OpenDatabase<Schema>, order: BackupOrder): Promise<DataBackup> {
  const { config, target } = order
  requireOutsideStorage(config.dataDir, target)
  await requireFreeTarget(target)
  const folder = `${target}.partial`
  makeFolder(folder)
  try {
    const saved = await saveInto(folder, database, order)
    await rename(folder, target)
    await syncPlace(dirname(target))
    return saved
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!isNoRoom(error)) throw error
    throw new DataBackupError(
      `There is no room for the backup in ${dirname(target)}. What had been written of it is deleted again.`,
      { cause: error },
    )
  }
}
