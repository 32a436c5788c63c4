/** Files that a text can reference with URLs relative to its folder. */
export interface RelativeFiles {
  /** Returns the URL of the app's page for a relative URL, or `null` if there is no such page. */
  readonly pageOf: (address: string) => string | null
  /** Opens the page for a relative URL within the app. */
  readonly open: (address: string) => void
  /** Returns the URL of a file's content. Rejects if the file is missing or not accessible. */
  readonly findBytes: (address: string) => Promise<string>
}

/** Attribute with the relative URL of a link, image or recording. */
export const BESIDE = 'data-beside'

/**
 * Whether a URL is relative to the current folder. Such a URL has no scheme, host or leading slash, and is more than
 * a query or fragment.
 */
export const isRelative = (address: string): boolean => /^(?![a-z][a-z0-9+.-]*:|[/\\#?]|$)/i.test(address)

/**
 * Resolves a relative URL to a path below `/`. Returns `null` if the path leaves `/`, is malformed, or contains an
 * encoded slash or a backslash. The result ends with a slash if the last segment of `address` is empty, `.` or `..`.
 * @param folder path of the folder of the text
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
