import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/** Whether the request came from this machine, for example from a proxy on this machine. */
export const isLocal = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(?:::ffff:)?127\./.test(address))

/**
 * Returns the scheme of the public URL: from the farthest trusted proxy, or else from our connection. Without
 * `TRUST_PROXY`, a proxy on the same machine is trusted for the scheme only.
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
  // Fastify applies the trust rule to `protocol` too, even without a forwarded address.
  else said = request.protocol
  return said === 'https' || said === 'http' ? said : own
}

/** Returns the requested host with its port, or if absent, the host that a trusted proxy states. */
export const hostOf = ({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string =>
  headers.host ?? host

/**
 * Returns the public URL without a trailing slash. This is the configured URL, or else the URL of the request
 * (`X-Forwarded-Proto` of a trusted proxy, and `Host`) with the base path.
 */
export function publicUrlOf(
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl' | 'basePath' | 'trustProxy'>,
): string {
  const { publicUrl, basePath } = config
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  return `${schemeOf(request, config)}://${hostOf(request)}${basePath}`
}

/** Removes the second `/api` of a URL. An older web client adds a second `/api` when it repeats offline changes. */
export const withoutSecondApi = (url: string): string => url.replace(/^\/api(?=\/api\/)/, '')

/**
 * Reduces an absolute-form URL, which clients of proxies send, to its path. The host in the URL takes precedence over
 * `Host`. Call before routing.
 * Source: RFC 9112, section 3.2.2, read 2026-11-22.
 */
export function applyWholeAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  if (request.url?.startsWith('/')) return
  const [, host, rest] = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i.exec(request.url ?? '') ?? []
  if (host === undefined || rest === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}
