/** Server paths that are not pages of the app. */
const NO_PAGES =
  /^\/(?:api|dav|assets|icons|screenshots)(?:\/|$)|^\/share-target$|^\/[^/]+\.(?:js|json|svg|webmanifest|txt|html|png|ico)$/

/**
 * Returns the kind of page at a path. The page of a text share can show its text before the app is loaded.
 * @param path below the base path, starting with a slash
 */
export function pageKind(path: string): 'paste' | 'app' | null {
  if (NO_PAGES.test(path)) return null
  return /^\/paste\/[^/]+\/?$/.test(path) ? 'paste' : 'app'
}
