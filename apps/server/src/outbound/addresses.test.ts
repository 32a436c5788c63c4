import { expect, test } from 'vitest'
import { isPublicAddress, parseAllowList } from './addresses.ts'

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.0',
  '192.167.255.255',
  '169.253.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'no address',
  '',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('explicitly allowed hosts, addresses and networks; IPv4-mapped addresses count as IPv4', () => {
  const allow = parseAllowList(['nas.lan', '10.1.0.0/16', '127.0.0.1', 'fd00::/8'])
  expect(
    ['nas.lan', 'NAS.LAN', 'nas.lan.', 'x.nas.lan', 'lan'].map((host) => allow.allowsHost(host)),
  ).toEqual([true, true, true, false, false])
  expect(
    ['10.1.2.3', '10.2.0.1', '127.0.0.1', '127.0.0.2', '::ffff:10.1.0.1', 'fd12::1', 'fe80::1'].map(
      (address) => allow.allowsAddress(address),
    ),
  ).toEqual([true, false, true, false, true, true, false])
  for (const bad of [
    '10.0.0.0/33',
    'a b',
    'http://x',
    '10.0.0.0/x',
    '192.168.1.0/',
    'fd00::/',
    '10.0.0.0/8/9',
    '10.0.0.0/ 8',
    '10.0.0.0/0x8',
  ])
    expect(() => parseAllowList([bad])).toThrow()
})
