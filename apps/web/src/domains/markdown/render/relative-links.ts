/** Files beside a text, where it lies in a folder. */
export interface RelativeFiles {
  /** The page of a file or folder by its relative address; `null` for what is outside of all that can be reached. */
  readonly pageOf: (address: string) => string | null
  /** Follows a link to such a page without leaving the app. */
  readonly open: (address: string) => void
  /** The bytes of a file, for the browser itself. */
  readonly findBytes: (address: string) => Promise<string>
}

/** Marks elements whose file has to be resolved, and links to one. */
export const BESIDE = 'data-beside'

/** Neither of another host, nor from the root of this one, nor a place in the text. */
export const isRelative = (address: string): boolean => /^(?![a-z][a-z0-9+.-]*:|[/\\#?]|$)/i.test(address)

/**
 * The path that a relative address leads to, below `/`; `null` where it climbs above that, or cannot be read.
 * @param folder ends in a slash, as the path does where the address does
 */
export function resolvePath(folder: string, address: string): string | null {
  const names = folder.split('/').filter(Boolean)
  let parts: string[]
  try {
    parts = address
      .replace(/[?#].*$/s, '')
      .split('/')
      .map(decodeURIComponent)
  } catch {
    return null
  }
  for (const part of parts) {
    // What is written as one name is no way to another folder.
    if (part.includes('/') || part.includes('\\')) return null
    if (part === '..' && names.pop() === undefined) return null
    if (part !== '..' && part !== '.' && part !== '') names.push(part)
  }
  const isFolder = names.length === 0 || /^\.{0,2}$/.test(parts.at(-1) ?? '')
  return `/${names.join('/')}${isFolder && names.length > 0 ? '/' : ''}`
}
