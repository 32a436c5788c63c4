import type { Config } from '../config/config.ts'

/** The path of a file share's page. */
export const filePagePath = ({ basePath }: Pick<Config, 'basePath'>, slug: string): string =>
  `${basePath}/file/${slug}`

/** Makes a signed URL absolute: this server signs paths, S3 signs absolute URLs. */
export const absoluteUrl = (publicUrl: string, address: string): string =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

/** Some clients join a host with a trailing slash and a path with a leading one. */
const withOneSlash = (url: string): string => url.replace(/^\/{2,}/, '/')

/** Removes the base path from a request's URL; if it is absent, a proxy has already removed it. */
export function withoutBasePath(address: string, basePath: string): string {
  const url = withOneSlash(address)
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = withOneSlash(url.slice(basePath.length))
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}
