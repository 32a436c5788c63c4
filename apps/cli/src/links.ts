import { usageError } from './errors.ts'

/** A share as named on the command line. */
export interface ShareName {
  /** Server of the link; `null` if only a name was given. */
  readonly server: string | null
  /** `null` if only a name was given. */
  readonly kind: 'text' | 'file' | 'bundle' | null
  readonly slug: string
  /** The part of the link after `#`, or `null`. For a sealed bundle, this part is the key. Never print it. */
  readonly linkKey: string | null
}

const PAGES = {
  paste: 'text',
  'api/raw': 'text',
  file: 'file',
  'api/file-download': 'file',
  'api/file-view': 'file',
  s: 'bundle',
} as const
const LINK = /^(.*)\/(paste|file|s|api\/raw|api\/file-download|api\/file-view)\/([^/]+)\/?$/

/** Parses and normalizes the URL of a server; the result has no trailing slash. @throws {CliError} */
export function parseServer(value: string): string {
  const url = URL.parse(value.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw usageError('usage.server', { value })
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** @throws {CliError} if the text is not valid percent-encoding */
function decodedSlug(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw usageError('usage.share')
  }
}

/** Returns the link of a share for messages. Removes the part after `#`, because it can be a key. */
export const withoutKey = (link: string): string => link.replace(/#.*$/s, '')

/** Removes the keys of links from a message, because terminals and logs store messages. */
export const withoutKeys = (message: string): string => message.replaceAll(/#[\w-]{42,}/g, '#…')

/** Parses a share link, or only its last part. The server can have a base path. @throws {CliError} */
export function parseShareName(named: string): ShareName {
  const value = withoutKey(named)
  const linkKey = named.slice(value.length + 1).trim() || null
  if (!/^https?:\/\//i.test(value)) {
    if (!/^[\w-]+$/.test(value)) throw usageError('usage.share')
    return { server: null, kind: null, slug: value, linkKey }
  }
  const url = URL.parse(value)
  const [, base, page, slug] = LINK.exec(url?.pathname ?? '') ?? []
  if (!url || base === undefined || page === undefined || slug === undefined) throw usageError('usage.share')
  return {
    server: parseServer(`${url.origin}${base}`),
    kind: PAGES[page as keyof typeof PAGES],
    slug: decodedSlug(slug),
    linkKey,
  }
}

export const textLink = (server: string, slug: string): string =>
  `${server}/paste/${encodeURIComponent(slug)}`
export const fileLink = (server: string, slug: string): string => `${server}/file/${encodeURIComponent(slug)}`
export const bundleLink = (server: string, slug: string): string => `${server}/s/${encodeURIComponent(slug)}`
/** Returns the link of a sealed bundle. Browsers never send the part after `#`. */
export const sealedLink = (
  server: string,
  { slug, linkKey }: { readonly slug: string; readonly linkKey: string },
): string => `${bundleLink(server, slug)}#${linkKey}`
