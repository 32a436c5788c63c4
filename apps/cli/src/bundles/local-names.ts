import { extname } from 'node:path'
import { foldedBundlePath } from '@dropleaf/contract'
import { beginningOf, NAME_MAX_BYTES, safeSegment } from '../names.ts'

interface Folder {
  /** Names that are taken, in the form in which the disk compares them. */
  readonly taken: Set<string>
  /** Local name by kind and name in the bundle. */
  readonly names: Map<string, string>
}

/** Adds a number before the extension, without which the name would be taken. */
function numbered(name: string, count: number): string {
  const ending = ` (${count})${extname(name)}`
  const stem = name.slice(0, name.length - extname(name).length)
  return beginningOf(stem, NAME_MAX_BYTES - Buffer.byteLength(ending)) + ending
}

/**
 * Gives the files of a bundle paths that every disk accepts, and that are different. Names that become the same get a
 * number.
 * @param ignoresCase whether the disk holds names that differ in case for the same
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

  /** Names on this machine of the folders of a file, and its own. */
  const ofFile = (path: string): string[] => {
    const names = path.split('/')
    return names.map((name, depth) => {
      const kind = depth === names.length - 1 ? 'file' : 'folder'
      return nameIn(names.slice(0, depth).join('/'), { name, kind })
    })
  }
  /** Name of the page, which is different from those of the items. */
  const ofPage = (name: string): string => nameIn('', { name, kind: 'page' })
  return { ofFile, ofPage } as const
}
