/** Paths of the virtual file system. Folder paths end with a slash. */

/** Converts the path in an explorer URL to a folder path. */
export function folderOfSplat(splat: string): string {
  const names = splat.split('/').filter(Boolean)
  return names.length === 0 ? '/' : `/${names.join('/')}/`
}

/** The inverse of {@link folderOfSplat}. */
export const splatOf = (folder: string): string => folder.replaceAll(/^\/+|\/+$/g, '')

export const nameOfPath = (path: string): string => splatOf(path).split('/').at(-1) ?? ''

/** The parent folder; for the root, the root itself. */
export function parentOf(path: string): string {
  const names = splatOf(path).split('/')
  return folderOfSplat(names.slice(0, -1).join('/'))
}

/** Converts an API key's base path to a folder path. */
export const asFolder = (path: string): string => folderOfSplat(splatOf(path))

/** Whether the path is the folder or inside it. */
export const isWithin = (path: string, folder: string): boolean => path.startsWith(folder)

export interface Crumb {
  readonly name: string
  readonly path: string
}

/** Returns the folders below `base`, down to `folder`. */
export function crumbsOf(folder: string, base: string): Crumb[] {
  if (!isWithin(folder, base)) return []
  const names = splatOf(folder.slice(base.length)).split('/').filter(Boolean)
  return names.map((name, index) => ({ name, path: `${base}${names.slice(0, index + 1).join('/')}/` }))
}

/** Length of a name without its extension; the full length for folders, and for names such as `.env`. */
export function stemLength(name: string, { isFolder }: { isFolder: boolean }): number {
  const dot = name.lastIndexOf('.')
  return isFolder || dot <= 0 ? name.length : dot
}

export type NameFault = 'empty' | 'slash' | 'dots' | 'control' | 'long' | 'taken'

const NAME_MAX_BYTES = 255

/** Returns why a name is invalid, or `null`. `taken` contains the existing names. */
export function findNameFault(name: string, taken: ReadonlySet<string>): NameFault | null {
  if (name.trim() === '') return 'empty'
  if (name.includes('/') || name.includes('\\')) return 'slash'
  if (name === '.' || name === '..') return 'dots'
  // oxlint-disable-next-line no-control-regex -- finds control characters
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'control'
  if (new TextEncoder().encode(name).length > NAME_MAX_BYTES) return 'long'
  return taken.has(name) ? 'taken' : null
}

/** Returns an alternative for an existing name, such as `a(1).txt`, as the server does. */
export function numberedName(name: string, number: number): string {
  const stem = name.slice(0, stemLength(name, { isFolder: false }))
  return `${stem.replace(/\(\d+\)$/, '')}(${number})${name.slice(stem.length)}`
}
