import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

type Caller = Pick<FastifyRequest, 'ip'>

/** Who is calling: an IPv4 address also where it came in the form of IPv6. */
const addressOf = ({ ip }: Caller): string => ip.replace(/^::ffff:(?=\d+\.)/, '')

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return groups
}

/** Who is calling, for counting: an IPv4 address, or the /64 of an IPv6 one, since one household owns all of that. */
export function clientNetwork(request: Caller): string {
  const address = addressOf(request)
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/** Who is calling, for what is kept and shown: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function clientArea(request: Caller): string {
  const address = addressOf(request)
  if (isIPv6(address)) return `${groupsOf(address).slice(0, 3).join(':')}::/48`
  return address.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}
