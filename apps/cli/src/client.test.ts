import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { arriving, request, whileAnswering } from './client.ts'
import { sendBytes } from './send-bytes.ts'

afterEach(() => void vi.useRealTimers())

test('a port that web clients block is reported', async () => {
  await expect(request('http://127.0.0.1:1/api/health', {})).rejects.toMatchObject({
    text: 'net.forbidden_port',
    params: { host: '127.0.0.1:1' },
    exitCode: 5,
  })
})

test('https at a port without TLS is reported', async () => {
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

async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const LINE_IS_SILENT = { text: 'net.silent', exitCode: 5 }

test('a response that does not start, or stalls, is given up', async () => {
  using mute = await listening(() => undefined)
  await expect(request(mute.address, {}, 200)).rejects.toMatchObject(LINE_IS_SILENT)
  const closed = Promise.withResolvers<void>()
  using stopping = await listening((asked, response) => {
    asked.socket.once('close', closed.resolve)
    response.writeHead(200, { 'content-length': '100' }).write('a part of it')
  })
  const answer = await request(stopping.address, {})
  await expect(buffer(arriving(stopping.address, answer, 200))).rejects.toMatchObject(LINE_IS_SILENT)
  await closed.promise
})

test('the reader of a response may pause, and the response may be slow, but must not stall', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let line: ReadableStreamDefaultController | undefined
  const answer = new Response(new ReadableStream({ start: (controller) => void (line = controller) }))
  const pieces = arriving('http://a/', answer, 400)
  for (const _piece of [1, 2, 3]) {
    const coming = pieces.next()
    vi.advanceTimersByTime(399)
    line?.enqueue(Buffer.from('a piece'))
    expect(await coming).toEqual({ done: false, value: Buffer.from('a piece') })
    vi.advanceTimersByTime(1000)
  }
  const never = pieces.next()
  vi.advanceTimersByTime(400)
  await expect(never).rejects.toMatchObject(LINE_IS_SILENT)
})

test('long work is awaited as long as its server answers on another connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const often = { everyMs: 1, silenceMs: 200 }
  const joined = Promise.withResolvers<string>()
  let looks = 0
  let isAlive = true
  using server = await listening((_asked, response) => {
    looks += 1
    vi.advanceTimersByTime(isAlive ? 199 : 200)
    if (isAlive) response.writeHead(404).end()
    if (looks === 5) joined.resolve('joined')
  })
  expect(await whileAnswering(server.address, () => joined.promise, often)).toBe('joined')
  isAlive = false
  const work = (signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  await expect(whileAnswering(server.address, work, often)).rejects.toMatchObject(LINE_IS_SILENT)
})
