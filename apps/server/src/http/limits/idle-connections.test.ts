import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { keepWhileAtWork } from './idle-connections.ts'

/**
 * Sends a request over a connection whose idle timeout is `idleMs` (0 means none), and returns what the server sends
 * until the connection is closed.
 */
async function exchange(sent: string, listener: RequestListener, idleMs = 0): Promise<string> {
  const server = createServer((request, response) => {
    keepWhileAtWork(response)
    listener(request, response)
  })
  server.timeout = idleMs
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes.toString()))
  socket.write(sent)
  await once(socket, 'close')
  server.close()
  return answer
}

const POST = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\n'

/** Emits the event with which Node.js reports an idle connection. */
const rest = ({ socket }: IncomingMessage) => void socket.emit('timeout')

test('a client that waits for the response is not disconnected', async () => {
  const answer = await exchange(`${POST}body`, (request, response) => {
    request.resume().once('end', () => {
      for (let times = 0; times < 5; times += 1) rest(request)
      response.end('done')
    })
  })
  expect(answer).toMatch(/done$/)
})

test('a client whose data the server does not read yet is not disconnected', async () => {
  const answer = await exchange(`${POST}bo`, (request, response) => {
    request.once('readable', () => {
      rest(request)
      response.end('done')
    })
  })
  expect(answer).toMatch(/done$/)
})

test('a stalled body and an unfinished response are disconnected', async () => {
  expect(await exchange(`${POST}bo`, (request) => request.resume(), 150)).toBe('')
  const begun = await exchange(`${POST}body`, (request, response) => {
    request.resume().once('end', () => response.write('begun', () => rest(request)))
  })
  expect(begun).toMatch(/begun/)
})
