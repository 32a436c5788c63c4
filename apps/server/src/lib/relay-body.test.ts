import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ownsChunks, relayBody } from './relay-body.ts'

test('the chunks of a request are its own, through two relays, too; those of other streams are not', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const call = request({ port, host: '127.0.0.1', method: 'PUT' })
  call.end(Buffer.alloc(100_000, 'x'))
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  expect(ownsChunks(incoming)).toBe(true)
  const relayed = relayBody(relayBody(incoming))
  expect(ownsChunks(relayed)).toBe(true)
  const memories = new Set<ArrayBufferLike>()
  let isWhole = true
  incoming.on('data', ({ buffer: memory, byteLength }: Buffer) => {
    isWhole &&= !memories.has(memory) && memory.byteLength === byteLength
    memories.add(memory)
  })
  expect(await buffer(relayed)).toHaveLength(100_000)
  expect(isWhole).toBe(true)
  call.on('error', () => undefined)
  server.close().closeAllConnections()

  const other = Readable.from([Buffer.from('x')])
  expect(ownsChunks(other)).toBe(false)
  expect(ownsChunks(relayBody(other))).toBe(false)
})
