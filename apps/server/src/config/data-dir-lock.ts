import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../lib/start-error.ts'

/** The SQLite database, in the data folder. */
export const DATABASE_FILE = 'dropleaf.sqlite'
/** Owner only: the folder holds the database, the secret and everybody's files. */
const DIRECTORY_MODE = 0o700
/** Those that hold what people have stored. */
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

/** A failure to use the data folder, as a sentence that says what to set. */
function unusable(dataDir: string, cause: unknown): StartError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return new StartError(
    `Cannot write to the data folder ${dataDir}: ${REASONS[code] ?? message}. Set DATA_DIR to a folder that this user may write to.`,
    { cause },
  )
}

/**
 * Makes a folder and those above it. Node's own way to do that never ends below `/proc`, where nothing can be made.
 * @returns whether it was not there.
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
    // Of a folder that is there some systems say first that nobody may write beside it.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
    throw error
  }
}

/** In the data folder: what a restore copies, until all of it is there. */
export const STAGING_FOLDER = 'restoring'

/** What is there is older than what was to take its place, or lacks a part of it. @throws {StartError} */
export function requireNoHalfRestore(dataDir: string): void {
  const staging = join(dataDir, STAGING_FOLDER)
  if (!existsSync(staging) || readdirSync(staging).length === 0) return
  throw new StartError(
    `A restore into ${dataDir} was ended early: run it again with --force, or remove ${staging} to go on with what is there.`,
  )
}

/** @throws {StartError} where this process cannot make or change files. */
function makeDataDir(dataDir: string): void {
  try {
    if (makeFolder(dataDir)) chmodSync(dataDir, DIRECTORY_MODE)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

/** The data folder, held by this process until it ends, however it ends. */
export interface DataDirLock {
  release(): void
}

/**
 * Makes the data folder if it is not there, and takes it for this process alone. The lock is one of the operating system
 * on a small SQLite file, so that a killed process leaves none behind.
 * @throws {StartError} when another process holds it: two would take each other's uploads for leftovers; and when it cannot
 *   be written to.
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
 * A data folder that somebody else has made may be open to other users of the machine; what is made in it is not.
 * @throws {StartError} when it cannot be written to.
 */
export function makePrivateFolders(dataDir: string): void {
  makeDataDir(dataDir)
  try {
    for (const name of INNER_FOLDERS) makeFolder(join(dataDir, name))
  } catch (error) {
    throw unusable(dataDir, error)
  }
}
