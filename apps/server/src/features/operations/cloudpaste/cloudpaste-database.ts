import { accessSync, constants, statSync } from 'node:fs'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OldRow } from './cloudpaste.models.ts'

/** The file is not a readable CloudPaste database. The message is a sentence for the operator. */
export class CloudPasteError extends Error {
  override readonly name = 'CloudPasteError'
}

const TABLES = ['admins', 'api_keys', 'pastes', 'files', 's3_configs', 'storage_mounts'] as const

/** Reads rows one by one, because a single text can be 10 MiB long. */
export interface CloudPasteDatabase extends Disposable {
  rows(table: (typeof TABLES)[number] | 'system_settings'): Iterable<OldRow>
  /** Yields shares. If the database has a table of plain passwords, each row has a `plain_password`. */
  shares(table: 'pastes' | 'files'): Iterable<OldRow>
}

/**
 * Checks that the file exists, because SQLite has the same message for every file that it cannot open. @throws
 * {CloudPasteError}
 */
function requireFile(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there) throw new CloudPasteError(`There is no file ${path}.`)
  if (there.isDirectory())
    throw new CloudPasteError(`${path} is a folder: the database is a file in it, such as cloudpaste.db.`)
  try {
    accessSync(path, constants.R_OK)
  } catch (cause) {
    throw new CloudPasteError(`${path} may not be read by the user that runs this.`, { cause })
  }
}

const SQLITE_CORRUPT = 11

/**
 * Adds the file name to an SQLite error, to distinguish it from errors of the server's own database. Other errors are
 * unchanged.
 */
function ofFile(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  const isDamage = (error.errcode & 0xff) === SQLITE_CORRUPT
  const words = isDamage
    ? `${path} is damaged: ${error.message}. Nothing has been taken over. Copy it anew while CloudPaste is stopped; if it is damaged there, too, \`sqlite3 ${basename(path)} .recover\` saves what can be read.`
    : `${path} cannot be read as an SQLite database: ${error.message}`
  return new CloudPasteError(words, { cause: error })
}

function openFile(path: string): DatabaseSync {
  requireFile(path)
  return new DatabaseSync(path, { readOnly: true })
}

/**
 * Opens the database of a stopped CloudPaste server read-only. @throws {CloudPasteError} if the file is unreadable or
 * not a CloudPaste database
 */
export function openCloudPaste(path: string): CloudPasteDatabase {
  try {
    return readerOf(openFile(path), path)
  } catch (error) {
    throw ofFile(path, error)
  }
}

function tablesOf(database: DatabaseSync): ReadonlySet<unknown> {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  return new Set(tables.map(({ name }) => name))
}

function readerOf(database: DatabaseSync, path: string): CloudPasteDatabase {
  const there = tablesOf(database)
  const missing = TABLES.filter((table) => !there.has(table))
  if (missing.length > 0) {
    database.close()
    throw new CloudPasteError(`${path} is no database of CloudPaste: it has no table ${missing.join(', ')}.`)
  }
  const PASSWORDS = {
    pastes: ['paste_passwords', 'paste_id'],
    files: ['file_passwords', 'file_id'],
  } as const
  /** Allows integers of any size. The models reject integers that are unusable. */
  function* read(statement: string): Generator<OldRow> {
    try {
      const prepared = database.prepare(statement)
      prepared.setReadBigInts(true)
      yield* prepared.iterate()
    } catch (error) {
      throw ofFile(path, error)
    }
  }
  return {
    rows: (table) => (there.has(table) ? read(`select * from ${table}`) : []),
    shares(table) {
      const [passwords, id] = PASSWORDS[table]
      if (!there.has(passwords)) return read(`select * from ${table}`)
      return read(
        `select s.*, p.plain_password from ${table} s left join ${passwords} p on p.${id} = s.id order by s.rowid`,
      )
    },
    [Symbol.dispose]: () => database.close(),
  }
}
