import * as z from 'zod/mini'

export const MANIFEST_FILE = 'manifest.json'
export const MANIFEST_FORMAT = 'dropleaf-data'
export const SQLITE_FILE = 'database.sqlite'
export const SECRET_FILE = 'secret.key'
export const STORAGE_FOLDER = 'storage'
export const TABLES_FOLDER = 'tables'

/** A path of the backup, with slashes, that stays in it. */
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

/** What a backup holds, and by which one sees that all of it is there. */
export const manifest = z.object({
  format: z.literal(MANIFEST_FORMAT),
  version: z.literal(1),
  product: z.string(),
  createdAt: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** Those that its database went through. */
  migrations: z.array(z.string()).check(z.minLength(1)),
  /** In the order in which rows may refer to each other; of PostgreSQL only. */
  tables: z.array(z.object({ name: z.string().check(z.regex(/^[a-z_]+$/)), rows: z.number() })),
  files: z.array(savedFile),
  /** Folders without files. */
  folders: z.array(
    place.check(z.refine((path) => path.startsWith(`${STORAGE_FOLDER}/`), 'must be of a storage')),
  ),
})
export type Manifest = z.infer<typeof manifest>

/** Parents before their children. Rows that refer to others of their own table come in any order. */
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
