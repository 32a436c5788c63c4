/** Paths of the virtual file system. Those of folders end in a slash. Pure. */

/** The folder that an address of the explorer names. */
export function folderOfSplat(splat: string): string {
  const names = splat.split('/').filter(Boolean)
  return names.length === 0 ? '/' : `/${names.join('/')}/`
}

/** The other way round. */
export const splatOf = (folder: string): string => folder.replaceAll(/^\/+|\/+$/g, '')

export const nameOfPath = (path: string): string => splatOf(path).split('/').at(-1) ?? ''

/** The folder that holds it; that of the root is the root. */
export function parentOf(path: string): string {
  const names = splatOf(path).split('/')
  return folderOfSplat(names.slice(0, -1).join('/'))
}

/** A key's base path as a folder. */
export const asFolder = (path: string): string => folderOfSplat(splatOf(path))

/** Whether the path is the folder or lies in it. */
export const isWithin = (path: string, folder: string): boolean => path.startsWith(folder)

export interface Crumb {
  readonly name: string
  readonly path: string
}

/** The levels below `base` that lead to `folder`, itself included. */
export function crumbsOf(folder: string, base: string): Crumb[] {
  if (!isWithin(folder, base)) return []
  const names = splatOf(folder.slice(base.length)).split('/').filter(Boolean)
  return names.map((name, index) => ({ name, path: `${base}${names.slice(0, index + 1).join('/')}/` }))
}

/** How many characters of a name come before its extension; all of them for a folder and for `.env`. */
export function stemLength(name: string, { isFolder }: { isFolder: boolean }): number {
  const dot = name.lastIndexOf('.')
  return isFolder || dot <= 0 ? name.length : dot
}

export type NameFault = 'empty' | 'slash' | 'dots' | 'control' | 'long' | 'taken'

const NAME_MAX_BYTES = 255

/** Why a name cannot be given, or `null`. `taken` are the names that are there already. */
export function findNameFault(name: string, taken: ReadonlySet<string>): NameFault | null {
  if (name.trim() === '') return 'empty'
  if (name.includes('/') || name.includes('\\')) return 'slash'
  if (name === '.' || name === '..') return 'dots'
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'control'
  if (new TextEncoder().encode(name).length > NAME_MAX_BYTES) return 'long'
  return taken.has(name) ? 'taken' : null
}

/** Names beside a taken one, in the order to try them: `a(1).txt`, `a(2).txt`, … as the server numbers them. */
export function numberedName(name: string, number: number): string {
  const stem = name.slice(0, stemLength(name, { isFolder: false }))
  return `${stem.replace(/\(\d+\)$/, '')}(${number})${name.slice(stem.length)}`
}
