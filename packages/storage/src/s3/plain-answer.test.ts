import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { askPlainly, type PlainAnswer } from './plain-answer.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const portOf = async (server: Server): Promise<number> => {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A storage that answers every request as a test says. */
async function ask(
  answer: (socket: Socket, request: string) => void,
  { timeoutMs = 5000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const port = await portOf(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (bytes) => answer(socket, bytes.toString('latin1')))
    }),
  )
  return askPlainly({
    host: '127.0.0.1',
    port,
    path: '/a',
    headers: { range: 'bytes=0-' },
    timeoutMs,
    signal,
  })
}

const bytesOf = (answer: PlainAnswer | null) => buffer(answer?.body('read it') ?? Readable.from([]))

const headOf = (sizeBytes: number, ...more: string[]) =>
  ['HTTP/1.1 200 OK', `Content-Length: ${sizeBytes}`, ...more, '', ''].join('\r\n')

test('a head in pieces, and the bytes behind it, as a stream', async () => {
  const bytes = randomBytes(3_000_000)
  let asked = ''
  const answer = await ask((socket, request) => {
    asked = request
    const head = headOf(bytes.length, 'ETag:  "one" ')
    socket.write(head.slice(0, 20))
    setTimeout(() => {
      socket.write(head.slice(20))
      socket.write(bytes)
    }, 5)
  })
  expect(asked).toBe('GET /a HTTP/1.1\r\nrange: bytes=0-\r\nconnection: close\r\n\r\n')
  expect(answer?.headers.get('etag')).toBe('"one"')
  const got = await bytesOf(answer)
  expect(got.equals(bytes)).toBe(true)
})

test('piped into a message: the very bytes, also to a slow client', async () => {
  const bytes = randomBytes(5_000_007)
  const answer = await ask((socket) => socket.end(Buffer.concat([Buffer.from(headOf(bytes.length)), bytes])))
  const port = await portOf(createHttpServer((_request, response) => answer?.body('read it').pipe(response)))
  const [reply] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [
    IncomingMessage,
  ]
  const chunks: Buffer[] = []
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    if (chunks.length % 16 === 0) await sleep(1)
  }
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
})

test.each([
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a head that is none', 'SSH-2.0-server\r\n\r\n'],
  ['a repeated header', headOf(1, 'Content-Length: 2')],
  ['a line that goes on', headOf(1, 'X-A: b', ' c')],
  ['no size', 'HTTP/1.1 200 OK\r\n\r\n'],
  ['a head without end', `HTTP/1.1 200 OK\r\n${'x'.repeat(70_000)}`],
  ['nothing', ''],
])('%s is left to another client', async (_name, text) => {
  expect(await ask((socket) => socket.end(text))).toBeNull()
})

test('nobody there is left to another client', async () => {
  const server = createServer()
  const port = await portOf(server)
  server.close()
  await once(server, 'close')
  const call = { host: '127.0.0.1', port, path: '/', headers: {}, timeoutMs: 1000, signal: undefined }
  expect(await askPlainly(call)).toBeNull()
})

test('a connection that closes early, or falls silent, is unavailable', async () => {
  const early = await ask((socket) => socket.end(headOf(10) + 'only'))
  await expect(bytesOf(early)).rejects.toMatchObject({ code: 'storage.unavailable' })
  const silent = await ask((socket) => socket.write(headOf(10) + 'only'), { timeoutMs: 300 })
  await expect(bytesOf(silent)).rejects.toMatchObject({ code: 'storage.unavailable' })
})

test('a reader may rest for longer than that', async () => {
  const answer = await ask((socket) => socket.end(headOf(2_000_000) + 'x'.repeat(2_000_000)), {
    timeoutMs: 200,
  })
  const body = answer?.body('read it')
  const chunks = body?.[Symbol.asyncIterator]()
  await chunks?.next()
  await sleep(500)
  expect(body?.destroyed).toBe(false)
  body?.destroy()
})

test('bytes past the size that was told are none of the body', async () => {
  const answer = await ask((socket) => socket.end(headOf(4) + 'onlymore'))
  expect(String(await bytesOf(answer))).toBe('only')
})

test('the signal ends it with its reason, before the head and behind it, and closes the connection', async () => {
  const closed = { count: 0 }
  const reason = new Error('cancelled')
  const later = new AbortController()
  const waiting = ask(
    (socket) => {
      socket.on('close', () => (closed.count += 1))
      later.abort(reason)
    },
    { signal: later.signal },
  )
  await expect(waiting).rejects.toBe(reason)
  const other = new AbortController()
  const answer = await ask(
    (socket) => {
      socket.write(headOf(10) + 'only')
      socket.on('close', () => (closed.count += 1))
    },
    { signal: other.signal },
  )
  const read = bytesOf(answer)
  setTimeout(() => other.abort(reason), 5)
  await expect(read).rejects.toBe(reason)
  await expect.poll(() => closed.count).toBe(2)
})
