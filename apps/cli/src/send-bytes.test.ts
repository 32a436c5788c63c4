import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CliError, EXIT } from './errors.ts'
import { sendBytes } from './send-bytes.ts'

interface Sending {
  readonly chunks?: AsyncIterable<Buffer> | Iterable<Buffer>
  readonly silenceMs?: number
}

/** Sends a megabyte to somebody who does with it as said. */
async function sendTo(listener: RequestListener, { chunks, silenceMs }: Sending = {}): Promise<unknown> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bytes = Buffer.alloc(1024 ** 2)
  try {
    return await sendBytes({
      method: 'PUT',
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      headers: {},
      body: Readable.from(chunks ?? [bytes], { objectMode: false }),
      sizeBytes: chunks ? null : bytes.length,
      ...(silenceMs !== undefined && { silenceMs }),
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

const LINE_IS_SILENT = { exitCode: 5, text: 'net.silent' }
const CHUNK = Buffer.alloc(1024 ** 2)
/** More than a connection takes in that nobody reads. */
const MANY = Array.from({ length: 64 }, () => CHUNK)

test('a line that takes no more bytes, without a word, is given up', async () => {
  const closed = Promise.withResolvers<void>()
  const startedAt = performance.now()
  const sent = sendTo((request) => void request.socket.pause().once('close', closed.resolve), {
    chunks: MANY,
    silenceMs: 1500,
  })
  await expect(sent).rejects.toMatchObject(LINE_IS_SILENT)
  expect(performance.now() - startedAt).toBeLessThan(2700)
  await closed.promise
})

test('a server that has all bytes may be silent for so long and a millisecond for each, and no longer', async () => {
  const answerAfter =
    (ms: number): RequestListener =>
    (request, response) =>
      void request.resume().once('end', () => setTimeout(() => response.end('done'), ms))
  const few = { chunks: [Buffer.alloc(50)], silenceMs: 300 }
  await expect(sendTo(answerAfter(3000), few)).rejects.toMatchObject(LINE_IS_SILENT)
  const many = { chunks: [Buffer.alloc(5000)], silenceMs: 300 }
  expect(await sendTo(answerAfter(1500), many)).toMatchObject({ text: 'done' })
})

test('an answer that stops in its middle, without a word, is given up', async () => {
  const sent = sendTo(
    (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-length': '100' }).write('a part of it')
    },
    { silenceMs: 300 },
  )
  await expect(sent).rejects.toMatchObject(LINE_IS_SILENT)
})

test('a line that is slow is not silent, and neither is a pipe that rests', async () => {
  const takeAll: RequestListener = (request, response) =>
    void request.resume().once('end', () => response.end('done'))
  const slowly: RequestListener = (request, response) => {
    request.on('data', () => {
      request.pause()
      setTimeout(() => request.resume(), 2)
    })
    request.once('end', () => response.end('done'))
  }
  const startedAt = performance.now()
  expect(await sendTo(slowly, { chunks: MANY, silenceMs: 800 })).toMatchObject({ text: 'done' })
  expect(performance.now() - startedAt).toBeGreaterThan(1600)
  async function* resting() {
    yield CHUNK
    await sleep(900)
    yield CHUNK
  }
  expect(await sendTo(takeAll, { chunks: resting(), silenceMs: 300 })).toMatchObject({ text: 'done' })
})
