import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

type Caller = Pick<FastifyRequest, 'ip' | 'ips'>

const UNKNOWN = 'unknown'

/**
 * Parses a client address that a proxy wrote. Some proxies add a port, brackets or quotes.
 * @returns an IPv4 address, even if it was mapped to IPv6, or an IPv6 address without its zone; `null` for anything
 * else
 */
function parseAddress(text: string): string | null {
  const bare = text.trim().replace(/^"(.*)"$/, '$1')
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare)?.[1]
  const address = (inBrackets ?? bare.replace(/^([\d.]+):\d{1,5}$/, '$1')).replace(/%.*$/, '')
  if (isIP(address) === 0 || (inBrackets !== undefined && isIPv4(address))) return null
  if (isIPv4(address)) return address
  // The usual form of an IPv4 address on a dual-stack socket. The form is handled first, because each request has such
  // an address, and parsing takes longer.
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  const read = ipaddr.process(address)
  return read.kind() === 'ipv4' ? read.toString() : address
}

/**
 * Removes ports and brackets from forwarded addresses, so that they can be compared with trusted addresses. Invalid
 * entries stay in the list. Call before the request is read.
 */
export function applyForwardedAddresses({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined) return
  headers['x-forwarded-for'] = [forwarded]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => parseAddress(entry) ?? entry.trim())
    .join(', ')
}

/** Returns the caller's address. If a trusted proxy wrote an invalid address, the proxy counts as the caller. */
function addressOf({ ip, ips }: Caller): string | null {
  for (const address of ips?.toReversed() ?? [ip]) {
    const found = parseAddress(address ?? '')
    if (found !== null) return found
  }
  return null
}

const networkOf = (address: string, groups: number): string =>
  `${ipaddr.IPv6.parse(address)
    .parts.slice(0, groups)
    .map((group) => group.toString(16))
    .join(':')}::/${groups * 16}`

/**
 * Returns the network for rate limits: an IPv4 address, or the /64 of an IPv6 address, because one household owns the
 * whole /64.
 */
export function clientNetwork(request: Caller): string {
  const address = addressOf(request)
  if (address === null) return UNKNOWN
  return isIPv4(address) ? address : networkOf(address, 4)
}

/** Identifies the client, for throttles and view counting. */
export const clientOf = (request: FastifyRequest): { network: string; userAgent: string } => ({
  network: clientNetwork(request),
  userAgent: request.headers['user-agent'] ?? '',
})

/** Returns the network to store and show: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function clientArea(request: Caller): string {
  const address = addressOf(request)
  if (address === null) return UNKNOWN
  return isIPv4(address) ? address.replace(/\.\d+$/, '.0/24') : networkOf(address, 3)
}
