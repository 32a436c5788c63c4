import { nameOf, numberedNames } from '../../../lib/object-names.ts'

const MANY_NAME = 'files'

/** Characters that unpacking programs interpret as paths: `\`, and a drive in front. */
export const memberName = (name: string): string => name.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_')

/** File name of an archive: the requested name, or the name of its only entry. */
export function archiveName(asked: string | null, paths: readonly string[]): string {
  const only = paths.length === 1 ? nameOf(paths[0] ?? '') : ''
  const name = (asked ?? '').replace(/[/\\]/g, '_').trim() || only || MANY_NAME
  return name.toLowerCase().endsWith('.zip') ? name : `${name}.zip`
}

/**
 * Makes top-level names in an archive unique, ignoring case: entries of several folders may have the same name. Below the top
 * level names cannot collide.
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
    /** Renames the members of one selected path; its top-level name is chosen at its first member. */
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
