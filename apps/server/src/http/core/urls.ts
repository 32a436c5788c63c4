import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

/** The request came from this machine: from a proxy on it, or from somebody who may as well. */
export const isLocal = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || /^(?:::ffff:)?127\./.test(address))

/**
 * The scheme that people see: what the farthest proxy says that is believed, else that of our own connection. Without
 * `TRUST_PROXY` a proxy on the same machine is believed about this alone.
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
  // It believes who is to be believed, also where no address was written down.
  else said = request.protocol
  return said === 'https' || said === 'http' ? said : own
}

/** The host that was asked for, with its port; without one, what a proxy that is believed says it was. */
export const hostOf = ({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): string =>
  headers.host ?? host

/**
 * Where people reach us: the configured address, else what the request says (`X-Forwarded-Proto` of a proxy that is believed,
 * and `Host`) and the base path. It has no slash at its end.
 */
export function publicUrlOf(
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl' | 'basePath' | 'trustProxy'>,
): string {
  const { publicUrl, basePath } = config
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  return `${schemeOf(request, config)}://${hostOf(request)}${basePath}`
}

/** An older web client repeats offline changes with `/api` twice in the address. */
export const withoutSecondApi = (url: string): string => url.replace(/^\/api(?=\/api\/)/, '')

/**
 * Takes scheme and host from an address that comes whole, as clients of proxies send it: its host counts, whatever `Host` says.
 * Called before a route is looked for.
 * Source: RFC 9112, section 3.2.2, read 2026-11-22.
 */
export function applyWholeAddress(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  if (request.url?.startsWith('/')) return
  const [, host, rest] = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i.exec(request.url ?? '') ?? []
  if (host === undefined || rest === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = host
}
