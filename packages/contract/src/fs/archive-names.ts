import { numberedNames } from './numbered-names.ts'

/**
 * Characters that change how a name is shown, that archive programs interpret as part of a path, or that Windows does
 * not allow.
 */
const UNSAFE = /[\p{Cc}<>:"|?*\\\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu
/** Names of devices. Windows does not create files with these names, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?=[ ]*(?:\.|$))/i

/**
 * Changes names that point to another folder, mislead readers, or are invalid on Windows: `C:`, `CON`, `a `, `b.`,
 * `..`.
 */
const cleaned = (name: string): string =>
  name
    .replace(UNSAFE, '_')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
    .replace(DEVICE, '$&_')

type Taken = Set<string>

/** The names that the entries of one folder get in an archive. */
class FolderNames {
  readonly #taken: Taken
  readonly #comparable: (name: string) => string
  readonly #entries = new Map<string, { readonly name: string; folder: FolderNames | null }>()

  constructor(taken: Taken, comparable: (name: string) => string) {
    this.#taken = taken
    this.#comparable = comparable
  }

  /** Returns the archive name of an entry. The paths of all members below the entry use the same name. */
  enter(original: string, isFolder: boolean) {
    const key = isFolder ? `${original}/` : original
    const known = this.#entries.get(key)
    if (known) return known
    const entry = { name: this.#take(cleaned(original), isFolder), folder: null }
    this.#entries.set(key, entry)
    return entry
  }

  #take(name: string, isFolder: boolean): string {
    const isFree = (candidate: string) => !this.#taken.has(this.#comparable(candidate))
    let chosen = name
    if (!isFree(name)) {
      for (const candidate of numberedNames(name, { isFolder })) {
        chosen = candidate
        if (isFree(candidate)) break
      }
    }
    this.#taken.add(this.#comparable(chosen))
    return chosen
  }
}

/**
 * Makes names in an archive safe and unique. Selected entries of different folders can have equal names, and cleaning
 * can make names equal. At the top level, names that differ only in case count as equal.
 */
export function createArchiveNames() {
  const tops: Taken = new Set()
  return {
    /**
     * Returns a function that renames the members of one selected path. Their top-level name is chosen when the first
     * member is renamed.
     */
    forRoot(): (path: string) => string {
      const root = new FolderNames(tops, (name) => name.toLowerCase())
      return (path) => {
        const end = path.endsWith('/') ? '/' : ''
        const segments = (end === '' ? path : path.slice(0, -1)).split('/')
        let folder = root
        const names = segments.map((segment, depth) => {
          const isFolder = end !== '' || depth < segments.length - 1
          const entry = folder.enter(segment, isFolder)
          if (isFolder) folder = entry.folder ??= new FolderNames(new Set(), (name) => name)
          return entry.name
        })
        return names.join('/') + end
      }
    },
  }
}
