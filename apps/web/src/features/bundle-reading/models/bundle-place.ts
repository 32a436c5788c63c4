/**
 * A place in an open bundle, as the search parameter `at` of its page: `/pics/` is a folder, and `/pics/a.png` a file
 * shown above its folder. The leading slash keeps the router from reading `/2026` as a number.
 */
export interface BundlePlace {
  /** Starts and ends with a slash. */
  readonly folder: string
  /** Name of the shown file. */
  readonly preview: string | null
}

export const ROOT = '/'

export function placeAt(at: string | undefined): BundlePlace {
  const path = at?.startsWith('/') ? at : ROOT
  const end = path.lastIndexOf('/') + 1
  return { folder: path.slice(0, end), preview: path.slice(end) || null }
}

/** The inverse of {@link placeAt}; `undefined` for the root, which needs no parameter. */
export function atOf({ folder, preview }: BundlePlace): string | undefined {
  const at = `${folder}${preview ?? ''}`
  return at === ROOT ? undefined : at
}

/** Path of the API, without slashes at its ends. */
export const itemPathOf = (path: string): string => path.replace(/^\//, '').replace(/\/$/, '')

/** Path of the page. Those of folders end with a slash. */
export const pagePathOf = ({ path, isDirectory }: { path: string; isDirectory: boolean }): string =>
  `/${path}${isDirectory ? '/' : ''}`
