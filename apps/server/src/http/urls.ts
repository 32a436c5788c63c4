import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

/**
 * Where people reach us: the configured address, else what the request says (`X-Forwarded-Proto` and `Host`) and the base
 * path. It has no slash at its end.
 */
export function publicUrlOf(
  request: FastifyRequest,
  { publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>,
): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  const forwarded = String(request.headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim()
  const protocol = forwarded === 'https' || forwarded === 'http' ? forwarded : request.protocol
  return `${protocol}://${request.headers.host ?? request.hostname}${basePath}`
}

/** The page of a file share, as a path on our host. */
export const filePagePath = ({ basePath }: Pick<Config, 'basePath'>, slug: string): string =>
  `${basePath}/file/${slug}`

/** A signed address of our own is a path; those of S3 are whole. */
export const absoluteUrl = (publicUrl: string, address: string): string =>
  address.startsWith('/') ? `${publicUrl}${address}` : address

/** Takes the base path from the address of a request; one without it came through a proxy that has taken it already. */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/**
 * Takes scheme and host from an address that comes whole, as clients of proxies send it: its host counts, whatever `Host` says.
 * Called before a route is looked for.
 * Source: RFC 9112, section 3.2.2, read 2026-11-22.
 */
export function applyWholeAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const [, host, rest] = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i.exec(request.url ?? '') ?? []
  if (host === undefined || rest === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}
