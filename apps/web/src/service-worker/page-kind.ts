/** Folders and files of the server that are no pages of the app. */
const NO_PAGES =
  /^\/(?:api|dav|assets|icons|screenshots)(?:\/|$)|^\/share-target$|^\/[^/]+\.(?:js|json|svg|webmanifest|txt|html|png|ico)$/

/**
 * Which page of the app shows an address: that of a text share can show its text before the app is there.
 * @param path below the app, beginning with a slash
 */
export function pageKind(path: string): 'paste' | 'app' | null {
  if (NO_PAGES.test(path)) return null
  return /^\/paste\/[^/]+\/?$/.test(path) ? 'paste' : 'app'
}
