import { fsFileRoutes, fsListingRoutes, LIST_LIMIT_MAX } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'
import { hasCode } from '../../../lib/api-error.ts'

/** Maximum number of files whose names are checked individually. For more files, the folder is listed. */
const FEW = 8

export type NameConflict = 'rename' | 'skip' | 'overwrite'

/** A file with its target folder. */
export interface Placed {
  /** Full path, without a trailing slash. */
  readonly directory: string
  readonly name: string
}

export const joinPath = (directory: string, name: string): string =>
  `${directory === '/' ? '' : directory}/${name}`

const isNotThere = (error: unknown) => hasCode(error, 'fs.not_found', 'storage.object_missing')

async function exists(path: string): Promise<boolean> {
  try {
    await api(fsFileRoutes.get, { query: { path } })
    return true
  } catch (error) {
    if (isNotThere(error)) return false
    throw error
  }
}

async function listPage(directory: string, cursor: string | null) {
  const query = { path: `${directory}/`, limit: LIST_LIMIT_MAX, cursor }
  return (await api(fsListingRoutes.list, { query })).data
}

/** Returns the names in a folder. Empty if the folder does not exist. */
async function listNames(directory: string): Promise<Set<string>> {
  const names = new Set<string>()
  let cursor: string | null = null
  try {
    do {
      const page = await listPage(directory, cursor)
      for (const { name } of page.items) names.add(name)
      cursor = page.next_cursor ?? null
    } while (cursor !== null)
  } catch (error) {
    if (!isNotThere(error)) throw error
  }
  return names
}

const segmentsOf = (directory: string) => directory.split('/').filter(Boolean)

/** Returns the folder paths from the innermost common folder down to `directory`. */
function levelsTo(directory: string, all: readonly string[]): string[] {
  const segments = segmentsOf(directory)
  const others = all.map(segmentsOf)
  const ends = segments.findIndex((segment, at) => others.some((other) => other[at] !== segment))
  const shared = Math.max(1, ends === -1 ? segments.length : ends)
  return segments.slice(shared - 1).map((_, index) => `/${segments.slice(0, shared + index).join('/')}`)
}

/**
 * Returns a function that checks whether a folder or one of its parents is missing. Each folder is requested at most
 * once. In a missing folder, all names are free. A single folder is not checked, because the requests for its files
 * show that it is missing.
 */
function createMissing(all: readonly string[]) {
  const known = new Map<string, boolean>()
  return async (directory: string): Promise<boolean> => {
    if (all.length === 1 || directory === '/') return false
    for (const level of levelsTo(directory, all)) {
      const isThere = known.get(level) ?? (await exists(`${level}/`))
      known.set(level, isThere)
      if (!isThere) return true
    }
    return false
  }
}

/**
 * Returns the paths that already exist. Contains all paths of a folder that was listed.
 * @throws {ApiError}
 */
export async function findTaken(files: readonly Placed[]): Promise<Set<string>> {
  const taken = new Set<string>()
  const byDirectory = Map.groupBy(files, ({ directory }) => directory)
  const isMissing = createMissing([...byDirectory.keys()])
  for (const [directory, inside] of byDirectory) {
    if (await isMissing(directory)) continue
    if (inside.length <= FEW) {
      const paths = inside.map(({ name }) => joinPath(directory, name))
      const found = await Promise.all(paths.map(exists))
      paths.forEach((path, index) => found[index] && taken.add(path))
    } else {
      for (const name of await listNames(directory)) taken.add(joinPath(directory, name))
    }
  }
  return taken
}

/**
 * Returns a name with a number, like the server does for copies: with the number 2, `a.txt` and `a(1).txt` become
 * `a(2).txt`.
 */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return `${stem.replace(/\(\d+\)$/, '')}(${number})${end}`
}

/** Returns a numbered name that does not exist yet and is not reserved. @throws {ApiError} */
export async function freeName({ directory, name }: Placed, reserved: ReadonlySet<string>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const next = numberedName(name, number)
    const path = joinPath(directory, next)
    if (!reserved.has(path) && !(await exists(path))) return next
  }
}
