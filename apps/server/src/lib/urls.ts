import type { Config } from '../config/config.ts'

export const filePagePath = ({ basePath }: Pick<Config, 'basePath'>, slug: string): string =>
  `${basePath}/file/${slug}`

export const pastePagePath = ({ basePath }: Pick<Config, 'basePath'>, slug: string): string =>
  `${basePath}/paste/${slug}`

export const bundlePagePath = ({ basePath }: Pick<Config, 'basePath'>, slug: string): string =>
  `${basePath}/s/${slug}`

/** Makes a signed URL absolute. This server signs paths, while S3 signs absolute URLs. */
export const absoluteUrl = (publicUrl: string, address: string): string =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

/** Removes doubled leading slashes. Some clients join a host with a trailing slash and a path with a leading slash. */
const withOneSlash = (url: string): string => url.replace(/^\/{2,}/, '/')

/** Removes the base path from a request's URL. If the URL has no base path, a proxy has already removed it. */
export function withoutBasePath(address: string, basePath: string): string {
  const url = withOneSlash(address)
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = withOneSlash(url.slice(basePath.length))
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}
