import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CliError, EXIT } from './errors.ts'
import { sendBytes } from './send-bytes.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

interface Sending {
  readonly chunks?: AsyncIterable<Buffer> | Iterable<Buffer>
  readonly silenceMs?: number
}

/** Sends a megabyte, or the given chunks, to a server with the given behavior. */
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

test('a server that disconnects before any byte is reported', async () => {
  await expect(sendTo((request) => request.socket.destroy())).rejects.toMatchObject(unreachable)
})

test('a server that disconnects after all bytes, without a response, is reported', async () => {
  const sent = sendTo((request) => {
    request.resume().once('end', () => setImmediate(() => request.socket.destroy()))
  })
  await expect(sent).rejects.toMatchObject(unreachable)
})

test('a server that disconnects during its response is reported', async () => {
  const sent = sendTo((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('a part of it', () => request.socket.destroy())
    })
  })
  await expect(sent).rejects.toMatchObject(unreachable)
})

test('a response before the end of the body is accepted', async () => {
  const sent = sendTo((_request, response) => void response.writeHead(413).end('too large'))
  await expect(sent).rejects.toMatchObject({ exitCode: 3, status: 413 })
})

test('an unreadable body gives its own error', async () => {
  const why = new CliError({ exitCode: EXIT.failed, text: 'file.changed' })
  const body = new Readable({ read: () => undefined })
  body.push('a')
  const server = createServer((request) => void request.once('data', () => body.destroy(why)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sent = sendBytes({
    method: 'PUT',
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: {},
    body,
    sizeBytes: 10,
  })
  await expect(sent).rejects.toBe(why)
  server.closeAllConnections()
  server.close()
})

const LINE_IS_SILENT = { exitCode: 5, text: 'net.silent' }
const CHUNK = Buffer.alloc(1024 ** 2)
/** More bytes than a connection buffers when the receiver reads nothing. */
const MANY = Array.from({ length: 64 }, () => CHUNK)

test('a connection that accepts no more bytes is given up', async () => {
  const closed = Promise.withResolvers<void>()
  const sent = sendTo(
    (request) => {
      request.socket.pause().once('close', closed.resolve)
      const passing = setInterval(() => vi.advanceTimersByTime(1500), 10)
      request.socket.once('close', () => clearInterval(passing))
    },
    { chunks: MANY, silenceMs: 1500 },
  )
  await expect(sent).rejects.toMatchObject(LINE_IS_SILENT)
  await closed.promise
})

test('a server with all bytes may be silent for the limit plus a millisecond per byte, and no longer', async () => {
  const answerAfter =
    (ms: number): RequestListener =>
    (request, response) =>
      void request.resume().once('end', () => {
        vi.advanceTimersByTime(ms)
        response.end('done')
      })
  const few = { chunks: [Buffer.alloc(50)], silenceMs: 300 }
  await expect(sendTo(answerAfter(350), few)).rejects.toMatchObject(LINE_IS_SILENT)
  expect(await sendTo(answerAfter(349), few)).toMatchObject({ text: 'done' })
  const many = { chunks: [Buffer.alloc(5000)], silenceMs: 300 }
  expect(await sendTo(answerAfter(5299), many)).toMatchObject({ text: 'done' })
})

test('a response that stalls is given up', async () => {
  // Uses real timers, because the test cannot observe when the client has received the partial response.
  vi.useRealTimers()
  const sent = sendTo(
    (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-length': '100' }).write('a part of it')
    },
    { silenceMs: 300 },
  )
  await expect(sent).rejects.toMatchObject(LINE_IS_SILENT)
})

test('a slow connection is not silent, and neither is a pausing pipe', async () => {
  let passedMs = 0
  const slowly: RequestListener = (request, response) => {
    request.on('data', () => {
      passedMs += 5
      vi.advanceTimersByTime(5)
    })
    request.once('end', () => response.end('done'))
  }
  expect(await sendTo(slowly, { chunks: MANY, silenceMs: 2000 })).toMatchObject({ text: 'done' })
  expect(passedMs).toBeGreaterThan(2 * 2000)
  const taken = Promise.withResolvers<void>()
  const takeAll: RequestListener = (request, response) => {
    let cameBytes = 0
    request.on('data', (bytes: Buffer) => {
      cameBytes += bytes.length
      if (cameBytes === CHUNK.length) taken.resolve()
    })
    request.once('end', () => response.end('done'))
  }
  async function* resting() {
    yield CHUNK
    await taken.promise
    await turn()
    vi.advanceTimersByTime(900)
    yield CHUNK
  }
  expect(await sendTo(takeAll, { chunks: resting(), silenceMs: 300 })).toMatchObject({ text: 'done' })
})
