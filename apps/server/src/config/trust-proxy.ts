import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as z from 'zod/mini'

const PROXY_NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])
/**
 * Shortest allowed prefix lengths. A larger network is most likely a mistake, and the server would trust unknown
 * computers.
 */
const PREFIX_MIN = { ipv4: 8, ipv6: 12, private: 7 }
const PRIVATE: ReadonlySet<string> = new Set(['uniqueLocal', 'linkLocal'])
const HOPS_MAX = 20
/** The range of IPv4-mapped addresses. */
const MAPPED = { first: ipaddr.IPv6.parse('::ffff:0:0'), bits: 96 }

/**
 * Parses an address, or a network with a prefix length or a netmask. Returns `null` for an invalid address; `bits` is
 * `null` for an invalid prefix length or netmask.
 */
function parseNetwork(entry: string) {
  const [text = '', prefix, ...rest] = entry.split('/')
  if (isIP(text) === 0 || rest.length > 0) return null
  const address = ipaddr.parse(text)
  const most = address.kind() === 'ipv4' ? 32 : 128
  if (prefix === undefined) return { address, bits: most }
  if (isIPv4(prefix))
    return { address, bits: most === 32 ? ipaddr.IPv4.parse(prefix).prefixLengthFromSubnetMask() : null }
  const isWhole = /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= most
  return { address, bits: isWhole ? Number(prefix) : null }
}

/**
 * Whether an entry is a valid address, or a valid network that is not too large. With an invalid entry, Fastify would
 * crash at the start.
 */
function isProxy(entry: string): boolean {
  if (PROXY_NAMES.has(entry)) return true
  const { address, bits } = parseNetwork(entry) ?? { bits: null }
  if (!address || bits === null) return false
  if (address instanceof ipaddr.IPv4) return bits >= PREFIX_MIN.ipv4
  if (address.isIPv4MappedAddress()) return bits >= MAPPED.bits + PREFIX_MIN.ipv4
  // Refuses a network that contains the mapped range, because such a network trusts every IPv4 client.
  if (MAPPED.first.match(address, bits)) return false
  return bits >= (PRIVATE.has(address.range()) ? PREFIX_MIN.private : PREFIX_MIN.ipv6)
}

/** The trusted proxies: `false`, the number of proxies, or their addresses and networks. */
export const trustProxy = z.pipe(
  z.string().check(
    z.refine(
      (text) => text !== 'true',
      'true would believe whatever a client writes of itself; set the number of proxies in front, such as 1, or their addresses and networks',
    ),
    z.refine(
      (text) =>
        /^(?:true|false)$/.test(text) ||
        (/^\d+$/.test(text) && Number(text) <= HOPS_MAX) ||
        text.split(',').every((entry) => isProxy(entry.trim())),
      'must be false, a number of proxies up to 20, or addresses and networks (IPv4 of /8 or longer, IPv6 of /12 or longer, private ones of /7), separated by commas',
    ),
  ),
  z.transform((text): false | number | string => {
    if (text === 'false') return false
    return /^\d+$/.test(text) ? Number(text) : text
  }),
)
