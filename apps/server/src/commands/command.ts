import { join } from 'node:path'
import { type Config, loadConfig } from '../config/config.ts'
import { DATABASE_FILE, DataDirInUseError, lockDataDir } from '../config/data-dir-lock.ts'
import { ConfigError } from '../config/define.ts'
import { type OpenDatabase, openDatabase } from '../db/database.ts'
import type { Schema } from '../schema.ts'

/** A refusal in one sentence, for the person at the console. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** That the database is not there, or does not let anybody in. */
const UNREACHABLE = /^(?:08|28|3D|53|57P)/

/** What the system refuses names the file and the reason, and so do databases. */
function isOfSystem(error: Error): boolean {
  if (!('code' in error) || typeof error.code !== 'string') return false
  return 'syscall' in error || error.code === 'ERR_SQLITE_ERROR' || UNREACHABLE.test(error.code)
}

const SQLITE_CORRUPT = 11

/** Wherever in the file the damage is, and whoever meets it. */
const isDamage = (error: Error): boolean =>
  'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_CORRUPT

const textOf = (error: Error): string =>
  isDamage(error) ? `The database is damaged: ${error.message}. Restore a backup of it.` : error.message

const isForPeople = (error: unknown): error is Error =>
  error instanceof Error &&
  (error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof DataDirInUseError ||
    isOfSystem(error))

export const say = (line: string): void => void process.stdout.write(`${line}\n`)
/** What must not be overlooked; also where the output goes to a file. */
export const warn = (line: string): void => void process.stderr.write(`${line}\n`)

/** Runs a command of the console: its refusals are one sentence, everything else comes with where it happened. */
export async function runCommand(
  work: (config: Config, args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    // eslint-disable-next-line no-restricted-properties -- a command is a start of its own
    await work(loadConfig(process.env), process.argv.slice(2))
  } catch (error) {
    const text = isForPeople(error) ? textOf(error) : error instanceof Error ? error.stack : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}

/** What names on the command line begin at: where npm was called. */
export const callerFolder = (): string =>
  // eslint-disable-next-line no-restricted-properties -- set by npm, no configuration
  process.env['INIT_CWD'] ?? process.cwd()

export const openConfigured = (config: Config): Promise<OpenDatabase<Schema>> =>
  openDatabase<Schema>({
    url: config.databaseUrl,
    sqliteFile: join(config.dataDir, DATABASE_FILE),
    poolSize: config.databasePoolSize,
  })

/**
 * Runs work that no server may run beside.
 * @throws {DataDirInUseError} when one runs on the data folder (SQLite; with PostgreSQL the folder is not held by anybody)
 */
export async function withoutServer<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const lock = config.databaseUrl === null ? lockDataDir(config.dataDir) : null
  try {
    return await work()
  } finally {
    lock?.release()
  }
}
