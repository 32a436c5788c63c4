import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { arriving, request, whileAnswering } from './client.ts'
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

test('an answer that does not begin, or stops without a word, is given up', async () => {
  using mute = await listening(() => undefined)
  await expect(request(mute.address, {}, 200)).rejects.toMatchObject(LINE_IS_SILENT)
  const closed = Promise.withResolvers<void>()
  using stopping = await listening((asked, response) => {
    asked.socket.once('close', closed.resolve)
    response.writeHead(200, { 'content-length': '100' }).write('a part of it')
  })
  const answer = await request(stopping.address, {}, 200)
  await expect(buffer(arriving(stopping.address, answer, 200))).rejects.toMatchObject(LINE_IS_SILENT)
  await closed.promise
})

test('who takes an answer may rest, and it may come slowly', async () => {
  const bytes = Buffer.alloc(8 * 1024 ** 2)
  using server = await listening((_asked, response) => {
    response.write(bytes)
    setTimeout(() => response.write(bytes), 250)
    setTimeout(() => response.end(bytes), 500)
  })
  let cameBytes = 0
  for await (const chunk of arriving(server.address, await request(server.address, {}), 400)) {
    if (cameBytes === 0) await sleep(1000)
    cameBytes += chunk.length
  }
  expect(cameBytes).toBe(3 * bytes.length)
})

test('long work is waited for as long as its server answers on another line', async () => {
  let isAlive = true
  using server = await listening((_asked, response) => void (isAlive && response.writeHead(404).end()))
  const often = { everyMs: 50, silenceMs: 200 }
  expect(await whileAnswering(server.address, () => sleep(600, 'joined'), often)).toBe('joined')
  isAlive = false
  const work = (signal: AbortSignal) => sleep(20_000, 'joined', { signal })
  await expect(whileAnswering(server.address, work, often)).rejects.toMatchObject({
    cause: LINE_IS_SILENT,
  })
})
