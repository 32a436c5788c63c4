import {
  BUNDLE_PATH_MAX_LENGTH,
  FILENAME_MAX_BYTES,
  findBundlePathProblem,
  findBundlePathProblems,
  foldedBundlePath,
} from '@dropleaf/contract'

const encoder = new TextEncoder()
const bytesIn = (text: string) => encoder.encode(text).length

/**
 * Returns the path of a chosen file in its bundle. Composes accents. macOS stores accents as separate characters,
 * which bundles reject.
 */
export const itemPathOf = ({ folder, name }: { folder: string; name: string }): string =>
  (folder + name).normalize('NFC')

/** Splits a name before its extension: `a.tar` and `.gz`. */
function splitName(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

/** Shortens a name to the maximum length, and keeps its extension if there is room. */
function fitName(name: string, maxBytes = FILENAME_MAX_BYTES): string {
  if (bytesIn(name) <= maxBytes) return name
  const [stem, extension] = splitName(name)
  const end = bytesIn(extension) < maxBytes ? extension : ''
  const letters = [...stem]
  while (letters.length > 1 && bytesIn(letters.join('')) + bytesIn(end) > maxBytes) letters.pop()
  return letters.join('') + end
}

function cleanName(name: string): string {
  const letters = [...name].map((letter) => (findBundlePathProblem(letter) === 'characters' ? '_' : letter))
  const clean = letters.join('').normalize('NFC')
  return fitName(/^\.{0,2}$/.test(clean) ? '_' : clean)
}

function cleanPath(path: string): string {
  const names = path.normalize('NFC').split('/').map(cleanName)
  const whole = names.join('/')
  return whole.length > BUNDLE_PATH_MAX_LENGTH ? (names.at(-1) ?? '_') : whole
}

const ROOM_FOR_NUMBER = 12

/** Adds a number to the path segment at a depth: `a/b (2).txt`. */
function numbered(path: string, depth: number, number: number): string {
  return path
    .split('/')
    .map((name, index, names) => {
      if (index !== depth) return name
      const isFile = index === names.length - 1
      const [stem, extension] = isFile ? splitName(name) : [name, '']
      return `${fitName(stem, FILENAME_MAX_BYTES - bytesIn(extension) - ROOM_FOR_NUMBER)} (${number})${extension}`
    })
    .join('/')
}

const foldersAbove = (folded: string): string[] => {
  const names = folded.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** The paths in use: the paths of items and of their parent folders. */
class Taken {
  readonly #items = new Set<string>()
  readonly #folders = new Set<string>()

  add(path: string): void {
    const folded = foldedBundlePath(path)
    this.#items.add(folded)
    for (const folder of foldersAbove(folded)) this.#folders.add(folder)
  }

  /** Returns the depth of the path segment that collides with another item, or -1. */
  collisionOf(path: string): number {
    const folded = foldedBundlePath(path)
    const above = foldersAbove(folded)
    const depth = above.findIndex((folder) => this.#items.has(folder))
    if (depth !== -1) return depth
    return this.#items.has(folded) || this.#folders.has(folded) ? above.length : -1
  }
}

/** Suggests a valid path for each invalid path. The keys are the indexes of the invalid paths. */
export function suggestItemPaths(paths: readonly string[]): ReadonlyMap<number, string> {
  const problems = findBundlePathProblems(paths)
  const taken = new Taken()
  for (const [index, path] of paths.entries()) if (!problems.has(index)) taken.add(path)
  const suggested = new Map<number, string>()
  for (const index of problems.keys()) {
    const clean = cleanPath(paths[index] ?? '')
    let path = clean
    let number = 1
    for (let depth = taken.collisionOf(path); depth !== -1; depth = taken.collisionOf(path)) {
      number += 1
      path = numbered(clean, depth, number)
    }
    taken.add(path)
    suggested.set(index, path)
  }
  return suggested
}
