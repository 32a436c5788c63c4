/** Folder of the build's chunks; this module is in one of them. */
const ASSETS = '/assets/'

/**
 * The base path of the product, without a trailing slash: empty, or `/drop` for `https://example.org/drop/`.
 * @param moduleUrl URL of a module of the app
 */
export function basePathOf(moduleUrl: string): string {
  const { protocol, pathname } = new URL(moduleUrl)
  const end = pathname.lastIndexOf(ASSETS)
  // Without a build, in tests and development, there is none.
  return /^https?:$/.test(protocol) && end > 0 ? pathname.slice(0, end) : ''
}

export const basePath: string = basePathOf(import.meta.url)

/** A URL of the app, for links outside of the router. */
export const hrefOf = (path: string): string => basePath + path
