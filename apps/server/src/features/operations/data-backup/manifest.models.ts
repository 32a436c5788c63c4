import * as z from 'zod/mini'

export const MANIFEST_FILE = 'manifest.json'
export const MANIFEST_FORMAT = 'dropleaf-data'
export const SQLITE_FILE = 'database.sqlite'
export const SECRET_FILE = 'secret.key'
export const STORAGE_FOLDER = 'storage'
export const TABLES_FOLDER = 'tables'

/** A relative path inside the backup, with forward slashes. */
const place = z
  .string()
  .check(
    z.refine(
      (text) =>
        text !== '' &&
        !text.includes('\0') &&
        !/^(?:\/|[A-Za-z]:)|\\/.test(text) &&
        text.split('/').every((name) => name !== '' && name !== '.' && name !== '..'),
      'must be a path in the backup',
    ),
  )

const isOfBackup = (path: string): boolean =>
  path === SQLITE_FILE ||
  path === SECRET_FILE ||
  path.startsWith(`${STORAGE_FOLDER}/`) ||
  /^tables\/[a-z_]+\.ndjson$/.test(path)

const savedFile = z.object({
  path: place.check(z.refine(isOfBackup, 'must be a file of a backup')),
  sizeBytes: z.number(),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
export type SavedFile = z.infer<typeof savedFile>

/** The content of a backup, used to verify that it is complete. */
export const manifest = z.object({
  format: z.literal(MANIFEST_FORMAT),
  version: z.literal(1),
  product: z.string(),
  createdAt: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** Names of the migrations that have been applied to the database. */
  migrations: z.array(z.string()).check(z.minLength(1)),
  /** Tables of the backup. Referenced tables come first. Empty for SQLite. */
  tables: z.array(z.object({ name: z.string().check(z.regex(/^[a-z_]+$/)), rows: z.number() })),
  files: z.array(savedFile),
  /** Empty folders. They are listed separately, because no path of a file contains them. */
  folders: z.array(
    place.check(z.refine((path) => path.startsWith(`${STORAGE_FOLDER}/`), 'must be of a storage')),
  ),
})
export type Manifest = z.infer<typeof manifest>

/** Sorts tables so that referenced tables come first. References of a table to itself are ignored. */
export function inOrderOfReferences(
  tables: readonly string[],
  references: ReadonlyArray<{ readonly child: string; readonly parent: string }>,
): string[] {
  const ordered = new Set<string>()
  const visit = (table: string, path: readonly string[]) => {
    if (ordered.has(table) || path.includes(table)) return
    for (const { child, parent } of references) if (child === table) visit(parent, [...path, table])
    if (tables.includes(table)) ordered.add(table)
  }
  for (const table of tables) visit(table, [])
  return [...ordered]
}
