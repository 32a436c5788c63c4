import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../lib/start-error.ts'

/** File name of the SQLite database in the data folder. */
export const DATABASE_FILE = 'dropleaf.sqlite'
/** Gives access to the owner only, because the folder contains the database, the secret and all files. */
const DIRECTORY_MODE = 0o700
/** Subfolders with user data. */
const INNER_FOLDERS = ['storage', 'spool']
const SQLITE_BUSY = 5

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EEXIST: 'it is no folder',
  ENOTDIR: 'it is no folder',
  ENOSPC: 'the disk is full',
  ENOENT: 'it cannot be made there',
}

/** Returns the error for an unusable data folder. The error names the setting to change. */
function unusable(dataDir: string, cause: unknown): StartError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return new StartError(
    `Cannot write to the data folder ${dataDir}: ${REASONS[code] ?? message}. Set DATA_DIR to a folder that this user may write to.`,
    { cause },
  )
}

/**
 * Creates a folder and its parents. Does not use Node's `recursive` option, which never returns for paths below
 * `/proc`.
 * @returns whether the folder was created
 */
export function makeFolder(path: string): boolean {
  const make = () => mkdirSync(path, { mode: DIRECTORY_MODE })
  try {
    make()
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(path) !== path) {
      makeFolder(dirname(path))
      make()
      return true
    }
    // Accepts an existing folder, because some systems report a missing permission on the parent even if the folder
    // exists.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
    throw error
  }
}

/** Name of the subfolder for files of an incomplete restore. */
export const STAGING_FOLDER = 'restoring'

/**
 * Refuses a data folder in which a restore was interrupted, because its data is old or incomplete. @throws {StartError}
 */
export function requireNoHalfRestore(dataDir: string): void {
  const staging = join(dataDir, STAGING_FOLDER)
  if (!existsSync(staging) || readdirSync(staging).length === 0) return
  throw new StartError(
    `A restore into ${dataDir} was ended early: run it again with --force, or remove ${staging} to go on with what is there.`,
  )
}

/** Creates the folder if it is missing. @throws {StartError} if this process cannot create, read or change it */
function makeDataDir(dataDir: string): void {
  try {
    if (makeFolder(dataDir)) chmodSync(dataDir, DIRECTORY_MODE)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

/** Lock on the data folder. The operating system releases the lock when the process ends, even after a crash. */
export interface DataDirLock {
  release(): void
}

/**
 * Creates the data folder if it is missing, and locks it for this process. The lock is an operating system lock on a
 * small SQLite file, so that a killed process leaves no lock behind.
 * @throws {StartError} if another process holds the lock, because two servers would delete each other's uploads as
 * leftovers, or if the folder is not writable
 */
export function lockDataDir(dataDir: string): DataDirLock {
  makeDataDir(dataDir)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(join(dataDir, 'lock.sqlite'))
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (by_pid INTEGER); COMMIT',
    )
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw unusable(dataDir, error)
    throw new StartError(
      `Another Dropleaf is running on the data folder ${dataDir}. Stop it first, or set DATA_DIR.`,
      { cause: error },
    )
  }
  const held = database
  return { release: () => held.close() }
}

/**
 * Creates the folders for user data, which only the operating system's user of the server can read. The permissions of
 * an existing data folder do not change, so other users may be able to list it.
 * @throws {StartError} if the data folder is not writable
 */
export function makePrivateFolders(dataDir: string): void {
  makeDataDir(dataDir)
  try {
    for (const name of INNER_FOLDERS) makeFolder(join(dataDir, name))
  } catch (error) {
    throw unusable(dataDir, error)
  }
}
