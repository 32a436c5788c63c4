/** Folder of the build's chunks. One of the chunks contains this module. */
const ASSETS = '/assets/'

/**
 * Returns the base path of the product, without a trailing slash: empty, or `/drop` for `https://example.org/drop/`.
 * @param moduleUrl URL of a module of the app
 */
export function basePathOf(moduleUrl: string): string {
  const { protocol, pathname } = new URL(moduleUrl)
  const end = pathname.lastIndexOf(ASSETS)
  // Tests and development have no build, and therefore no base path.
  return /^https?:$/.test(protocol) && end > 0 ? pathname.slice(0, end) : ''
}

export const basePath: string = basePathOf(import.meta.url)

/** Returns a URL of the app, for links outside the router. */
export const hrefOf = (path: string): string => basePath + path
