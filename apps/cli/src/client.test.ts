import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { request } from './client.ts'
import { sendBytes } from './send-bytes.ts'

test('a port that no client of the web goes to is told of in words', async () => {
  await expect(request('http://127.0.0.1:1/api/health', {})).rejects.toMatchObject({
    text: 'net.forbidden_port',
    params: { host: '127.0.0.1:1' },
    exitCode: 5,
  })
})

test('https at a port that has none is told of in words', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const address = `https://${host}/`
  const told = { text: 'net.no_tls', params: { host }, exitCode: 5 }
  await expect(request(address, {})).rejects.toMatchObject(told)
  const bytes = { method: 'PUT', address, headers: {}, body: Readable.from(['a']), sizeBytes: 1 }
  await expect(sendBytes(bytes)).rejects.toMatchObject(told)
  server.close()
})
