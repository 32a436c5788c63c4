import { DatabaseSync } from 'node:sqlite'
import type { OldRow } from './cloudpaste.models.ts'

/** What keeps a file from being read as a database of CloudPaste, in a sentence for the person at the console. */
export class CloudPasteError extends Error {
  override readonly name = 'CloudPasteError'
}

const TABLES = ['admins', 'api_keys', 'pastes', 'files', 's3_configs', 'storage_mounts'] as const

/** Read row by row: a text has up to 10 MiB. */
export interface CloudPasteDatabase extends Disposable {
  rows(table: (typeof TABLES)[number] | 'system_settings'): Iterable<OldRow>
  /** Shares with the password that lies beside them in clear, where one does, as `plain_password`. Given slugs last. */
  shares(table: 'pastes' | 'files'): Iterable<OldRow>
}

function openFile(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    // Nothing is read at the opening.
    database.prepare('select count(*) from sqlite_schema').get()
    return database
  } catch (cause) {
    throw new CloudPasteError(
      `${path} cannot be read as an SQLite database: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}

/**
 * Opens the database of a CloudPaste that does not run, and never writes to it.
 * @throws {CloudPasteError} when it cannot be read, or is none
 */
export function openCloudPaste(path: string): CloudPasteDatabase {
  const database = openFile(path)
  const there = new Set(
    database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  const missing = TABLES.filter((table) => !there.has(table))
  if (missing.length > 0) {
    database.close()
    throw new CloudPasteError(`${path} is no database of CloudPaste: it has no table ${missing.join(', ')}.`)
  }
  const PASSWORDS = {
    pastes: ['paste_passwords', 'paste_id'],
    files: ['file_passwords', 'file_id'],
  } as const
  /** Of whatever size numbers are: the models say of which they can make nothing. */
  const read = (statement: string) => {
    const prepared = database.prepare(statement)
    prepared.setReadBigInts(true)
    return prepared.iterate()
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
