import { nameOf, numberedNames } from '../../../lib/object-names.ts'

const MANY_NAME = 'files'

/** Replaces characters that archive programs would interpret as part of a path: `\` and a drive letter. */
export const memberName = (name: string): string => name.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_')

/** Returns the archive's file name: the requested name or, without one, the name of its only entry. */
export function archiveName(asked: string | null, paths: readonly string[]): string {
  const only = paths.length === 1 ? nameOf(paths[0] ?? '') : ''
  const name = (asked ?? '').replace(/[/\\]/g, '_').trim() || only || MANY_NAME
  return name.toLowerCase().endsWith('.zip') ? name : `${name}.zip`
}

/**
 * Makes top-level names in an archive unique, ignoring case, because entries of different folders can have equal names.
 */
export function createNames() {
  const taken = new Set<string>()
  function take(name: string, isFolder: boolean): string {
    const free = (candidate: string) => !taken.has(candidate.toLowerCase())
    let chosen = name
    if (!free(name)) {
      for (const candidate of numberedNames(name, { isFolder })) {
        chosen = candidate
        if (free(candidate)) break
      }
    }
    taken.add(chosen.toLowerCase())
    return chosen
  }
  return {
    /**
     * Returns a function that renames the members of one selected path. Their top-level name is chosen when the first
     * member is renamed.
     */
    forRoot(): (name: string) => string {
      const tops = new Map<string, string>()
      return (name) => {
        const cut = name.indexOf('/')
        const top = cut < 0 ? name : name.slice(0, cut)
        const chosen = tops.get(top) ?? take(top, cut >= 0)
        tops.set(top, chosen)
        return cut < 0 ? chosen : chosen + name.slice(cut)
      }
    },
  }
}
