import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createPlainPuts, type PlainPuts } from './plain-put.ts'

const open: Array<{ close: () => unknown }> = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const DONE = 'HTTP/1.1 200 OK\r\nETag: "one"\r\nContent-Length: 0\r\n\r\n'
const SMALL = Buffer.from('its bytes')

interface Storage {
  readonly puts: PlainPuts
  /** One for each connection: all that came over it. */
  readonly came: string[]
  readonly sockets: Socket[]
}

/** A storage that answers each body as a test says. */
async function storage(
  answer: (socket: Socket) => void,
  { timeoutMs = 5000, size = SMALL.length } = {},
): Promise<Storage> {
  const came: string[] = []
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    const at = came.push('') - 1
    let answeredBytes = 0
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      came[at] += bytes.toString('latin1')
      const text = came[at]?.slice(answeredBytes) ?? ''
      const end = text.indexOf('\r\n\r\n')
      if (end < 0 || text.length < end + 4 + size) return
      answeredBytes += end + 4 + size
      answer(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const puts = createPlainPuts({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, timeoutMs })
  open.push(puts, server)
  return { puts, came, sockets }
}

const put = (
  { puts }: Storage,
  o: { bytes?: Buffer; signal?: AbortSignal; headers?: Record<string, string> } = {},
) => puts.put({ path: '/a', headers: { host: 'here' }, bytes: SMALL, ...o })

test('one after the other go over one connection, those at once over several', async () => {
  const there = await storage((socket) => setTimeout(() => socket.write(DONE), 5))
  for (let turn = 0; turn < 3; turn += 1) {
    const head = await put(there)
    expect([head?.status, head?.headers.get('etag')]).toEqual([200, '"one"'])
  }
  const request = 'PUT /a HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\nits bytes'
  expect(there.came).toEqual([request.repeat(3)])
  await Promise.all([put(there), put(there), put(there)])
  expect(there.came).toHaveLength(3)
  await Promise.all([put(there), put(there), put(there)])
  expect(there.came).toHaveLength(3)
})

test('an answer in pieces, and a body in many', async () => {
  const bytes = Buffer.alloc(900_000, 'x')
  const answer = (socket: Socket) => {
    socket.write(DONE.slice(0, 30))
    setTimeout(() => socket.write(DONE.slice(30)), 5)
  }
  const there = await storage(answer, { size: bytes.length })
  expect(await put(there, { bytes })).toMatchObject({ status: 200 })
  expect(there.came[0]).toContain(`content-length: 900000\r\n\r\n${String(bytes)}`)
})

test('a connection that was closed while it rested, or that says more than it was asked, is not used again', async () => {
  const there = await storage((socket) => socket.write(DONE))
  await put(there)
  there.sockets[0]?.end()
  await once(there.sockets[0] as Socket, 'close')
  expect(await put(there)).toMatchObject({ status: 200 })
  there.sockets[1]?.write('HTTP/1.1 200 OK\r\n\r\n')
  await once(there.sockets[1] as Socket, 'close')
  expect(await put(there)).toMatchObject({ status: 200 })
  expect(there.came).toHaveLength(3)
})

test.each([
  ['that is told to be closed', DONE.replace('ETag', 'Connection: close\r\nETag')],
  ['on which something was refused', DONE.replace('200 OK', '403 Forbidden')],
])('a connection %s is not used again', async (_name, answer) => {
  const there = await storage((socket) => socket.write(answer))
  await put(there)
  expect(await put(there)).not.toBeUndefined()
  expect(there.came).toHaveLength(2)
})

test.each([
  ['a body', `${DONE.replace('Length: 0', 'Length: 4')}body`, 200],
  ['a body in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 200],
  ['two sizes', DONE.replace('ETag', 'Content-Length: 0\r\nETag'), 200],
  ['a head that is none', 'SSH-2.0-server\r\n\r\n', undefined],
  ['another version', DONE.replace('1.1', '1.0'), undefined],
])('whoever answers with %s is left to another client from then on', async (_name, answer, status) => {
  const there = await storage((socket) => socket.write(answer))
  expect((await put(there))?.status).toBe(status)
  expect(put(there)).toBeUndefined()
  expect(there.came).toHaveLength(1)
})

test.each([
  ['a connection that closes', (socket: Socket) => socket.end()],
  ['half an answer', (socket: Socket) => socket.end(DONE.slice(0, 20))],
  ['a head without end', (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x'.repeat(70_000)}`)],
  ['silence', () => undefined],
])('%s is no answer, and the next one is asked for again', async (_name, answer) => {
  const there = await storage(answer, { timeoutMs: 300 })
  expect(await put(there)).toBeNull()
  expect(await put(there)).toBeNull()
  expect(there.came).toHaveLength(2)
})

test('heads that only say that an answer will come are passed over', async () => {
  const hold = 'HTTP/1.1 100 Continue\r\n\r\n'
  const there = await storage((socket) =>
    socket.write(`${hold}HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n${DONE}`),
  )
  for (let turn = 0; turn < 2; turn += 1) expect(await put(there)).toMatchObject({ status: 200 })
  expect(there.came).toHaveLength(1)
})

test.each([
  ['no', DONE.replace('200 OK', '503 Slow Down'), 503],
  ['yes', DONE, undefined],
])(
  'who says %s before all was sent has refused it, and nothing more of it is sent',
  async (_name, answer, status) => {
    const there = await storage(() => undefined, { size: Infinity })
    const asked = put(there, { bytes: Buffer.alloc(64 * 1024 ** 2, 'x') })
    await expect.poll(() => there.sockets.length).toBe(1)
    const socket = there.sockets[0] as Socket
    socket.pause()
    socket.write(answer)
    expect((await asked)?.status).toBe(status)
    socket.resume()
    await once(socket, 'close')
    expect(there.came[0]?.length).toBeLessThan(32 * 1024 ** 2)
  },
)

test('nobody there is no answer', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const puts = createPlainPuts({ host: '127.0.0.1', port, timeoutMs: 1000 })
  expect(await puts.put({ path: '/', headers: {}, bytes: SMALL })).toBeNull()
})

test('the signal ends it, and closes the connection', async () => {
  const there = await storage(() => undefined)
  const stop = new AbortController()
  const asked = put(there, { signal: stop.signal })
  setTimeout(() => stop.abort(), 20)
  expect(await asked).toBeNull()
  await expect.poll(() => there.sockets[0]?.destroyed).toBe(true)
  expect(put(there, { signal: stop.signal })).toBeUndefined()
})

test('what could begin a line of its own is not sent', async () => {
  const there = await storage((socket) => socket.write(DONE))
  expect(put(there, { headers: { 'if-match': 'a\r\nx-amz-acl: public-read' } })).toBeUndefined()
  expect(there.came).toEqual([])
})

test('as many as there are connections for; others are left to the HTTP client', async () => {
  const there = await storage(() => undefined)
  const asked = Array.from({ length: 130 }, () => put(there)).filter((one) => one !== undefined)
  expect(asked).toHaveLength(128)
  there.puts.close()
  expect(await Promise.all(asked)).toEqual(asked.map(() => null))
})
