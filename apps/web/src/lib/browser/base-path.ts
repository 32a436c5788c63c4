/** Where the build puts its chunks; this module is in one of them. */
const ASSETS = '/assets/'

/**
 * Path below which the whole product lies, without a slash at its end: nothing, or `/drop` for `https://example.org/drop/`.
 * @param moduleUrl address of a module of the app
 */
export function basePathOf(moduleUrl: string): string {
  const { protocol, pathname } = new URL(moduleUrl)
  const end = pathname.lastIndexOf(ASSETS)
  // From source, in tests and at development, there is none.
  return /^https?:$/.test(protocol) && end > 0 ? pathname.slice(0, end) : ''
}

export const basePath: string = basePathOf(import.meta.url)

/** An address of the app itself, for links that the router does not follow. */
export const hrefOf = (path: string): string => basePath + path
