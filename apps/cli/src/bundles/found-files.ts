import {
  bundleErrors,
  bundleReadingRoutes,
  type InputOf,
  type Lenient,
  LIST_LIMIT_MAX,
  type OpenBundle,
  type ReplyOf,
} from '@dropleaf/contract'
import { call, type Connection } from '../client.ts'
import { CliError, EXIT, hasCode } from '../errors.ts'

/** A file of an opened bundle. */
export interface FoundFile {
  /** Path in the bundle, for requests. Not a local path. */
  readonly path: string
  /** `null` if it is unknown before the download. */
  readonly sizeBytes: number | null
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** Paths of live folders that can no longer be read. */
  readonly gone: readonly string[]
}

/** Maximum number of files. A bundle that lists more files is considered malicious. */
const FILES_MAX = 1_000_000
const PATH_MAX_LENGTH = 4096

/** Error for a bundle whose paths lead outside the target, or whose list does not end. */
const untrusted = (path: string) =>
  new CliError({ exitCode: EXIT.refused, text: 'get.bad_path', params: { path } })

/** Whether every segment of a path is a plain name. Such a path leads neither to a parent folder nor to a root. */
const isPath = (path: string): boolean =>
  path.length <= PATH_MAX_LENGTH &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'))

/** Errors after which the item is skipped, because the rest of the bundle can still be read. */
const GONE = [
  bundleErrors.item_gone.code,
  bundleErrors.item_not_found.code,
  bundleErrors.item_kind.code,
] as const
export const isItemGone = (error: unknown): boolean => hasCode(error, ...GONE)

interface Reading {
  readonly connection: Connection
  readonly opened: OpenBundle
  readonly files: FoundFile[]
}

/** Adds a file. @throws {CliError} if its path is unsafe, or there are too many files */
function add({ files }: Pick<Reading, 'files'>, file: FoundFile): void {
  if (!isPath(file.path) || files.length >= FILES_MAX) throw untrusted(file.path)
  files.push(file)
}

type ListQuery = Lenient<InputOf<typeof bundleReadingRoutes.list, 'query'>>
type ListReply = ReplyOf<typeof bundleReadingRoutes.list>

/** Lists a folder page by page, and all folders below it. */
async function addFolder(reading: Reading, top: string): Promise<void> {
  const { connection, opened } = reading
  const { slug, ticket } = opened
  const folders = [top]
  let listed = 0
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    if (!isPath(path)) throw untrusted(path)
    const cursors = new Set<string>()
    let cursor: string | null = null
    do {
      listed += 1
      const query: ListQuery = { ticket, path, limit: LIST_LIMIT_MAX, cursor }
      const { data }: ListReply = await call(connection, bundleReadingRoutes.list, {
        params: { slug },
        query,
      })
      for (const entry of data.items) {
        listed += 1
        // Uses only the entry's name below the requested folder, because the entry's path is not trusted.
        const below = `${path}/${entry.name}`
        if (entry.name.includes('/') || listed > FILES_MAX) throw untrusted(below)
        if (entry.isDirectory) folders.push(below)
        else add(reading, { path: below, sizeBytes: entry.size })
      }
      cursor = data.next_cursor
      if (cursor !== null && cursors.has(cursor)) throw untrusted(path)
      cursors.add(cursor ?? '')
    } while (cursor !== null)
  }
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`)

/** Adds a path in a live folder: a file, or a folder with everything below it. */
async function addPlace(reading: Reading, path: string): Promise<void> {
  if (!isPath(path)) throw untrusted(path)
  try {
    await addFolder(reading, path)
  } catch (error) {
    if (!hasCode(error, bundleErrors.item_kind.code)) throw error
    add(reading, { path, sizeBytes: null })
  }
}

/**
 * Finds the files of a bundle, including those of live folders.
 * @param only path of the only item to find; `null` for all items
 * @throws {CliError} if a request fails, or a path leads outside the bundle
 */
export async function findFiles(
  connection: Connection,
  opened: OpenBundle,
  only: string | null,
): Promise<FoundFiles> {
  const reading = { connection, opened, files: [] as FoundFile[] }
  const gone: string[] = []
  for (const item of opened.manifest.items) {
    const isWanted = only === null || item.path === only || isBelow(item.path, only)
    const isAround = only !== null && item.kind === 'folder' && isBelow(only, item.path)
    try {
      if (isAround) await addPlace(reading, only)
      else if (isWanted && item.kind === 'file') add(reading, { path: item.path, sizeBytes: item.size })
      else if (isWanted) await addFolder(reading, item.path)
    } catch (error) {
      if (!isItemGone(error)) throw error
      gone.push(item.path)
    }
  }
  return { files: [...new Map(reading.files.map((file) => [file.path, file])).values()], gone }
}
