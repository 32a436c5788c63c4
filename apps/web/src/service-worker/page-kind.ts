/** Server paths that are not pages of the app. */
const NO_PAGES =
  /^\/(?:api|dav|assets|icons|screenshots)(?:\/|$)|^\/(?:share-target|s-media\/[^/]+|s-download\/[^/]+)$|^\/[^/]+\.(?:js|json|svg|webmanifest|txt|html|png|ico)$/

export type PageKind = 'paste' | 'bundle' | 'app'

/**
 * Returns the kind of page at a path, or `null` if the path is not a page of the app. The pages of text shares and
 * bundles can show their text before the app is loaded.
 * @param path below the base path, starting with a slash
 */
export function pageKind(path: string): PageKind | null {
  if (NO_PAGES.test(path)) return null
  if (/^\/paste\/[^/]+\/?$/.test(path)) return 'paste'
  return /^\/s\/[^/]+\/?$/.test(path) ? 'bundle' : 'app'
}
