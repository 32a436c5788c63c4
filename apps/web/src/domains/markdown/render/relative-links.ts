/** Files in the same folder as a text. */
export interface RelativeFiles {
  /** The app's page of a relative address; `null` outside of the accessible folders. */
  readonly pageOf: (address: string) => string | null
  /** Opens such a page within the app. */
  readonly open: (address: string) => void
  /** The URL of a file's bytes. */
  readonly findBytes: (address: string) => Promise<string>
}

/** The attribute of elements whose file is not resolved yet, and of links to files. */
export const BESIDE = 'data-beside'

/** Whether an address is relative: no other host, no path from the root, and no fragment. */
export const isRelative = (address: string): boolean => /^(?![a-z][a-z0-9+.-]*:|[/\\#?]|$)/i.test(address)

/**
 * Resolves a relative address to a path below `/`; `null` if it leaves that or is malformed.
 * @param folder ends in a slash, as the path does if the address does
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
    // An encoded slash must not change the folder.
    if (part.includes('/') || part.includes('\\')) return null
    if (part === '..' && names.pop() === undefined) return null
    if (part !== '..' && part !== '.' && part !== '') names.push(part)
  }
  const isFolder = names.length === 0 || /^\.{0,2}$/.test(parts.at(-1) ?? '')
  return `/${names.join('/')}${isFolder && names.length > 0 ? '/' : ''}`
}
