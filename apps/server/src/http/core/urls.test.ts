import { expect, test } from 'vitest'
import { applyWholeAddress } from './urls.ts'

test.each([
  ['http://a.example/dav/x?y', '/dav/x?y', 'a.example'],
  ['HTTPS://a.example:8443', '/', 'a.example:8443'],
  ['http://a.example?q', '/?q', 'a.example'],
  ['http://[::1]:80/x', '/x', '[::1]:80'],
  ['/dav/x', '/dav/x', 'asked.example'],
  ['/http://a.example/x', '/http://a.example/x', 'asked.example'],
  ['http://user@a.example/x', 'http://user@a.example/x', 'asked.example'],
  ['*', '*', 'asked.example'],
])('%s asks for %s of %s', (url, path, host) => {
  const request = { url, headers: { host: 'asked.example' } }
  applyWholeAddress(request)
  expect(request).toEqual({ url: path, headers: { host } })
})
