import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_PASSWORD as PASSWORD } from '../lib/product.ts'
import { run } from '../lib/undo.ts'
import { counted, isOk, MIB, type Reply, share, slowest, withProduct } from './product.ts'

/** Opens connections that send the given bytes, and records whether they are still open. */
async function openLines(
  origin: string,
  count: number,
  first: string,
): Promise<Array<{ socket: Socket; isOpen: boolean }>> {
  const { port } = new URL(origin)
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<{ socket: Socket; isOpen: boolean }>((resolve, reject) => {
          const socket = connect({ host: '127.0.0.1', port: Number(port) })
          const line = { socket, isOpen: true }
          socket.on('close', () => (line.isOpen = false))
          socket.on('error', reject)
          socket.once('connect', () => {
            if (first !== '') socket.write(first)
            resolve(line)
          })
        }),
    ),
  )
}

/** Opens a thousand silent connections. Other clients must be served, and memory must grow by less than 100 MB. */
export const idleConnections = () =>
  withProduct(async (product) => {
    await share(product)
    const before = await product.memoryKb()
    const lines = await openLines(product.origin, 1000, '')
    const replies = await Promise.all(Array.from({ length: 50 }, () => share(product)))
    const grownKb = (await product.memoryKb()) - before
    for (const { socket } of lines) socket.destroy()
    return {
      told: `1,000 open; ${counted(replies)}, slowest ${slowest(replies)}; ${grownKb} kB more memory`,
      isGood: replies.every(isOk) && grownKb < 100_000,
    }
  })

/**
 * Sends request headers that never end, one byte every few seconds. The server must close the connections, and serve
 * other clients meanwhile.
 */
export const slowHeads = () =>
  withProduct(async (product) => {
    const lines = await openLines(product.origin, 500, 'GET /api/health HTTP/1.1\r\nHost: a\r\nX-A: ')
    for (const { socket } of lines) {
      socket.on('error', () => undefined)
      // Reads the socket, because Node.js reports the end of a connection only while the socket is read.
      socket.resume()
    }
    const drip = setInterval(() => {
      for (const { socket, isOpen } of lines) if (isOpen) socket.write('a')
    }, 5000)
    const replies: Reply[] = []
    const startedAt = performance.now()
    let closedAfterMs = 0
    while (performance.now() - startedAt < 150_000 && lines.some(({ isOpen }) => isOpen)) {
      replies.push(await share(product))
      await sleep(500)
      closedAfterMs = performance.now() - startedAt
    }
    clearInterval(drip)
    const open = lines.filter(({ isOpen }) => isOpen).length
    for (const { socket } of lines) socket.destroy()
    return {
      told: `500 heads without an end: all but ${open} closed after ${(closedAfterMs / 1000).toFixed(0)} s; meanwhile ${counted(replies)}, slowest ${slowest(replies)}`,
      isGood: open === 0 && replies.every(isOk),
    }
  })

/** Sends request bodies that stall. The server must close the connections and store nothing. */
export const stuckWriters = () =>
  withProduct(async (product) => {
    const login = await product.ask('POST', '/api/admin/login', {
      body: { username: 'admin', password: PASSWORD },
    })
    const token = /"token":"([^"]+)"/.exec(login.body.toString())?.[1] ?? ''
    const head = (at: number) =>
      `PUT /api/fs/upload?path=/local/stuck-${at}.bin HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000000\r\n\r\nbegin`
    const before = await product.memoryKb()
    const lines = (
      await Promise.all(Array.from({ length: 100 }, (_, at) => openLines(product.origin, 1, head(at))))
    ).flat()
    const replies: Reply[] = []
    const startedAt = performance.now()
    let closedAfterMs = 0
    while (performance.now() - startedAt < 180_000 && lines.some(({ isOpen }) => isOpen)) {
      replies.push(await share(product))
      await sleep(1000)
      closedAfterMs = performance.now() - startedAt
    }
    const open = lines.filter(({ isOpen }) => isOpen).length
    const grownKb = (await product.memoryKb()) - before
    const listed = await product.ask('GET', '/api/fs/list?path=/local&refresh=true')
    const left = listed.body.toString().split('stuck-').length - 1
    for (const { socket } of lines) socket.destroy()
    return {
      told: `100 bodies that stop: all but ${open} closed after ${(closedAfterMs / 1000).toFixed(0)} s, ${left} files of them; meanwhile ${counted(replies)}; ${grownKb} kB more memory`,
      isGood: open === 0 && left === 0 && replies.every(isOk),
    }
  })

/** Requests a large file with clients that read nothing. Memory must grow by less than 150 MB. */
export const slowReaders = () =>
  withProduct(async (product) => {
    const up = await product.ask('PUT', '/api/upload-direct/large.bin?slug=large', {
      body: randomBytes(64 * MIB),
    })
    const before = await product.memoryKb()
    const lines = await openLines(
      product.origin,
      100,
      'GET /api/file-download/large HTTP/1.1\r\nHost: a\r\n\r\n',
    )
    for (const { socket } of lines) {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.pause())
    }
    await sleep(5000)
    const grownKb = (await product.memoryKb()) - before
    const replies = await Promise.all(Array.from({ length: 50 }, () => share(product)))
    for (const { socket } of lines) socket.destroy()
    return {
      told: `upload ${up.status}; 100 readers of 64 MiB who take nothing: ${grownKb} kB more memory; meanwhile ${counted(replies)}, slowest ${slowest(replies)}`,
      isGood: isOk(up) && replies.every(isOk) && grownKb < 150_000,
    }
  })

/** Stops clients without closing their connections, as in a power cut. The server must drop the connections. */
export const halfOpen = () =>
  withProduct(async (product) => {
    await product.ask('PUT', '/api/upload-direct/large.bin?slug=large', { body: randomBytes(64 * MIB) })
    const fetchers = Array.from({ length: 20 }, () =>
      spawn('curl', [
        '--silent',
        '--output',
        '/dev/null',
        '--limit-rate',
        '50k',
        `${product.origin}/api/file-download/large`,
      ]),
    )
    await sleep(2000)
    for (const { pid } of fetchers) if (pid !== undefined) process.kill(pid, 'SIGSTOP')
    const connections = async () =>
      (await run('sh', ['-c', `ls -l /proc/${product.pid}/fd | grep -c socket`])).stdout.trim()
    const during = await connections()
    const startedAt = performance.now()
    let left = Number(during)
    while (performance.now() - startedAt < 270_000 && left > Number(during) - 20) {
      await sleep(2000)
      left = Number(await connections())
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    const reply = await share(product)
    for (const child of fetchers) child.kill('SIGKILL')
    return {
      told: `20 readers stopped in the middle: ${during} sockets, ${left} after ${seconds} s; a text ${reply.status}`,
      isGood: isOk(reply) && left <= Number(during) - 20,
    }
  })
