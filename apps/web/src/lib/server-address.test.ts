import { expect, test } from 'vitest'
import { backendOf } from './server-address.ts'

test.each([
  ['https://one.example', 'https://one.example'],
  [' http://one.example:8787/api/?a=b ', 'http://one.example:8787'],
  ['https://one.example/drop/', 'https://one.example/drop'],
  ['https://one.example/drop/api/', 'https://one.example/drop'],
  ['one.example', null],
  ['ftp://one.example', null],
  ['javascript:alert(1)', null],
  ['', null],
])('%s names %s', (address, origin) => {
  expect(backendOf(address)).toBe(origin)
})
