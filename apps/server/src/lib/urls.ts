import type { Config } from '../config/config.ts'

/** The page of a file share, as a path on our host. */
export const filePagePath = ({ basePath }: Pick<Config, 'basePath'>, slug: string): string =>
  `${basePath}/file/${slug}`

/** A signed address of our own is a path; those of S3 are whole. */
export const absoluteUrl = (publicUrl: string, address: string): string =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

/** Some clients join a host that ends in a slash and a path that begins with one. */
const withOneSlash = (url: string): string => url.replace(/^\/{2,}/, '/')

/** Takes the base path from the address of a request; one without it came through a proxy that has taken it already. */
export function withoutBasePath(address: string, basePath: string): string {
  const url = withOneSlash(address)
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = withOneSlash(url.slice(basePath.length))
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}
