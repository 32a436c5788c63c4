import { type AddressInfo, connect } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { installBodyParsers } from './body-parsers.ts'
import { installErrorHandler } from './error-handler.ts'
import { installSlowBodyRule } from './slow-bodies.ts'

const PIECES = 8
const EVERY_MS = 100

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

/** Sends a body in pieces of so many bytes. @returns what came back until the connection was closed */
async function drip(port: number, path: string, o: { type: string; pieceBytes: number }): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const answer: string[] = []
  socket.on('data', (bytes) => answer.push(bytes.toString()))
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${o.type}\r\n`
  socket.write(`${head}Content-Length: ${PIECES * o.pieceBytes}\r\n\r\n`)
  const body = JSON.stringify('x'.repeat(PIECES * o.pieceBytes - 2))
  for (let piece = 0; piece < PIECES && answer.length === 0; piece += 1) {
    socket.write(body.slice(piece * o.pieceBytes, (piece + 1) * o.pieceBytes))
    await sleep(EVERY_MS)
  }
  while (!socket.closed) await sleep(10)
  return answer.join('')
}

const portOf = (app: { server: { address(): unknown } }) => (app.server.address() as AddressInfo).port

test('a value that comes drop by drop is refused with words, one that comes steadily is taken', async () => {
  await using app = await startApp()
  const type = 'application/json'
  const slow = await drip(portOf(app), '/value', { type, pieceBytes: 2 })
  expect(slow).toMatch(/^HTTP\/1\.1 408 [\s\S]*request\.too_slow/)
  const steady = await drip(portOf(app), '/value', { type, pieceBytes: 200 })
  expect(steady).toMatch(/^HTTP\/1\.1 200 [\s\S]*"got":"x{1598}"/)
})

test('a body that a route takes as it comes has its own rules', async () => {
  await using app = await startApp()
  expect(await drip(portOf(app), '/raw', { type: 'text/raw', pieceBytes: 2 })).toMatch(/"bytes":16/)
})

test('of many bodies at once those are refused that are too slow', async () => {
  await using app = await startApp()
  const sizes = [200, 2, 200, 2, 2, 200]
  const answers = await Promise.all(
    sizes.map((pieceBytes) => drip(portOf(app), '/value', { type: 'application/json', pieceBytes })),
  )
  const statuses = answers.map((answer) => Number(answer.split(' ')[1]))
  expect(statuses).toEqual(sizes.map((pieceBytes) => (pieceBytes === 200 ? 200 : 408)))
})
