import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { addressesFor, everyHost } from './listening.ts'

const address = (text: string, internal = false) => ({
  address: text,
  internal,
  family: text.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
})
const INTERFACES = {
  lo: [address('127.0.0.1', true), address('::1', true)],
  eth0: [address('fe80::1'), address('2001:db8::7'), address('192.0.2.7')],
}

test('a server on all interfaces has every reachable address, and a server on one address has only that', () => {
  const here = (...names: string[]) => names.map((name) => `http://${name}:8787`)
  expect(addressesFor('::', 8787, INTERFACES)).toEqual(here('localhost', '192.0.2.7', '[2001:db8::7]'))
  expect(addressesFor('0.0.0.0', 8787, INTERFACES)).toEqual(here('localhost', '192.0.2.7'))
  expect(addressesFor('::1', 8787, INTERFACES)).toEqual(here('[::1]'))
  expect(addressesFor('127.0.0.1', 8787, INTERFACES)).toEqual(here('127.0.0.1'))
})

test('all interfaces are those of this machine', async () => {
  const host = await everyHost()
  expect(['::', '0.0.0.0']).toContain(host)
  const server = createServer().listen({ host, port: 0 })
  await once(server, 'listening')
  server.close()
})
