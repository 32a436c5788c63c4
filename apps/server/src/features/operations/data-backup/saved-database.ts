import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { SECRET_CHECK_KEY } from '../../../config/secret.ts'
import { TABLES_FOLDER } from './manifest.models.ts'
import { TABLES_WITHOUT_ROWS } from './tables.repository.ts'

export interface SelfDescription {
  readonly migrations: readonly string[]
  /** Fingerprint of the secret that encrypts values in the database; `null` if no server has used the database. */
  readonly secretCheck: string | null
}

/**
 * Checks a whole SQLite file that is not in use. @returns the metadata; `null` if the file is damaged or not a Dropleaf
 * database
 */
export function describeSqliteFile(file: string): SelfDescription | null {
  // Prevents SQLite from creating files beside the database, because the disk can be read-only.
  const address = pathToFileURL(file)
  address.searchParams.set('immutable', '1')
  let connection: DatabaseSync | undefined
  try {
    connection = new DatabaseSync(address, { readOnly: true })
    const damage = connection.prepare('PRAGMA quick_check(1)').all() as Array<{ quick_check: string }>
    if (damage[0]?.quick_check !== 'ok') return null
    const migrations = connection.prepare('SELECT name FROM kysely_migration ORDER BY name').all() as Array<{
      name: string
    }>
    const check = connection.prepare('SELECT value FROM settings WHERE key = ?').get(SECRET_CHECK_KEY) as
      | { value: string }
      | undefined
    return { migrations: migrations.map(({ name }) => name), secretCheck: check?.value ?? null }
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR') return null
    throw error
  } finally {
    connection?.close()
  }
}

/** Empties the tables that are saved without their rows, in a whole SQLite file that is not in use. */
export function emptyUnsavedTables(file: string): void {
  const connection = new DatabaseSync(file)
  try {
    // The deleted rows must not stay readable in free pages.
    connection.exec('PRAGMA secure_delete = ON')
    const isThere = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?')
    // A database of an older version can lack some of these tables.
    for (const table of TABLES_WITHOUT_ROWS)
      if (isThere.get(table) !== undefined) connection.exec(`DELETE FROM "${table}"`)
  } finally {
    connection.close()
  }
}

export const linesOfTable = (folder: string, table: string) =>
  createInterface({
    input: createReadStream(join(folder, TABLES_FOLDER, `${table}.ndjson`)),
    crlfDelay: Infinity,
  })

/** Returns the fingerprint of the secret from saved tables; `null` if there is none. */
export async function savedSecretCheck(folder: string): Promise<string | null> {
  for await (const line of linesOfTable(folder, 'settings')) {
    const row = JSON.parse(line) as { key: string; value: string }
    if (row.key === SECRET_CHECK_KEY) return row.value
  }
  return null
}
