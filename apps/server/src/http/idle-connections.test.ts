import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepWhileAtWork } from './idle-connections.ts'

const IDLE_MS = 150

/** What comes back for a request over a connection that may rest for `IDLE_MS`, until it is closed. */
async function exchange(sent: string, listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    keepWhileAtWork(response)
    listener(request, response)
  })
  server.timeout = IDLE_MS
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

test('who waits for a server at work gets the answer, however long it takes', async () => {
  const answer = await exchange(`${POST}body`, (request, response) => {
    request.resume()
    void sleep(IDLE_MS * 5).then(() => response.end('done'))
  })
  expect(answer).toMatch(/done$/)
})

test('so does who has sent what the server does not take yet', async () => {
  const answer = await exchange(`${POST}bo`, (_request, response) => {
    void sleep(IDLE_MS * 5).then(() => response.end('done'))
  })
  expect(answer).toMatch(/done$/)
})

test('a body that stops, and an answer that is not ended, are not waited for', async () => {
  expect(await exchange(`${POST}bo`, (request) => request.resume())).toBe('')
  const begun = await exchange(`${POST}body`, (request, response) => {
    request.resume()
    response.write('begun')
  })
  expect(begun).toMatch(/begun/)
})
