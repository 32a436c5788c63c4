import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import * as z from 'zod/mini'
import type { Config } from '../../../config/config.ts'
import { STAGING_FOLDER } from '../../../config/data-dir-lock.ts'
import { SECRET_CHECK_KEY } from '../../../config/secret.ts'
import { migrations } from '../../../db/migrate.ts'
import { createSecrets } from '../../../lib/secrets.ts'
import { DataBackupError } from './backup-data.usecases.ts'
import { USED_NAMES } from './data-folder.models.ts'
import {
  type Manifest,
  manifest,
  MANIFEST_FILE,
  SECRET_FILE,
  SQLITE_FILE,
  TABLES_FOLDER,
} from './manifest.models.ts'
import { describeSqliteFile, savedSecretCheck, type SelfDescription } from './saved-database.ts'
import { hashFile, isMissing } from './saved-files.ts'

const UNCHANGED = 'Nothing has been changed.'

const nameOf = (engine: Manifest['engine']) => (engine === 'sqlite' ? 'SQLite' : 'PostgreSQL')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readManifest(source: string): Promise<Manifest> {
  const text = await readFile(join(source, MANIFEST_FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error))
      throw new DataBackupError(`${source} is no backup: there is no ${MANIFEST_FILE} in it.`)
    throw error
  })
  const read = z.safeParse(manifest, parseJson(text))
  if (!read.success) throw new DataBackupError(`The ${MANIFEST_FILE} in ${source} is not one of a backup.`)
  return read.data
}

/** Resolves symbolic links in a path. If the path does not exist, resolves the part that exists. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error
    return join(await realPath(dirname(path)), basename(path))
  })
}

/** Returns the path relative to `folder`; `null` if the path is outside. */
function wayBelow(folder: string, path: string): string | null {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) ? null : way
}

/**
 * Requires that the data folder is not inside the backup, and that the backup is not in a part of the data folder that
 * a restore replaces.
 */
async function requireApart(source: string, config: Config): Promise<void> {
  const dataDir = await realPath(resolve(config.dataDir))
  const backup = await realPath(source)
  if (wayBelow(backup, dataDir) !== null)
    throw new DataBackupError(
      `${config.dataDir} is in the backup itself, which is to stay as it is: name another data folder (DATA_DIR). ${UNCHANGED}`,
    )
  const [name = ''] = wayBelow(dataDir, backup)?.split(sep) ?? []
  if (name === STAGING_FOLDER || USED_NAMES.includes(name))
    throw new DataBackupError(
      `The backup lies in ${join(config.dataDir, name)}, which a restore replaces: move it elsewhere first. ${UNCHANGED}`,
    )
}

/**
 * Checks that this server can restore the backup. The backup must be from the same engine and have no unknown
 * migrations.
 */
function requireFitting({ engine, migrations: gone, product }: Manifest, config: Config): void {
  const own = config.databaseUrl === null ? 'sqlite' : 'postgres'
  if (engine !== own)
    throw new DataBackupError(
      `This is a backup of ${nameOf(engine)}, and this server uses ${nameOf(own)}. Between the two, the backup of the admin panel carries texts, shares and settings.`,
    )
  if (gone.some((name) => !Object.hasOwn(migrations, name)))
    throw new DataBackupError(`This backup is of a newer version (${product}). Restore it with that one.`)
}

async function requireWholeFiles(source: string, { files }: Manifest): Promise<void> {
  for (const { path, sizeBytes, sha256 } of files) {
    const found = await hashFile(join(source, path)).catch((error: unknown) => {
      if (isMissing(error)) throw new DataBackupError(`${path} is missing in the backup. ${UNCHANGED}`)
      throw error
    })
    if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256)
      throw new DataBackupError(`${path} is not what was saved. ${UNCHANGED}`)
  }
}

/** Checks that the manifest lists all files of the saved database. */
function requireDatabase({ engine, files, tables }: Manifest): void {
  const paths = new Set(files.map(({ path }) => path))
  const wanted =
    engine === 'sqlite' ? [SQLITE_FILE] : tables.map(({ name }) => `${TABLES_FOLDER}/${name}.ndjson`)
  const missing = wanted.find((path) => !paths.has(path))
  if (missing !== undefined || (engine === 'postgres' && !tables.some(({ name }) => name === 'settings')))
    throw new DataBackupError(
      `The ${MANIFEST_FILE} names no ${missing ?? `${TABLES_FOLDER}/settings.ndjson`}: this backup is not whole. ${UNCHANGED}`,
    )
}

async function describe(source: string, { engine, migrations: gone }: Manifest): Promise<SelfDescription> {
  if (engine === 'postgres') return { migrations: gone, secretCheck: await savedSecretCheck(source) }
  const description = describeSqliteFile(join(source, SQLITE_FILE))
  if (!description || description.migrations.join() !== gone.join())
    throw new DataBackupError(
      `${SQLITE_FILE} is damaged, or is not the database that the ${MANIFEST_FILE} speaks of. ${UNCHANGED}`,
    )
  return description
}

/**
 * Compares the secret that the server will have with the secret of the backup. If no server has used the database, any
 * secret is `right`.
 */
async function secretOf(
  source: string,
  { config, backup, check }: { config: Config; backup: Manifest; check: string | null },
): Promise<'right' | 'wrong' | 'missing'> {
  const isSaved = backup.files.some(({ path }) => path === SECRET_FILE)
  const secret =
    config.encryptionSecret ?? (isSaved ? (await readFile(join(source, SECRET_FILE), 'utf8')).trim() : null)
  if (check === null) return 'right'
  if (secret === null) return 'missing'
  return createSecrets(secret).fingerprint(SECRET_CHECK_KEY) === check ? 'right' : 'wrong'
}

export interface VerifiedBackup {
  readonly backup: Manifest
  /** Whether the server will have the backup's secret. */
  readonly secret: 'right' | 'wrong' | 'missing'
}

/**
 * Verifies a whole backup.
 * @throws {DataBackupError} if the folder is not a backup, contains the data folder, is in a part of the data folder
 * that a restore replaces, has data of another engine or a newer version, or if a part is missing or changed
 */
export async function verifyBackup(source: string, config: Config): Promise<VerifiedBackup> {
  const backup = await readManifest(source)
  await requireApart(source, config)
  requireFitting(backup, config)
  requireDatabase(backup)
  await requireWholeFiles(source, backup)
  const { secretCheck } = await describe(source, backup)
  return { backup, secret: await secretOf(source, { config, backup, check: secretCheck }) }
}
