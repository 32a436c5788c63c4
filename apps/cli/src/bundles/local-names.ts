import { extname } from 'node:path'
import { foldedBundlePath } from '@dropleaf/contract'
import { beginningOf, NAME_MAX_BYTES, safeSegment } from '../names.ts'

interface Folder {
  /** Names in use, normalized as the disk compares them. */
  readonly taken: Set<string>
  /** Local names, keyed by the kind and the name in the bundle. */
  readonly names: Map<string, string>
}

/** Adds a number before the extension. */
function numbered(name: string, count: number): string {
  const ending = ` (${count})${extname(name)}`
  const stem = name.slice(0, name.length - extname(name).length)
  return beginningOf(stem, NAME_MAX_BYTES - Buffer.byteLength(ending)) + ending
}

/**
 * Maps the files of a bundle to unique local paths that every disk accepts. If names collide, adds a number to them.
 * @param ignoresCase whether the disk ignores case in names
 */
export function createLocalNames({ ignoresCase }: { ignoresCase: boolean }) {
  const folders = new Map<string, Folder>()
  const folded = (name: string) => (ignoresCase ? foldedBundlePath(name) : name)

  function nameIn(path: string, { name, kind }: { name: string; kind: 'file' | 'folder' | 'page' }): string {
    const folder = folders.get(path) ?? { taken: new Set(), names: new Map() }
    folders.set(path, folder)
    const key = `${kind} ${name}`
    const known = folder.names.get(key)
    if (known !== undefined) return known
    const safe = safeSegment(name)
    let local = safe
    for (let count = 2; folder.taken.has(folded(local)); count += 1) local = numbered(safe, count)
    folder.taken.add(folded(local))
    folder.names.set(key, local)
    return local
  }

  /** Returns the local names of a file's folders and of the file. */
  const ofFile = (path: string): string[] => {
    const names = path.split('/')
    return names.map((name, depth) => {
      const kind = depth === names.length - 1 ? 'file' : 'folder'
      return nameIn(names.slice(0, depth).join('/'), { name, kind })
    })
  }
  /** Returns the local name of the page, which differs from those of the items. */
  const ofPage = (name: string): string => nameIn('', { name, kind: 'page' })
  return { ofFile, ofPage } as const
}
