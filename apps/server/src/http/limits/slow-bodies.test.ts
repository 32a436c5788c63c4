import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installBodyParsers } from '../bodies/body-parsers.ts'
import { installErrorHandler } from '../core/error-handler.ts'
import { installSlowBodyRule } from './slow-bodies.ts'

const PIECES = 8
const EVERY_MS = 100

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function startApp() {
  const app = fastify()
  installSlowBodyRule(app, { graceMs: 300, lookEveryMs: 50, bytesPerSecond: 100 })
  installBodyParsers(app)
  installErrorHandler(app)
  app.post('/value', (request) => ({ got: request.body }))
  await app.register(async (scope) => {
    scope.addContentTypeParser('text/raw', (_request, payload, done) => done(null, payload))
    scope.post('/raw', (request) =>
      buffer(request.body as Readable).then(({ length }) => ({ bytes: length })),
    )
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() })
}

interface Dripping {
  readonly path: string
  readonly type: string
  readonly pieceBytes: number
}

async function startDripping(app: FastifyInstance, { path, type, pieceBytes }: Dripping) {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const [arriving] = (await once(app.server, 'connection')) as [Socket]
  let answer = ''
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => (answer += bytes.toString()))
  const closed = once(socket, 'close')
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n`
  const sizeBytes = PIECES * pieceBytes
  const body = JSON.stringify('x'.repeat(sizeBytes - 2))
  let sentBytes = 0
  async function send(text: string): Promise<void> {
    if (answer !== '' || !socket.writable) return
    socket.write(text)
    sentBytes += text.length
    while (arriving.bytesRead < sentBytes && !socket.destroyed) await turn()
  }
  await send(`${head}Content-Length: ${sizeBytes}\r\n\r\n`)
  return {
    sendPiece: (piece: number) => send(body.slice(piece * pieceBytes, (piece + 1) * pieceBytes)),
    answered: () => closed.then(() => answer),
  }
}

/** Sends several bodies at once, each in small pieces. @returns the responses, once each connection was closed */
async function drip(app: FastifyInstance, ...all: Dripping[]): Promise<string[]> {
  const dripping = []
  for (const one of all) dripping.push(await startDripping(app, one))
  for (let piece = 0; piece < PIECES; piece += 1) {
    await Promise.all(dripping.map(({ sendPiece }) => sendPiece(piece)))
    vi.advanceTimersByTime(EVERY_MS)
  }
  return await Promise.all(dripping.map(({ answered }) => answered()))
}

const asValue = (pieceBytes: number): Dripping => ({ path: '/value', type: 'application/json', pieceBytes })

test('a body that arrives too slowly is refused with a message, and a steady one is accepted', async () => {
  await using app = await startApp()
  const [slow] = await drip(app, asValue(2))
  expect(slow).toMatch(/^HTTP\/1\.1 408 [\s\S]*request\.too_slow/)
  const [steady] = await drip(app, asValue(200))
  expect(steady).toMatch(/^HTTP\/1\.1 200 [\s\S]*"got":"x{1598}"/)
})

test('a body that a route streams has separate rules', async () => {
  await using app = await startApp()
  const [answer] = await drip(app, { path: '/raw', type: 'text/raw', pieceBytes: 2 })
  expect(answer).toMatch(/"bytes":16/)
})

test('of many concurrent bodies only the slow ones are refused', async () => {
  await using app = await startApp()
  const sizes = [200, 2, 200, 2, 2, 200]
  const answers = await drip(app, ...sizes.map(asValue))
  const statuses = answers.map((answer) => Number(answer.split(' ')[1]))
  expect(statuses).toEqual(sizes.map((pieceBytes) => (pieceBytes === 200 ? 200 : 408)))
})
