/** The files in the folder of a text. */
export interface RelativeFiles {
  /** Returns the app's page for a relative URL, or `null` if the URL leaves the accessible folders. */
  readonly pageOf: (address: string) => string | null
  /** Opens a page from {@link pageOf} within the app. */
  readonly open: (address: string) => void
  /** Returns the URL of a file's content. */
  readonly findBytes: (address: string) => Promise<string>
}

/** Attribute of links to files, and of elements whose file is not resolved yet. */
export const BESIDE = 'data-beside'

/**
 * Whether a URL is relative to the current folder. Such a URL has no scheme, host or leading slash, and is more than
 * a query or fragment.
 */
export const isRelative = (address: string): boolean => /^(?![a-z][a-z0-9+.-]*:|[/\\#?]|$)/i.test(address)

/**
 * Resolves a relative URL to a path below `/`. Returns `null` if the path leaves `/` or is malformed.
 * @param folder must end with a slash. The result ends with a slash if `address` does.
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
