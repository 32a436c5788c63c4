import { expect, test } from 'vitest'
import { applyForwardedAddresses, clientArea, clientNetwork } from './client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:3:4:5:6]:4711', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::6]', '2001:db8:1:2::/64'],
  ['"[2001:db8:1:2::6]:4711"', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::192.0.2.1', '192.0.2.1'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['not an address', 'unknown'],
  ['192.0.2.7:http', 'unknown'],
  ['192.0.2.256', 'unknown'],
  ['[192.0.2.7]:80', 'unknown'],
  ['[::1', 'unknown'],
  ['', 'unknown'],
])('%s counts as %s', (ip, network) => {
  expect(clientNetwork({ ip })).toBe(network)
})

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['192.0.2.7:4711', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['[2001:db8:1:2:3:4:5:6]:4711', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['_hidden', 'unknown'],
])('%s is kept as %s', (ip, area) => {
  expect(clientArea({ ip })).toBe(area)
})

test('an invalid address from a proxy counts as the address of the proxy', () => {
  expect(clientNetwork({ ip: 'unknown', ips: ['127.0.0.1', '10.0.0.5:80', 'unknown'] })).toBe('10.0.0.5')
  expect(clientArea({ ip: '_x', ips: ['2001:db8:1::1', '_x'] })).toBe('2001:db8:1::/48')
})

test.each([
  ['192.0.2.7:80, [2001:db8::1]:443,10.0.0.1', '192.0.2.7, 2001:db8::1, 10.0.0.1'],
  ['unknown,  192.0.2.7', 'unknown, 192.0.2.7'],
])('%s is read as %s', (written, read) => {
  const headers: Record<string, string> = { 'x-forwarded-for': written }
  applyForwardedAddresses({ headers })
  expect(headers).toEqual({ 'x-forwarded-for': read })
})
