import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, loadConfig } from '../config/config.ts'
import { DATABASE_FILE, lockDataDir } from '../config/data-dir-lock.ts'
import { type OpenDatabase, openDatabase } from '../db/database.ts'
import { requireKnownSchema } from '../db/migrate.ts'
import { sentenceOf, StartError } from '../lib/start-error.ts'
import type { Schema } from '../schema.ts'

/** Expected error, shown to the operator as one sentence. */
export class CommandError extends StartError {
  override readonly name = 'CommandError'
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)
/** Prints a warning to stderr, because stderr is visible even if the output is redirected. */
export const warn = (line: string): void => void process.stderr.write(`${line}\n`)

/** Runs a command. For an expected error, prints one sentence. For any other error, prints the stack. */
export async function runCommand(
  work: (config: Config, args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    // eslint-disable-next-line no-restricted-properties -- each command is a separate process
    await work(loadConfig(process.env), process.argv.slice(2))
  } catch (error) {
    const where = error instanceof Error ? error.stack : String(error)
    process.stderr.write(`${sentenceOf(error) ?? where}\n`)
    process.exitCode = 1
  }
}

/** Returns the folder in which npm was called, because relative paths on the command line refer to it. */
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
 * Opens an existing database.
 * @throws {StartError} if there is no database (SQLite would create one), if PostgreSQL cannot be used, if the database
 * is empty, or if a newer version has changed it
 */
export async function openExisting(config: Config): Promise<OpenDatabase<Schema>> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === null)
    await access(join(dataDir, DATABASE_FILE)).catch((cause: unknown) => {
      throw new CommandError(`There is no database in ${dataDir}. Set DATA_DIR as for the server.`, { cause })
    })
  const database = await openConfigured(config)
  try {
    await requireKnownSchema({ db: database.db as never })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Runs work that requires the server to be stopped.
 * @throws {StartError} if a server uses the data folder, or if the folder is not writable; only with SQLite, because
 * PostgreSQL needs no lock on the folder
 */
export async function withoutServer<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const lock = config.databaseUrl === null ? lockDataDir(config.dataDir) : null
  try {
    return await work()
  } finally {
    lock?.release()
  }
}
