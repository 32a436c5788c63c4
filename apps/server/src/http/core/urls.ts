import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/** The request came from this machine, for example from a proxy on it. */
export const isLocal = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(?:::ffff:)?127\./.test(address))

/**
 * The scheme of the public URL: from the farthest trusted proxy, else from our connection. Without `TRUST_PROXY`, a proxy on
 * the same machine is trusted for the scheme, and for nothing else.
 */
function schemeOf(request: FastifyRequest, { trustProxy }: Pick<Config, 'trustProxy'>): string {
  const { raw, ips } = request
  const entries = String(raw.headers['x-forwarded-proto'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
  const own = 'encrypted' in raw.socket && raw.socket.encrypted === true ? 'https' : 'http'
  const proxies = (ips?.length ?? 1) - 1
  let said: string | undefined
  if (proxies > 0) said = entries[Math.max(0, entries.length - proxies)]
  else if (trustProxy === false) said = isLocal(raw.socket.remoteAddress) ? entries[0] : undefined
  // Fastify applies the trust rule here too, even without a forwarded address.
  else said = request.protocol
  return said === 'https' || said === 'http' ? said : own
}

/** The requested host, with its port; if absent, the one that a trusted proxy states. */
export const hostOf = ({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string =>
  headers.host ?? host

/**
 * The public URL without a trailing slash: the configured URL, else the request's (`X-Forwarded-Proto` of a trusted proxy, and
 * `Host`) with the base path.
 */
export function publicUrlOf(
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl' | 'basePath' | 'trustProxy'>,
): string {
  const { publicUrl, basePath } = config
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  return `${schemeOf(request, config)}://${hostOf(request)}${basePath}`
}

/** An older web client repeats offline changes with `/api` twice in the URL. */
export const withoutSecondApi = (url: string): string => url.replace(/^\/api(?=\/api\/)/, '')

/**
 * Reduces an absolute-form URL, as clients of proxies send it, to its path: its host takes precedence over `Host`. Call before
 * routing.
 * Source: RFC 9112, section 3.2.2, read 2026-11-22.
 */
export function applyWholeAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  if (request.url?.startsWith('/')) return
  const [, host, rest] = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i.exec(request.url ?? '') ?? []
  if (host === undefined || rest === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}
