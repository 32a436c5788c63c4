import { FILENAME_MAX_BYTES } from '../core/limits.ts'

/** Maximum length of a whole path in UTF-16 units. */
export const BUNDLE_PATH_MAX_LENGTH = 1000

export type BundlePathProblem =
  | 'length'
  /** A name in the path is empty, `.` or `..`, or longer than 255 bytes. */
  | 'name'
  /** The path contains a control character, a bidirectional control or a backslash, or is not in Unicode form NFC. */
  | 'characters'
  /** The path equals another path, ignoring case. */
  | 'duplicate'
  /** The path is below the path of another item that is a file or a live folder. */
  | 'below_item'

const encoder = new TextEncoder()
const FORBIDDEN = /[\p{Cc}\\\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u

/**
 * Returns why a path of an item is invalid, or `null` if the path is valid. Does not check for collisions with other
 * paths.
 */
export function findBundlePathProblem(path: string): BundlePathProblem | null {
  if (path.length > BUNDLE_PATH_MAX_LENGTH) return 'length'
  if (FORBIDDEN.test(path) || !path.isWellFormed() || path.normalize('NFC') !== path) return 'characters'
  const isBad = (name: string) =>
    name === '' || name === '.' || name === '..' || encoder.encode(name).length > FILENAME_MAX_BYTES
  return path.split('/').some(isBad) ? 'name' : null
}

/** Returns the form in which paths are compared. It ignores case, because some file systems do. */
export const foldedBundlePath = (path: string): string => path.normalize('NFKC').toLowerCase()

/**
 * Returns the first problem of each invalid path, by the index of the path. Paths must be unique ignoring case, and no
 * path can be below another path.
 */
export function findBundlePathProblems(paths: readonly string[]): ReadonlyMap<number, BundlePathProblem> {
  const problems = new Map<number, BundlePathProblem>()
  const seen = new Set<string>()
  for (const [index, path] of paths.entries()) {
    const folded = foldedBundlePath(path)
    const problem = findBundlePathProblem(path) ?? (seen.has(folded) ? 'duplicate' : null)
    if (problem) problems.set(index, problem)
    seen.add(folded)
  }
  for (const [index, path] of paths.entries()) {
    const names = foldedBundlePath(path).split('/')
    const isBelow = names.some((_, depth) => depth > 0 && seen.has(names.slice(0, depth).join('/')))
    if (isBelow && !problems.has(index)) problems.set(index, 'below_item')
  }
  return problems
}
