import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The SQLite database, in the data folder. */
export const DATABASE_FILE = 'dropleaf.sqlite'
/** Owner only: the folder holds the database, the secret and everybody's files. */
const DIRECTORY_MODE = 0o700
/** Those that hold what people have stored. */
const INNER_FOLDERS = ['storage', 'spool']
const SQLITE_BUSY = 5

/** Another process holds the data folder; the message is for the person at the console. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError'
}

/** The data folder, held by this process until it ends, however it ends. */
export interface DataDirLock {
  release(): void
}

/**
 * Makes the data folder if it is not there, and takes it for this process alone. The lock is one of the operating system
 * on a small SQLite file, so that a killed process leaves none behind.
 * @throws {DataDirInUseError} when another process holds it: two would take each other's uploads for leftovers.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  if (mkdirSync(dataDir, { recursive: true, mode: DIRECTORY_MODE }) !== undefined)
    chmodSync(dataDir, DIRECTORY_MODE)
  const database = new DatabaseSync(join(dataDir, 'lock.sqlite'))
  try {
    database.exec(
      'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (by_pid INTEGER); COMMIT',
    )
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new DataDirInUseError(
      `Another Dropleaf is running on the data folder ${dataDir}. Stop it first, or set DATA_DIR.`,
      { cause: error },
    )
  }
  return { release: () => database.close() }
}

/** A data folder that somebody else has made may be open to other users of the machine; what is made in it is not. */
export function makePrivateFolders(dataDir: string): void {
  for (const name of INNER_FOLDERS) mkdirSync(join(dataDir, name), { recursive: true, mode: DIRECTORY_MODE })
}
