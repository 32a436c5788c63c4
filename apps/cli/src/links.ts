import { usageError } from './errors.ts'

/** A share as the user names it. */
export interface ShareName {
  /** Server in the link; `null` for a name alone. */
  readonly server: string | null
  /** `null` if the name does not say it. */
  readonly kind: 'text' | 'file' | null
  readonly slug: string
}

const PAGES = {
  paste: 'text',
  'api/raw': 'text',
  file: 'file',
  'api/file-download': 'file',
  'api/file-view': 'file',
} as const
const LINK = /^(.*)\/(paste|file|api\/raw|api\/file-download|api\/file-view)\/([^/]+)\/?$/

/** The normalised URL of a server, without a trailing slash. @throws {CliError} */
export function parseServer(value: string): string {
  const url = URL.parse(value.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw usageError('usage.server', { value })
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** @throws {CliError} */
function decodedSlug(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw usageError('usage.share')
  }
}

/** Parses a link (also below a path) or its suffix. @throws {CliError} */
export function parseShareName(value: string): ShareName {
  if (!/^https?:\/\//i.test(value)) {
    if (!/^[\w-]+$/.test(value)) throw usageError('usage.share')
    return { server: null, kind: null, slug: value }
  }
  const url = URL.parse(value)
  const [, base, page, slug] = LINK.exec(url?.pathname ?? '') ?? []
  if (!url || base === undefined || page === undefined || slug === undefined) throw usageError('usage.share')
  return {
    server: parseServer(`${url.origin}${base}`),
    kind: PAGES[page as keyof typeof PAGES],
    slug: decodedSlug(slug),
  }
}

export const textLink = (server: string, slug: string): string =>
  `${server}/paste/${encodeURIComponent(slug)}`
export const fileLink = (server: string, slug: string): string => `${server}/file/${encodeURIComponent(slug)}`
