import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

const EVERY_IPV4 = '0.0.0.0'
/** Of IPv4 as well, whose clients have addresses like `::ffff:192.0.2.1` there. */
const EVERY_IPV6 = '::'
export const EVERY_HOST: ReadonlySet<string> = new Set([EVERY_IPV4, EVERY_IPV6])

/** Every address of this machine: of both kinds, or of IPv4 alone where there is no other. */
export async function everyHost(): Promise<string> {
  const probe = createServer()
  try {
    // Exclusive: with several processes each has its own.
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

/** Those of a link need to be told which link, which no browser takes. */
const isReachable = ({ internal, address }: NetworkInterfaceInfo) => !internal && !/^fe[89ab]/i.test(address)

/** Where people reach who listens at `host`. */
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
