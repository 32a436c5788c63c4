/** URLs within the app. */
export const paths = {
  home: '/',
  upload: '/upload',
  admin: '/admin',
  welcome: '/admin/welcome',
  paste: (slug: string) => `/paste/${encodeURIComponent(slug)}`,
  file: (slug: string) => `/file/${encodeURIComponent(slug)}`,
  /** Page that explains what end-to-end encryption hides and what it does not hide. */
  encryption: '/encryption',
  bundle: (slug: string) => `/s/${encodeURIComponent(slug)}`,
  /** Path of a folder in the explorer, optionally with a previewed file. */
  explorer: (folder: string, preview?: string) => {
    const names = folder.split('/').filter(Boolean).map(encodeURIComponent)
    const search = preview === undefined ? '' : `?${new URLSearchParams({ preview }).toString()}`
    return `/mount-explorer${names.map((name) => `/${name}`).join('')}${search}`
  },
} as const

/** Validates the `from` parameter of the login page. Allows only URLs of the app, to prevent open redirects. */
export function safeReturnPath(from: unknown): string | null {
  if (typeof from !== 'string' || !/^\/(?![/\\])/.test(from)) return null
  const url = new URL(from, window.location.origin)
  return url.origin === window.location.origin ? `${url.pathname}${url.search}${url.hash}` : null
}
