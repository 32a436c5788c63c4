import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { CliError, EXIT } from './errors.ts'
import { sendBytes } from './send-bytes.ts'

/** Sends a megabyte to somebody who does with it as said. */
async function sendTo(listener: RequestListener): Promise<unknown> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bytes = Buffer.alloc(1024 ** 2)
  try {
    return await sendBytes({
      method: 'PUT',
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      headers: {},
      body: Readable.from([bytes], { objectMode: false }),
      sizeBytes: bytes.length,
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const unreachable = { exitCode: 5, text: 'net.unreachable' }

test('a server that goes away before any byte has come is told of', async () => {
  await expect(sendTo((request) => request.socket.destroy())).rejects.toMatchObject(unreachable)
})

test('a server that goes away when it has all bytes, and has not answered, is told of', async () => {
  const sent = sendTo((request) => {
    request.resume().once('end', () => setTimeout(() => request.socket.destroy(), 50))
  })
  await expect(sent).rejects.toMatchObject(unreachable)
})

test('a server that goes away in the middle of its answer is told of', async () => {
  const sent = sendTo((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-length': '100' }).write('a part of it')
      setTimeout(() => request.socket.destroy(), 50)
    })
  })
  await expect(sent).rejects.toMatchObject(unreachable)
})

test('an answer before the body has come is heard', async () => {
  const sent = sendTo((_request, response) => void response.writeHead(413).end('too large'))
  await expect(sent).rejects.toMatchObject({ exitCode: 3, status: 413 })
})

test('a body that cannot be read says why itself', async () => {
  const body = new Readable({ read: () => undefined })
  const server = createServer((request) => void request.resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sent = sendBytes({
    method: 'PUT',
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: {},
    body,
    sizeBytes: 10,
  })
  const why = new CliError({ exitCode: EXIT.failed, text: 'file.changed' })
  setTimeout(() => body.destroy(why), 50)
  await expect(sent).rejects.toBe(why)
  server.closeAllConnections()
  server.close()
})
