import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

const EVERY_IPV4 = '0.0.0.0'
/**
 * Address of all interfaces. A server at this address also accepts IPv4 clients, whose addresses have the form
 * `::ffff:192.0.2.1`.
 */
const EVERY_IPV6 = '::'
export const EVERY_HOST: ReadonlySet<string> = new Set([EVERY_IPV4, EVERY_IPV6])

/** Returns the address that listens on all interfaces: IPv6 and IPv4, or IPv4 alone if there is no IPv6. */
export async function everyHost(): Promise<string> {
  const probe = createServer()
  try {
    // The socket is exclusive, because each worker needs a separate socket.
    probe.listen({ host: EVERY_IPV6, port: 0, exclusive: true })
    await once(probe, 'listening')
    return EVERY_IPV6
  } catch {
    return EVERY_IPV4
  } finally {
    probe.close()
  }
}

const inAddress = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Excludes link-local addresses. They need a zone, and browsers do not accept addresses with a zone. */
const isReachable = ({ internal, address }: NetworkInterfaceInfo) => !internal && !/^fe[89ab]/i.test(address)

/** Returns the addresses at which a server that listens on `host` is reachable. */
export function addressesFor(
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string[] {
  if (!EVERY_HOST.has(host)) return [`http://${inAddress(host)}:${port}`]
  const others = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter((one) => isReachable(one) && (host === EVERY_IPV6 || one.family === 'IPv4'))
    .toSorted((a, b) => a.family.localeCompare(b.family))
  return ['localhost', ...others.map(({ address }) => inAddress(address))].map(
    (name) => `http://${name}:${port}`,
  )
}
