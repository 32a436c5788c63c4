import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Who is calling, for counting: an IPv4 address, or the /64 of an IPv6 one, since one household owns all of that. */
export function clientNetwork(request: FastifyRequest): string {
  const address = request.ip.replace(/^::ffff:(?=\d+\.)/, '')
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
