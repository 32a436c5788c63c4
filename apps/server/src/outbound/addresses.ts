import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/**
 * Address ranges outside the public internet.
 * Source: IANA IPv4 Special-Purpose Address Registry, and multicast; read 2026-11-21.
 */
const SPECIAL_V4: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Special ranges within 2000::/3; everything outside of 2000::/3 is special too. Source: IANA IPv6 registries. */
const SPECIAL_V6: ReadonlyArray<readonly [string, number]> = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [network, prefix] of SPECIAL_V4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of SPECIAL_V6) special.addSubnet(network, prefix, 'ipv6')
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')

/** Whether a literal address is in the public internet. An address that embeds an IPv4 address counts as special. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return !special.check(plain, 'ipv4')
  return isIPv6(plain) && publicV6.check(plain, 'ipv6') && !special.check(plain, 'ipv6')
}

/** Non-public hosts and networks that the configuration allows. */
export interface AllowList {
  allowsHost(host: string): boolean
  allowsAddress(address: string): boolean
}

const normalHost = (host: string) => host.toLowerCase().replace(/\.$/, '')

/** Converts IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) to IPv4. Removes the zone of other addresses. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address.replace(/%.*$/, '')
}

/** Parses a list of hosts, addresses and networks. @throws {Error} for an invalid entry */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>()
  const networks = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    // `Number('')` is 0, which would allow every address.
    if (rest.length > 0 || (prefix !== undefined && !/^\d+$/.test(prefix)))
      throw new Error(`${entry} is no host and no network`)
    if (isIP(address) === 0) {
      if (prefix !== undefined || !/^[a-z0-9.-]+$/i.test(entry))
        throw new Error(`${entry} is no host and no network`)
      hosts.add(normalHost(entry))
    } else if (prefix === undefined) {
      networks.addAddress(address, family)
    } else {
      networks.addSubnet(address, Number(prefix), family)
    }
  }
  return {
    allowsHost: (host) => hosts.has(normalHost(host)),
    allowsAddress(text) {
      const address = plainAddress(text)
      return networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
    },
  }
}
